#include "cuda/graph/device_graphs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cuda/objects/handles.h"
#include "cuda/operations/transfers.h"

namespace heddle::cuda {
namespace {

// The device address of memory that the device reaches; none for pageable memory.
std::optional<std::uint64_t> device_side(Session& session, const void* pointer) {
  const Address address = device_address(pointer);
  if (session.device().memory().valid(address, 1)) return address.value;
  const HostMemory::Found found = session.memory.host.find(pointer);
  return found.block ? std::optional(found.device_address().value) : std::nullopt;
}

const std::uint8_t* corner(const cudaPitchedPtr& side, const cudaPos& at, std::size_t slice) {
  return static_cast<const std::uint8_t*>(side.ptr) + at.z * slice + at.y * side.pitch + at.x;
}

std::size_t slice_of(const cudaPitchedPtr& side, const cudaExtent& extent) {
  return side.pitch * (side.ysize ? side.ysize : extent.height);
}

// Of device memory and of page-locked memory only.
bool box_of_copy(Session& session, const cudaMemcpy3DParms& p, gpu::MemoryBox& box) {
  if (p.srcArray || p.dstArray) return false;
  box.from_slice = slice_of(p.srcPtr, p.extent), box.to_slice = slice_of(p.dstPtr, p.extent);
  const auto from = device_side(session, corner(p.srcPtr, p.srcPos, box.from_slice));
  const auto to = device_side(session, corner(p.dstPtr, p.dstPos, box.to_slice));
  if (!from || !to) return false;
  box.from = *from, box.from_pitch = p.srcPtr.pitch;
  box.to = *to, box.to_pitch = p.dstPtr.pitch;
  box.width = p.extent.width, box.height = p.extent.height, box.depth = p.extent.depth;
  return true;
}

bool box_of_fill(Session& session, const cudaMemsetParams& p, gpu::MemoryBox& box) {
  const auto to = device_side(session, p.dst);
  const auto width = row_bytes(p);
  if (!to || !width) return false;
  box.to = *to, box.to_pitch = p.pitch;
  box.width = *width, box.height = p.height;
  box.value = p.elementSize == 1 ? (p.value & 0xff) : p.value;
  box.element_bytes = p.elementSize;
  return true;
}

class Builder {
 public:
  Builder(Session& session, gpu::DeviceGraph& graph) : session_(session), graph_(graph) {}
  bool unsupported = false;  // a node was

  // Adds the nodes, which wait for `after` as well. The nodes that nothing in the graph waits for;
  // if there are none, `after`.
  std::vector<std::size_t> add(const std::vector<GraphNode*>& order,
                               const std::vector<std::size_t>& after) {
    std::map<const GraphNode*, std::vector<std::size_t>> ends;
    std::vector<std::size_t> all;
    for (const GraphNode* node : order) {
      std::vector<std::size_t> before =
          node->dependencies.empty() ? after : std::vector<std::size_t>{};
      for (const GraphNode* need : node->dependencies)
        before.insert(before.end(), ends[need].begin(), ends[need].end());
      ends[node] = add(*node, before);
      all.insert(all.end(), ends[node].begin(), ends[node].end());
      if (unsupported) return {};
    }
    return order.empty() ? after : all;
  }

 private:
  std::vector<std::size_t> add(const GraphNode& node, const std::vector<std::size_t>& before) {
    const Operation& operation = node.operation;
    if (!node.enabled) return before;
    if (operation.type == cudaGraphNodeTypeGraph) return add(operation.child->order(), before);
    gpu::DeviceGraph::Node added;
    added.after = before;
    bool supported = false;
    if (operation.launch) {
      // Launches from kernels and device graphs exclude each other in CUDA.
      supported = !operation.launch->kernel->launches_kernels;
      added.launch = *operation.launch;
      added.launch->graph = graph_.handle;
    } else if (operation.type == cudaGraphNodeTypeMemcpy) {
      supported = box_of_copy(session_, operation.copy, added.box);
    } else if (operation.type == cudaGraphNodeTypeMemset) {
      supported = box_of_fill(session_, operation.fill, added.box);
    }
    unsupported |= !supported;
    graph_.nodes.push_back(std::move(added));
    return {graph_.nodes.size() - 1};
  }

  Session& session_;
  gpu::DeviceGraph& graph_;
};

}  // namespace

bool launches_graphs(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    const Operation& operation = node->operation;
    if (operation.launch && operation.launch->kernel->launches_graphs) return true;
    const auto inner = inner_graphs(operation);
    return std::any_of(inner.begin(), inner.end(),
                       [](const auto& one) { return launches_graphs(*one); });
  });
}

cudaError_t upload_operation(Session& session, const GraphExec& exec, Operation& upload) {
  auto graph = std::make_shared<gpu::DeviceGraph>();
  graph->handle = handle_of(&exec);
  Builder builder(session, *graph);
  builder.add(exec.order, {});
  if (builder.unsupported) return cudaErrorNotSupported;
  upload.run = [graph = std::shared_ptr<const gpu::DeviceGraph>(std::move(graph))](Session& s) {
    s.graphs.uploaded[graph->handle] = graph;
    if (Recorder* const recorder = s.recorder()) recorder->uploads(*graph);
    return cudaSuccess;
  };
  return cudaSuccess;
}

void forget_upload(Session& session, const GraphExec& exec) {
  const std::uint64_t handle = handle_of(&exec);
  if (session.graphs.uploaded.erase(handle) == 0) return;
  if (Recorder* const recorder = session.recorder()) recorder->forgets_graph(handle);
}

}  // namespace heddle::cuda
