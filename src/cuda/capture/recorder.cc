#include "cuda/capture/recorder.h"

namespace heddle::cuda {
namespace {

IssuePlace record_of(const StreamWork::Place& place) {
  return {place.stream, place.blocking, place.priority, place.number};
}

}  // namespace

Recorder::Recorder(const std::string& path, CaptureInfo info, exec::GlobalMemory& memory,
                   const exec::TextureTable& textures)
    : sink_(path), memory_(memory, sink_), textures_(textures), info_(std::move(info)) {}

void Recorder::loads(const void* group, const LoadedModule& module) {
  LoadModule record;
  for (const auto& [name, text] : module.texts)
    record.texts.emplace_back(
        name, sink_.store(reinterpret_cast<const std::uint8_t*>(text->data()), text->size()));
  record.addresses = module.addresses;
  record.kernels = module.kernels;
  modules_.emplace(group, static_cast<std::uint32_t>(modules_.size()));
  sink_.add(std::move(record));
}

void Recorder::lowers(const void* group, const std::string& name, const isa::Kernel* kernel) {
  kernels_[kernel] = {modules_.at(group), name};
}

void Recorder::issued(const Issued& issued) {
  const Operation& operation = issued.operation;
  IssueOperation record{
      issued.id, record_of(issued.place), issued.beside, issued.if_unfinished, issued.after,
      {},        operation.graph_end};
  if (operation.launch) record.launch = captured(*operation.launch);
  // The bodies of a conditional node have launches, and graphs may follow a graph.
  if (operation.launch || operation.branches || operation.graph_end) launches_.insert(issued.id);
  if (branch_)
    branch_->nodes.push_back(std::move(record));
  else
    sink_.add(std::move(record));
}

void Recorder::wait_begins(const HostWait& wait, const StreamWork& work,
                           const gpu::DeviceLimits& limits, bool overlaps) {
  std::erase_if(launches_, [&](Id id) { return work.finished(id); });
  memory_.host_writes().set_words(overlaps);
  if (!launches_.empty()) {
    memory_.host_writes().kernels_begin();
    record_textures();
    record_limits(limits);
  }
  sink_.add(HostWaits{static_cast<HostWaits::For>(wait.what), wait.id, record_of(wait.place)});
}

void Recorder::branch_begins(Id id, Address condition, std::uint32_t value) {
  branch_ = TakeBranch{id, condition, value, {}};
}

void Recorder::branch_issued() {
  TakeBranch branch = std::move(*branch_);
  branch_.reset();
  sink_.add(std::move(branch));
}

void Recorder::host_function_begins() {
  memory_.host_writes().host_function_begins();
  sink_.set_in_host_function(true);
}

void Recorder::host_function_ended() {
  sink_.set_in_host_function(false);
  memory_.host_writes().host_function_ended();
}

CapturedLaunch Recorder::captured(const gpu::LaunchRequest& launch) const {
  const auto& [module, name] = kernels_.at(launch.kernel);
  return {module,
          name,
          launch.grid,
          launch.block,
          launch.dynamic_shared_bytes,
          launch.parameters,
          launch.cooperative,
          launch.cta_direction,
          launch.graph_launch,
          launch.graph,
          launch.cluster.value_or(Dim3{0, 0, 0})};
}

void Recorder::uploads(const gpu::DeviceGraph& graph) {
  UploadGraph record{graph.handle, true, {}};
  for (const gpu::DeviceGraph::Node& node : graph.nodes) {
    UploadGraph::Node& added = record.nodes.emplace_back();
    if (node.launch) added.launch = captured(*node.launch);
    added.box = node.box;
    added.after = node.after;
  }
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(record);
  if (known_graphs_[graph.handle] == bytes) return;
  known_graphs_[graph.handle] = std::move(bytes);
  sink_.add_effect(std::move(record));
}

void Recorder::forgets_graph(std::uint64_t handle) {
  known_graphs_.erase(handle);
  sink_.add_effect(UploadGraph{handle, false, {}});
}

void Recorder::notifies_allocation(Address address, std::uint64_t bytes) {
  sink_.add_effect(NotifyAllocation{address, bytes});
}

void Recorder::finish(std::uint64_t launches, std::uint64_t elapsed_times) {
  info_.launches = launches;
  info_.elapsed_times = elapsed_times;
  sink_.finish(info_);
}

void Recorder::record_textures() {
  for (std::uint32_t index = 0;; ++index) {
    const exec::Texture* const texture = textures_.find(exec::TextureTable::kFirstHandle + index);
    if (!texture) return;
    const SetTexture record{index, *texture};
    Bytes bytes;
    Encoder encoder(bytes);
    encoder(record);
    if (index == known_textures_.size()) known_textures_.emplace_back();
    if (known_textures_[index] == bytes) continue;
    known_textures_[index] = std::move(bytes);
    sink_.add(record);
  }
}

void Recorder::record_limits(const gpu::DeviceLimits& limits) {
  if (known_limits_ == limits) return;
  known_limits_ = limits;
  sink_.add(SetLimits{limits.stack_bytes, limits.heap_bytes, limits.print_bytes,
                      limits.pending_launches, limits.sync_depth});
}

}  // namespace heddle::cuda
