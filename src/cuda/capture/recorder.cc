#include "cuda/capture/recorder.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/diagnostics.h"

namespace heddle::cuda {

Recorder::Recorder(const std::string& path, CaptureInfo info, exec::GlobalMemory& memory,
                   const exec::TextureTable& textures)
    : memory_(memory), textures_(textures), info_(std::move(info)), writer_(path) {
  memory_.set_observer(this);
}

Recorder::~Recorder() { memory_.set_observer(nullptr); }

void Recorder::refuse(const std::string& what) {
  throw UserError("this program cannot be captured: " + what);
}

void Recorder::add(const Record& record) {
  if (in_host_function_) refuse("it calls CUDA while one of its host functions runs");
  changed_ = true;
  output_read_ = std::holds_alternative<ReadOutput>(record);
  writer_.add(record);
}

void Recorder::add_effect(Effect effect) {
  if (!running_.empty())
    running_.back().effects.push_back(std::move(effect));
  else
    add(std::move(effect));
}

void Recorder::loads(const void* group, const LoadedModule& module) {
  LoadModule record;
  for (const auto& [name, text] : module.texts)
    record.texts.emplace_back(
        name, writer_.store(reinterpret_cast<const std::uint8_t*>(text->data()), text->size()));
  record.addresses = module.addresses;
  record.kernels = module.kernels;
  modules_.emplace(group, static_cast<std::uint32_t>(modules_.size()));
  add(std::move(record));
}

void Recorder::lowers(const void* group, const std::string& name, const ptx::Kernel* kernel) {
  kernels_[kernel] = {modules_.at(group), name};
}

void Recorder::reads_output() {
  if (!output_read_ && running_.empty() && !in_host_function_) add(ReadOutput{});
}

void Recorder::issues(StreamWork::Id id, const StreamWork::Place& place, const Operation& operation,
                      const std::vector<StreamWork::Id>& after, bool beside, bool if_unfinished) {
  IssueOperation record{id,
                        {place.stream, place.blocking, place.priority, place.number},
                        beside,
                        if_unfinished,
                        after,
                        {},
                        operation.graph_end};
  if (operation.launch) record.launch = captured(*operation.launch);
  // The bodies of a conditional node have launches, and graphs may follow a graph.
  if (operation.launch || operation.branches || operation.graph_end) launches_.insert(id);
  if (branch_)
    branch_->nodes.push_back(std::move(record));
  else
    add(std::move(record));
}

void Recorder::waits(const HostWaits& wait, const StreamWork& work, const gpu::DeviceLimits& limits,
                     bool words) {
  std::erase_if(launches_, [&](StreamWork::Id id) { return work.finished(id); });
  words_ = words;
  if (!launches_.empty()) {
    compare_all(true);
    record_textures();
    record_limits(limits);
    device_runs_ = true;
  }
  add(wait);
}

void Recorder::waited() {
  if (device_runs_) compare_all(false);
  device_runs_ = false;
}

void Recorder::operation_begins(StreamWork::Id id) { running_.push_back({id, {}, {}}); }

void Recorder::operation_ended(const std::optional<gpu::CopyRequest>& copy) {
  RunOperation run = std::move(running_.back());
  running_.pop_back();
  if (copy)
    run.engine_copy = {copy->direction == gpu::CopyRequest::Direction::to_device, copy->pageable,
                       copy->bytes};
  if (!run.effects.empty() || copy) add(std::move(run));
}

void Recorder::takes_branch(StreamWork::Id id, Address condition, std::uint32_t value) {
  branch_ = TakeBranch{id, condition, value, {}};
}

void Recorder::branch_taken() {
  TakeBranch branch = std::move(*branch_);
  branch_.reset();
  add(std::move(branch));
}

void Recorder::host_function_begins() {
  compare_all(!device_runs_);
  in_host_function_ = true;
}

void Recorder::host_function_ended() {
  in_host_function_ = false;
  compare_all(true);
}

void Recorder::copies(const Transfer& transfer) {
  Placement to = transfer.to, from = transfer.from;
  const Region& region = transfer.region;
  bool reaches_to = transfer.to_device, reaches_from = transfer.from_device;
  if (!reaches_to)
    if (const auto shared = on_device(to, region)) to = *shared, reaches_to = true;
  if (!reaches_from)
    if (const auto shared = on_device(from, region)) from = *shared, reaches_from = true;
  if (reaches_from) compare_part(from, region, true);
  if (reaches_to) compare_part(to, region, true);
  if (reaches_to && reaches_from) {
    CopyMemory copy{to, from, region, transfer.to_device, transfer.from_device, 0};
    if (copy.from_device && !copy.to_device) {
      const auto data = data_of(from, region, false);
      copy.hash = hash_of(data.data(), data.size());
    }
    add_effect(copy);
  } else if (reaches_to) {
    const auto data = data_of(from, region, true);
    add_effect(
        WriteMemory{to, region, writer_.store(data.data(), data.size()), transfer.to_device});
  } else if (transfer.from_device) {
    const auto data = data_of(from, region, false);
    add_effect(ReadMemory{from, region, hash_of(data.data(), data.size())});
  }
}

void Recorder::copied(const Transfer& transfer) {
  const auto to =
      transfer.to_device ? std::optional(transfer.to) : on_device(transfer.to, transfer.region);
  if (to) compare_part(*to, transfer.region, false);
}

void Recorder::fills(const FillMemory& fill) {
  compare_part(fill.to, fill.region, true);
  add_effect(fill);
}

void Recorder::filled(const FillMemory& fill) { compare_part(fill.to, fill.region, false); }

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
          launch.graph};
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
  add_effect(std::move(record));
}

void Recorder::forgets_graph(std::uint64_t handle) {
  known_graphs_.erase(handle);
  add_effect(UploadGraph{handle, false, {}});
}

void Recorder::notifies_allocation(Address address, std::uint64_t bytes) {
  add_effect(NotifyAllocation{address, bytes});
}

void Recorder::finish(std::uint64_t launches, std::uint64_t elapsed_times) {
  if (!changed_) return;
  changed_ = false;
  info_.launches = launches;
  info_.elapsed_times = elapsed_times;
  writer_.finish(info_);
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
    add(record);
  }
}

void Recorder::record_limits(const gpu::DeviceLimits& limits) {
  if (known_limits_ == limits) return;
  known_limits_ = limits;
  add(SetLimits{limits.stack_bytes, limits.heap_bytes, limits.print_bytes, limits.pending_launches,
                limits.sync_depth});
}

void Recorder::allocated(const exec::Allocation& allocation, Address address) {
  if (in_device_) return;
  using Kind = AllocateMemory::Kind;
  AllocateMemory record{allocation.variable ? Kind::variable : Kind::device, address,
                        allocation.bytes, 0, allocation.what};
  if (allocation.shared_with_host || allocation.adopted) {
    record.kind = allocation.adopted ? Kind::adopted : Kind::shared;
    record.offset = address - allocation.base;
    record.bytes -= record.offset;
    const std::uint64_t host = allocation.adopted
                                   ? reinterpret_cast<std::uint64_t>(allocation.adopted)
                                   : allocation.base.value;
    shared_.erase(allocation.base.value);
    Shared& shared = shared_[allocation.base.value];
    shared.host = host;
    shared.allocation = allocation;
    shared.known.reserve(allocation.bytes);
  }
  add_effect(record);
}

void Recorder::freed(Address base) {
  shared_.erase(base.value);
  if (!in_device_) add_effect(FreeMemory{base});
}

void Recorder::change_mapping(const ChangeMapping& change) {
  if (!in_device_) add_effect(change);
}
void Recorder::reserved(Address base, std::uint64_t bytes, std::uint64_t align) {
  change_mapping({ChangeMapping::Act::reserve, base, bytes, align, 0, 0});
}
void Recorder::released(Address base, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::release, base, bytes, 0, 0, 0});
}
void Recorder::created(std::uint64_t place, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::create, {}, bytes, 0, place, 0});
}
void Recorder::ended(std::uint64_t place) {
  change_mapping({ChangeMapping::Act::end, {}, 0, 0, place, 0});
}
void Recorder::mapped(Address base, std::uint64_t bytes, std::uint64_t place,
                      std::uint64_t offset) {
  change_mapping({ChangeMapping::Act::map, base, bytes, 0, place, offset});
}
void Recorder::unmapped(Address base, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::unmap, base, bytes, 0, 0, 0});
}
void Recorder::allowed(Address base, std::uint64_t bytes, bool access) {
  change_mapping(
      {access ? ChangeMapping::Act::allow : ChangeMapping::Act::forbid, base, bytes, 0, 0, 0});
}

void Recorder::written(Address address, std::uint64_t bytes) {
  if (!shared_at(address)) add_write(address, memory_.host(address), bytes);
}

}  // namespace heddle::cuda
