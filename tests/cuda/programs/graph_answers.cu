// Graphs beyond building and launching: queries of nodes, disabled nodes, copies of symbols,
// drawings, user objects.
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "check.h"

__device__ int table[8];
__global__ void add(int* cells, int amount) { cells[threadIdx.x] += amount + table[threadIdx.x]; }

static void ok(cudaError_t error, const char* what) { check(error == cudaSuccess, what); }

static int destroyed = 0;
static void CUDART_CB destroy(void* counter) { ++*static_cast<int*>(counter); }

int main() {
  int* cells;
  cudaMalloc(&cells, 8 * sizeof(int));
  const int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int result[8] = {}, back[4] = {}, amount = 10;

  cudaGraph_t graph, inner;
  ok(cudaGraphCreate(&graph, 0), "a graph");
  cudaGraphNode_t clear, fill, kernel, out, symbol, child, record;
  cudaMemsetParams zero{};
  zero.dst = cells, zero.elementSize = 4, zero.width = 8, zero.height = 1;
  ok(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero), "a memset");
  ok(cudaGraphAddMemcpyNodeToSymbol(&fill, graph, nullptr, 0, table, numbers, sizeof numbers, 0,
                                    cudaMemcpyHostToDevice),
     "a copy to a symbol");
  void* arguments[] = {&cells, &amount};
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void*>(add), launch.gridDim = dim3(1), launch.blockDim = dim3(8),
  launch.kernelParams = arguments;
  const cudaGraphNode_t before[] = {clear, fill};
  ok(cudaGraphAddKernelNode(&kernel, graph, before, 2, &launch), "a kernel");
  ok(cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, result, cells, sizeof result,
                              cudaMemcpyDeviceToHost),
     "a copy");
  ok(cudaGraphAddMemcpyNodeFromSymbol(&symbol, graph, &kernel, 1, back, table, sizeof back,
                                      2 * sizeof(int), cudaMemcpyDeviceToHost),
     "a copy from a symbol");
  check(cudaGraphAddMemcpyNodeToSymbol(&fill, graph, nullptr, 0, table, numbers, 64, 0,
                                       cudaMemcpyHostToDevice) == cudaErrorInvalidValue,
        "too large a copy");
  cudaEvent_t first, second, found = nullptr;
  cudaEventCreate(&first);
  cudaEventCreate(&second);
  ok(cudaGraphAddEventRecordNode(&record, graph, &out, 1, first), "an event");
  ok(cudaGraphEventRecordNodeGetEvent(record, &found), "the event's answer");
  check(found == first, "the event");
  ok(cudaGraphEventRecordNodeSetEvent(record, second), "another event");
  cudaGraphEventRecordNodeGetEvent(record, &found);
  check(found == second && cudaGraphEventWaitNodeGetEvent(record, &found) != cudaSuccess,
        "the other event");
  ok(cudaGraphCreate(&inner, 0), "an inner graph");
  cudaGraphNode_t empty;
  cudaGraphAddEmptyNode(&empty, inner, nullptr, 0);
  ok(cudaGraphAddChildGraphNode(&child, graph, &record, 1, inner), "a child");
  cudaGraph_t of_child = nullptr;
  size_t nodes = 0;
  ok(cudaGraphChildGraphNodeGetGraph(child, &of_child), "the child's graph");
  ok(cudaGraphGetNodes(of_child, nullptr, &nodes), "the child's nodes");
  check(nodes == 1 && of_child != inner, "the child");

  cudaKernelNodeAttrValue window{}, stored{};
  window.priority = -3;
  ok(cudaGraphKernelNodeSetAttribute(kernel, cudaKernelNodeAttributePriority, &window),
     "an attribute");
  ok(cudaGraphKernelNodeGetAttribute(kernel, cudaKernelNodeAttributePriority, &stored),
     "the attribute's answer");
  check(stored.priority == -3, "the attribute");

  cudaUserObject_t object;
  ok(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync),
     "an object");
  ok(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), "an object that moves");

  const char* path = "graph_answers.dot";
  ok(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose), "a drawing");
  std::ifstream file(path);
  const std::string drawing{std::istreambuf_iterator<char>(file), {}};
  std::remove(path);
  check(drawing.find("digraph") != std::string::npos && drawing.find("add") != std::string::npos &&
            drawing.find("->") != std::string::npos,
        "the drawing");

  cudaGraphInstantiateParams how{};
  how.flags = cudaGraphInstantiateFlagUseNodePriority;
  cudaGraphExec_t exec;
  ok(cudaGraphInstantiateWithParams(&exec, graph, &how), "an executable graph");
  unsigned long long flags = 0;
  ok(cudaGraphExecGetFlags(exec, &flags), "its flags");
  check(flags == cudaGraphInstantiateFlagUseNodePriority &&
            how.result_out == cudaGraphInstantiateSuccess,
        "the flags");
  const auto run = [&] {
    ok(cudaGraphLaunch(exec, nullptr), "a launch");
    cudaDeviceSynchronize();
  };
  run();
  check(result[0] == 11 && result[7] == 18 && back[0] == 3 && back[3] == 6, "the result");
  unsigned enabled = 0;
  ok(cudaGraphNodeSetEnabled(exec, clear, 0), "a switch");
  ok(cudaGraphNodeGetEnabled(exec, clear, &enabled), "the switch's answer");
  check(enabled == 0, "the switch");
  run();
  check(result[0] == 22 && result[7] == 36, "the result without the memset");
  ok(cudaGraphNodeSetEnabled(exec, clear, 1), "a switch back");
  const int others[8] = {};
  ok(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, fill, table, others, sizeof others, 0,
                                              cudaMemcpyHostToDevice),
     "other numbers");
  run();
  check(result[0] == 10 && result[7] == 10 && back[0] == 0, "the result of other numbers");
  float ms = -1;
  cudaEventRecord(first);
  check(cudaEventElapsedTime(&ms, second, first) == cudaSuccess && ms >= 0, "the event's time");

  ok(cudaGraphDestroy(graph), "an end");
  check(destroyed == 0, "an object that the executable graph keeps");
  ok(cudaGraphExecDestroy(exec), "the last end");
  cudaDeviceSynchronize();
  check(destroyed == 1, "the object's end");
  return report();
}
