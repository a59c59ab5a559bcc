// Conditional nodes of graphs: if, else, while, switch, and nested ones.
#include <cuda_runtime.h>

#include "check.h"

__global__ void choose(cudaGraphConditionalHandle handle, const int* value) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}
__global__ void add(int* sum, int by) { *sum += by; }
__global__ void count_down(cudaGraphConditionalHandle handle, int* left, int* rounds) {
  ++*rounds;
  cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void fire(cudaGraphExec_t graph, int* error) {
  *error = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t* after, void* function,
                                   void** arguments) {
  cudaKernelNodeParams p{};
  p.func = function;
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  OK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &p));
  return node;
}

struct Conditional {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t* bodies = nullptr;
};
static Conditional conditional_node(cudaGraph_t graph, cudaGraphNode_t* after,
                                    cudaGraphConditionalHandle handle,
                                    cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  Conditional made;
  OK(cudaGraphAddNode(&made.node, graph, after, nullptr, after ? 1 : 0, &p));
  made.bodies = p.conditional.phGraph_out;
  return made;
}

static int* number(int value) {
  int* p = nullptr;
  cudaMallocManaged(&p, sizeof *p);
  *p = value;
  return p;
}

static void run(cudaGraphExec_t exec) {
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaDeviceSynchronize());
}

static void check_branches() {
  int *value = number(0), *sum = number(0);
  for (unsigned bodies : {1u, 2u}) {
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph));
    void* choice[] = {&handle, &value};
    cudaGraphNode_t first = kernel_node(graph, nullptr, reinterpret_cast<void*>(choose), choice);
    const Conditional either = conditional_node(graph, &first, handle, cudaGraphCondTypeIf, bodies);
    int one = 1, hundred = 100;
    void *yes[] = {&sum, &one}, *no[] = {&sum, &hundred};
    kernel_node(either.bodies[0], nullptr, reinterpret_cast<void*>(add), yes);
    if (bodies == 2) kernel_node(either.bodies[1], nullptr, reinterpret_cast<void*>(add), no);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int v : {0, 1, 7, 0}) *value = v, run(exec);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    EXPECT(*sum == (bodies == 1 ? 2 : 2 + 2 + 200));
  }
}

static void check_switch() {
  int *value = number(0), *sum = number(0);
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph));
  void* choice[] = {&handle, &value};
  cudaGraphNode_t first = kernel_node(graph, nullptr, reinterpret_cast<void*>(choose), choice);
  const Conditional among = conditional_node(graph, &first, handle, cudaGraphCondTypeSwitch, 3);
  int steps[] = {1, 10, 100};
  for (int i = 0; i < 3; ++i) {
    void* arguments[] = {&sum, &steps[i]};
    kernel_node(among.bodies[i], nullptr, reinterpret_cast<void*>(add), arguments);
  }
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int v : {2, 1, 3, 2, 0}) *value = v, run(exec);
  EXPECT(*sum == 211);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// A loop whose kernel sets its condition; the launch sets the initial value. The loop contains a
// branch that is always taken.
static void check_loop() {
  int *left = number(5), *rounds = number(0), *sum = number(0);
  cudaGraph_t graph;
  cudaGraphConditionalHandle loop, always;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
  const Conditional repeat = conditional_node(graph, nullptr, loop, cudaGraphCondTypeWhile, 1);
  OK(cudaGraphConditionalHandleCreate(&always, repeat.bodies[0], 1, cudaGraphCondAssignDefault));
  void* arguments[] = {&loop, &left, &rounds};
  cudaGraphNode_t step =
      kernel_node(repeat.bodies[0], nullptr, reinterpret_cast<void*>(count_down), arguments);
  const Conditional inner =
      conditional_node(repeat.bodies[0], &step, always, cudaGraphCondTypeIf, 1);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  OK(cudaStreamBeginCaptureToGraph(stream, inner.bodies[0], nullptr, nullptr, 0,
                                   cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(sum, 3);
  cudaGraph_t captured = nullptr;
  OK(cudaStreamEndCapture(stream, &captured));
  EXPECT(captured == inner.bodies[0]);
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  run(exec);
  EXPECT(*rounds == 5 && *sum == 15 && *left == 0);
  *left = 2;
  run(exec);
  EXPECT(*rounds == 7 && *sum == 21);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(repeat.node, &type));
  EXPECT(type == cudaGraphNodeTypeConditional);
  cudaStreamDestroy(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// A node is added explicitly to a capture: nodes that are captured later depend on it.
static void check_capture() {
  int *left = number(3), *rounds = number(0), *sum = number(0);
  cudaStream_t stream, inside;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&inside);
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, nullptr));
  cudaGraphConditionalHandle handle;
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  Conditional loop = conditional_node(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
  OK(cudaStreamUpdateCaptureDependencies(stream, &loop.node, nullptr, 1,
                                         cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, stream>>>(sum, 4);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCaptureToGraph(inside, loop.bodies[0], nullptr, nullptr, 0,
                                   cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, inside>>>(handle, left, rounds);
  OK(cudaStreamEndCapture(inside, nullptr));
  cudaGraphNode_t from, to;
  size_t edges = 1;
  OK(cudaGraphGetEdges(graph, &from, &to, nullptr, &edges));
  EXPECT(edges == 1 && from == loop.node);
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  run(exec);
  EXPECT(*rounds == 3 && *sum == 4);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(inside);
}

// A kernel in a body launches a graph, which is complete when the whole graph is.
static void check_launch_in_a_body() {
  int *sum = number(0), *error = number(-1), by = 3;
  cudaGraph_t fired, graph;
  cudaGraphExec_t device_graph, exec;
  OK(cudaGraphCreate(&fired, 0));
  void* to_add[] = {&sum, &by};
  kernel_node(fired, nullptr, (void*)add, to_add);
  OK(cudaGraphInstantiate(&device_graph, fired, cudaGraphInstantiateFlagDeviceLaunch));
  OK(cudaGraphUpload(device_graph, nullptr));
  cudaGraphConditionalHandle handle;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  const Conditional if_set = conditional_node(graph, nullptr, handle, cudaGraphCondTypeIf, 1);
  void* to_fire[] = {&device_graph, &error};
  kernel_node(if_set.bodies[0], nullptr, (void*)fire, to_fire);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  run(exec);
  EXPECT(*error == cudaSuccess && *sum == 3);
  run(exec);
  EXPECT(*error == cudaSuccess && *sum == 6);
}

static void check_mistakes() {
  cudaGraph_t graph, other;
  cudaGraphConditionalHandle handle;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphCreate(&other, 0));
  OK(cudaGraphConditionalHandleCreate(&handle, graph));
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 2;
  cudaGraphNode_t node;
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p) == cudaErrorInvalidValue);
  p.conditional.size = 1;
  EXPECT(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &p) == cudaErrorInvalidValue);
  EXPECT(cudaGraphConditionalHandleCreate(nullptr, graph) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaGraphDestroy(graph);
  cudaGraphDestroy(other);
}

int main() {
  check_branches();
  check_switch();
  check_loop();
  check_capture();
  check_launch_in_a_body();
  check_mistakes();
  return report();
}
