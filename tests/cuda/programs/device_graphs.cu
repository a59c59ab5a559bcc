// Kernels launch graphs (CUDA Programming Guide, "Device Graph Launch"): fire and forget, tail
// launches, siblings, graphs that follow themselves, and what the device refuses.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "check.h"

// Appends `what` to a list: the number of entries, then the entries.
__global__ void append(int* list, int what) { list[1 + atomicAdd(list, 1)] = what; }
__global__ void add(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

// Launches count graphs, and keeps the error of each launch.
__global__ void launch(int* list, int what, const cudaGraphExec_t* graphs, int count,
                       cudaStream_t how, int* errors) {
  if (what) list[1 + atomicAdd(list, 1)] = what;
  for (int i = 0; i < count; ++i) errors[i] = cudaGraphLaunch(graphs[i], how);
}

// Follows itself until the counter is 0. The second launch of itself is one too many.
__global__ void follow_itself(int* left, int* list, int* errors) {
  list[1 + atomicAdd(list, 1)] = *left;
  if (--*left == 0) return;
  errors[0] |= cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  errors[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

// Two tail launches; the first graph (below) launches a tail of its own.
__global__ void both_kinds(int* list, int what, cudaGraphExec_t fired, cudaGraphExec_t tail,
                           cudaGraphExec_t next, int* errors) {
  if (tail) errors[0] = cudaGraphLaunch(tail, cudaStreamGraphTailLaunch);
  if (next) errors[1] = cudaGraphLaunch(next, cudaStreamGraphTailLaunch);
  if (fired) errors[2] = cudaGraphLaunch(fired, cudaStreamGraphFireAndForget);
  list[1 + atomicAdd(list, 1)] = what;
}

__global__ void which(unsigned long long* handle) {
  *handle = (unsigned long long)cudaGetCurrentGraphExec();
}

#ifdef __CUDACC_RDC__
__global__ void nested(int* list) { append<<<1, 1>>>(list, 1); }
#endif

static cudaStream_t stream;

// A graph of what `issue` submits to the stream.
template <class Issue>
cudaGraph_t captured(Issue&& issue) {
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  issue();
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

// Device code may launch it; null when something fails.
template <class Issue>
cudaGraphExec_t device_graph(Issue&& issue, bool upload = true) {
  cudaGraphExec_t exec = nullptr;
  if (cudaGraphInstantiate(&exec, captured(issue), cudaGraphInstantiateFlagDeviceLaunch) !=
      cudaSuccess)
    return nullptr;
  if (upload && cudaGraphUpload(exec, stream) != cudaSuccess) return nullptr;
  return exec;
}

// Launches an ordinary graph of what `issue` submits, and waits for it.
template <class Issue>
cudaError_t run(Issue&& issue) {
  cudaGraphExec_t exec = nullptr;
  cudaError_t error = cudaGraphInstantiate(&exec, captured(issue), 0);
  if (error == cudaSuccess) error = cudaGraphLaunch(exec, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

bool holds(const int* list, const std::vector<int>& expected) {
  return list[0] == static_cast<int>(expected.size()) &&
         std::equal(expected.begin(), expected.end(), list + 1);
}

int main() {
  constexpr int kGraphs = 260;
  int *list, *errors, *data;
  cudaGraphExec_t* graphs;
  unsigned long long* handle;
  DONE(cudaMallocManaged(&list, 4096 * sizeof(int)));
  DONE(cudaMallocManaged(&errors, 4096 * sizeof(int)));
  DONE(cudaMallocManaged(&graphs, kGraphs * sizeof *graphs));
  DONE(cudaMallocManaged(&handle, sizeof *handle));
  DONE(cudaMalloc(&data, 4096 * sizeof(int)));
  DONE(cudaStreamCreate(&stream));
  const auto start = [&] {
    std::fill(list, list + 4096, 0);
    std::fill(errors, errors + 4096, -1);
  };

  // Fire and forget: complete when the launching graph is.
  start();
  graphs[0] = device_graph([&] { append<<<1, 1, 0, stream>>>(list, 2); });
  CHECK(graphs[0]);
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 1, graphs, 1, cudaStreamGraphFireAndForget, errors);
  }));
  CHECK(errors[0] == cudaSuccess && holds(list, {1, 2}));

  // Tail launches follow the launching graph and what it fired, in their order. A tail launch by
  // one of them precedes the others.
  start();
  const auto appending = [&](int what) {
    return device_graph([&, what] { append<<<1, 1, 0, stream>>>(list, what); });
  };
  cudaGraphExec_t inner = appending(30), fired = appending(20), next = appending(40);
  cudaGraphExec_t tail = device_graph(
      [&] { both_kinds<<<1, 1, 0, stream>>>(list, 25, nullptr, inner, nullptr, errors + 10); });
  CHECK(inner && fired && next && tail);
  DONE(run([&] {
    both_kinds<<<1, 1, 0, stream>>>(list, 10, fired, tail, next, errors);
    append<<<1, 1, 0, stream>>>(list, 15);
  }));
  CHECK(errors[0] == 0 && errors[1] == 0 && errors[2] == 0 && errors[10] == 0);
  // The fired graph and the second kernel of the launching graph are not ordered.
  std::sort(list + 2, list + 4);
  CHECK(holds(list, {10, 15, 20, 25, 30, 40}));

  // The launch of a device graph by the host uploads it. It follows itself.
  start();
  list[100] = 5, errors[0] = errors[1] = 0;
  cudaGraphExec_t self =
      device_graph([&] { follow_itself<<<1, 1, 0, stream>>>(list + 100, list, errors); }, false);
  CHECK(self);
  DONE(cudaGraphLaunch(self, stream));
  DONE(cudaStreamSynchronize(stream));
  CHECK(holds(list, {5, 4, 3, 2, 1}) && errors[0] == 0 && errors[1] == cudaErrorInvalidValue);

  // A sibling is complete when the launch by the host is.
  start();
  graphs[0] = appending(2);
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 1, graphs, 1, cudaStreamGraphFireAndForgetAsSibling, errors);
  }));
  CHECK(errors[0] == 0 && holds(list, {1, 2}));

  // Every kind of node that a device graph may have: 1024 sums, then a copy.
  start();
  constexpr int n = 1024;
  cudaGraph_t child = captured([&] { add<<<n / 256, 256, 0, stream>>>(data, data + n, n); });
  std::vector<int> ones(n, 1), out(n);
  DONE(cudaMemcpy(data, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  cudaGraph_t all;
  DONE(cudaGraphCreate(&all, 0));
  cudaGraphNode_t fill, twice, sum, copy;
  cudaMemsetParams zero{};
  zero.dst = data + n, zero.elementSize = 4, zero.width = n, zero.height = 1, zero.value = 7;
  DONE(cudaGraphAddMemsetNode(&fill, all, nullptr, 0, &zero));
  DONE(cudaGraphAddChildGraphNode(&twice, all, &fill, 1, child));
  DONE(cudaGraphAddChildGraphNode(&sum, all, &twice, 1, child));
  DONE(cudaGraphAddMemcpyNode1D(&copy, all, &sum, 1, data + 2 * n, data + n, n * sizeof(int),
                                cudaMemcpyDeviceToDevice));
  DONE(cudaGraphInstantiate(&graphs[0], all, cudaGraphInstantiateFlagDeviceLaunch));
  DONE(cudaGraphUpload(graphs[0], stream));
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 0, graphs, 1, cudaStreamGraphFireAndForget, errors);
  }));
  DONE(cudaMemcpy(out.data(), data + 2 * n, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(errors[0] == 0 && std::count(out.begin(), out.end(), 9) == n);

  // Which graph a kernel is a node of: a device graph, or none.
  cudaGraphExec_t asks = device_graph([&] { which<<<1, 1, 0, stream>>>(handle); });
  DONE(cudaGraphLaunch(asks, stream));
  DONE(cudaStreamSynchronize(stream));
  CHECK(*handle == reinterpret_cast<unsigned long long>(asks));
  which<<<1, 1, 0, stream>>>(handle);
  DONE(cudaStreamSynchronize(stream));
  CHECK(*handle == 0);

  // 120 launches, fire and forget; 255 tail launches that wait.
  for (int i = 0; i < kGraphs; ++i) graphs[i] = appending(1);
  start();
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 0, graphs, 122, cudaStreamGraphFireAndForget, errors);
  }));
  CHECK(list[0] == 120 && std::count(errors, errors + 122, 0) == 120);
  CHECK(errors[120] == cudaErrorInvalidValue && errors[121] == cudaErrorInvalidValue);
  start();
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 0, graphs, 257, cudaStreamGraphTailLaunch, errors);
  }));
  CHECK(list[0] == 255 && std::count(errors, errors + 257, 0) == 255);
  CHECK(errors[255] == cudaErrorInvalidValue);

  // Refused: a graph that runs, one that was not uploaded, an ordinary stream, a kernel that is no
  // node of a graph.
  start();
  graphs[1] = graphs[0];
  graphs[2] = device_graph([&] { append<<<1, 1, 0, stream>>>(list, 1); }, false);
  DONE(run([&] {
    launch<<<1, 1, 0, stream>>>(list, 0, graphs, 3, cudaStreamGraphFireAndForget, errors);
    launch<<<1, 1, 0, stream>>>(list, 0, graphs + 3, 1, nullptr, errors + 3);
  }));
  CHECK(errors[0] == 0 && errors[1] == cudaErrorInvalidValue && list[0] == 1);
  CHECK(errors[2] == cudaErrorInvalidValue && errors[3] == cudaErrorInvalidValue);
  launch<<<1, 1, 0, stream>>>(list, 0, graphs, 1, cudaStreamGraphFireAndForget, errors);
  DONE(cudaStreamSynchronize(stream));
  CHECK(errors[0] == cudaErrorInvalidValue && list[0] == 1);

  // Not for device code: host functions, memory that the device does not reach, kernels that launch
  // kernels.
  CHECK(!device_graph([] { cudaLaunchHostFunc(stream, [](void*) {}, nullptr); }));
  CHECK(!device_graph(
      [&] { cudaMemcpyAsync(data, ones.data(), 64, cudaMemcpyHostToDevice, stream); }));
#ifdef __CUDACC_RDC__
  CHECK(!device_graph([&] { nested<<<1, 1, 0, stream>>>(list); }));
#endif

  // An executable graph that changes is launched as it was uploaded last.
  start();
  cudaGraph_t changing = captured([&] { append<<<1, 1, 0, stream>>>(list, 1); });
  DONE(cudaGraphInstantiate(&graphs[0], changing, cudaGraphInstantiateFlagDeviceLaunch));
  DONE(cudaGraphUpload(graphs[0], stream));
  cudaGraphExecUpdateResultInfo info;
  DONE(cudaGraphExecUpdate(graphs[0], captured([&] { append<<<1, 1, 0, stream>>>(list, 2); }),
                           &info));
  const auto fire = [&] {
    return run([&] {
      launch<<<1, 1, 0, stream>>>(list, 0, graphs, 1, cudaStreamGraphFireAndForget, errors);
    });
  };
  DONE(fire());
  DONE(cudaGraphUpload(graphs[0], stream));
  DONE(fire());
  CHECK(holds(list, {1, 2}));
  std::printf("PASS\n");
  return 0;
}
