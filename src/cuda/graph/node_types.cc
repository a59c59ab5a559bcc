#include "cuda/graph/node_types.h"

#include <algorithm>
#include <iterator>

#include "cuda/graph/allocations.h"
#include "cuda/graph/conditions.h"
#include "cuda/operations/launches.h"
#include "cuda/operations/submit.h"
#include "cuda/operations/transfers.h"

namespace heddle::cuda {
namespace {

using Params = cudaGraphNodeParams;

cudaError_t make_kernel(Session& session, const NodePlace&, const Params& p, Operation& operation) {
  return kernel_operation(session, session.program().kernel(p.kernel.func), p.kernel, operation);
}
void read_kernel(const Operation& operation, Params& p) { p.kernel = operation.kernel; }

cudaError_t make_copy(Session&, const NodePlace&, const Params& p, Operation& operation) {
  operation = copy_operation("a graph's copy", p.memcpy.copyParams);
  return cudaSuccess;
}
void read_copy(const Operation& operation, Params& p) { p.memcpy.copyParams = operation.copy; }

cudaError_t make_fill(Session&, const NodePlace&, const Params& p, Operation& operation) {
  operation = fill_operation("a graph's memset", p.memset);
  return cudaSuccess;
}
void read_fill(const Operation& operation, Params& p) { p.memset = operation.fill; }

cudaError_t make_host(Session&, const NodePlace&, const Params& p, Operation& operation) {
  if (!p.host.fn) return cudaErrorInvalidValue;
  operation = host_operation(p.host);
  return cudaSuccess;
}
void read_host(const Operation& operation, Params& p) { p.host = operation.host_params; }

cudaError_t make_child(Session& session, const NodePlace&, const Params& p, Operation& operation) {
  const auto inner = session.graphs.find(p.graph.graph);
  if (!inner) return cudaErrorInvalidValue;
  operation.child = clone(*inner).first;
  return cudaSuccess;
}
void read_child(const Operation& operation, Params& p) {
  p.graph.graph = reinterpret_cast<cudaGraph_t>(operation.child.get());
}

cudaError_t make_empty(Session&, const NodePlace&, const Params&, Operation&) {
  return cudaSuccess;
}

cudaError_t make_wait(Session&, const NodePlace&, const Params& p, Operation& operation) {
  operation = event_operation(cudaGraphNodeTypeWaitEvent, p.eventWait.event);
  return cudaSuccess;
}
void read_wait(const Operation& operation, Params& p) { p.eventWait.event = operation.event; }

cudaError_t make_record(Session&, const NodePlace&, const Params& p, Operation& operation) {
  operation = event_operation(cudaGraphNodeTypeEventRecord, p.eventRecord.event);
  return cudaSuccess;
}
void read_record(const Operation& operation, Params& p) { p.eventRecord.event = operation.event; }

cudaError_t make_allocation(Session& session, const NodePlace& at, const Params& p,
                            Operation& operation) {
  std::vector<GraphNode*> needs;
  if (!find_dependencies(session.graphs, at, needs)) return cudaErrorInvalidValue;
  return allocation_operation(session.graphs.memory, session.device().memory(), *at.graph, needs,
                              p.alloc.bytesize, operation);
}
void read_allocation(const Operation& operation, Params& p) {
  p.alloc = {};
  p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  p.alloc.dptr = operation.block->address;
  p.alloc.bytesize = operation.block->bytes;
}
void return_address(const Operation& operation, Params& p) {
  p.alloc.dptr = operation.block->address;
}

cudaError_t make_free(Session& session, const NodePlace& at, const Params& p,
                      Operation& operation) {
  return free_operation(session.graphs.memory, *at.graph, "cudaGraphAddMemFreeNode", p.free.dptr,
                        operation);
}
void read_free(const Operation& operation, Params& p) { p.free.dptr = operation.block->address; }

cudaError_t make_conditional(Session&, const NodePlace& at, const Params& p, Operation& operation) {
  return conditional_operation(*at.graph, p.conditional, operation);
}
void return_bodies(const Operation& operation, Params& p) {
  p.conditional.phGraph_out = operation.branches->handles.data();
}

constexpr NodeType kTypes[] = {
    {cudaGraphNodeTypeKernel, "KERNEL", true, make_kernel, read_kernel, nullptr},
    {cudaGraphNodeTypeMemcpy, "MEMCPY", true, make_copy, read_copy, nullptr},
    {cudaGraphNodeTypeMemset, "MEMSET", true, make_fill, read_fill, nullptr},
    {cudaGraphNodeTypeHost, "HOST", true, make_host, read_host, nullptr},
    {cudaGraphNodeTypeGraph, "GRAPH", false, make_child, read_child, nullptr},
    {cudaGraphNodeTypeEmpty, "EMPTY", false, make_empty, nullptr, nullptr},
    {cudaGraphNodeTypeWaitEvent, "EVENT_WAIT", false, make_wait, read_wait, nullptr},
    {cudaGraphNodeTypeEventRecord, "EVENT_RECORD", false, make_record, read_record, nullptr},
    {cudaGraphNodeTypeMemAlloc, "MEM_ALLOC", false, make_allocation, read_allocation,
     return_address},
    {cudaGraphNodeTypeMemFree, "MEM_FREE", false, make_free, read_free, nullptr},
    {cudaGraphNodeTypeConditional, "EMPTY", false, make_conditional, nullptr, return_bodies},
};

}  // namespace

bool find_dependencies(const Graphs& graphs, const NodePlace& at, std::vector<GraphNode*>& needs) {
  if (at.count && !at.dependencies) return false;
  for (std::size_t i = 0; i < at.count; ++i) {
    GraphNode* const need = graphs.find_node(at.dependencies[i]);
    if (!need || need->graph != at.graph) return false;
    needs.push_back(need);
  }
  return true;
}

const NodeType* find_node_type(cudaGraphNodeType type) {
  const NodeType* const found =
      std::find_if(std::begin(kTypes), std::end(kTypes),
                   [type](const NodeType& known) { return known.type == type; });
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace heddle::cuda
