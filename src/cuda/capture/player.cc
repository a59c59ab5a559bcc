#include "cuda/capture/player.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "cuda/capture/effects.h"
#include "cuda/capture/format.h"
#include "cuda/objects/device_calls.h"
#include "cuda/objects/stream_executor.h"
#include "exec/check/guard.h"

namespace heddle::cuda {

struct Player::Impl final : StreamHost {
  Impl(const CaptureFile& capture, gpu::Device& on, PlayerOptions given)
      : content(capture.content()),
        on_device(on),
        options(std::move(given)),
        effects(content, on, options.program) {
    if (!options.kernels) options.kernels = std::make_shared<CapturedKernels>();
  }

  State proceed();
  gpu::Device& device() override { return on_device; }
  std::uint32_t program() const override { return options.program; }
  gpu::DeviceLimits limits() const override { return set_limits; }
  void begin_on_device(Id id, const gpu::LaunchRequest* launch,
                       const std::function<void()>& begin) override;
  Ran run(Id id, const Operation& operation) override;
  bool is_conditional(Id id, const Operation& operation) override;
  Id issue_body(const RunningConditional& node) override;
  bool resumed_at_image(const TakeBranch& branch) const;
  std::size_t first_branch(std::uint64_t recorded) const;
  // The recorded number of an operation that starts; 0: it only waits, and is not recorded.
  std::uint64_t take_recorded(Id id);
  void wait_for(HostWaits::For what, Id id);
  void choose_image();
  // The result of find(), whose errors get the place in the capture.
  template <class Find>
  const isa::Kernel* placed(Find&& find) const;
  std::shared_ptr<const gpu::DeviceGraph> graph_at(std::uint64_t handle);
  void serve_device_calls();
  std::shared_ptr<const gpu::LaunchRequest> request(const CapturedLaunch& launch);
  static gpu::CopyRequest request(const EngineCopy& copy) {
    using Direction = gpu::CopyRequest::Direction;
    return {copy.to_device ? Direction::to_device : Direction::from_device, copy.bytes,
            copy.pageable};
  }
  void add_operation(const IssueOperation& issue);
  StreamWork::Id own(std::uint64_t recorded) const {
    const auto found = own_ids.find(recorded);
    return found == own_ids.end() ? 0 : found->second;
  }
  // The record at the position, which messages name from now on. The position moves to the next.
  Record read(CaptureFile::Content::Position& from) {
    place = from;
    effects.set_place(from);
    return content.read(from);
  }
  [[noreturn]] void fail(const std::string& what) const { content.fail(place, what); }

  void apply(Effect& effect) {
    if (!before_image || changes_layout(effect)) effects.perform(effect);
  }
  void apply(const SetTexture& set);
  void require_texels(const exec::TextureImage& image) const;
  void apply(const SetLimits& set) {
    set_limits = {set.stack_bytes, set.heap_bytes, set.print_bytes, set.pending_launches,
                  set.sync_depth};
  }
  void apply(LoadModule& module);
  void apply(const IssueOperation& issue) {
    if (!before_image || unfinished_at_image.contains(issue.id)) add_operation(issue);
  }
  // Ran when its operation started; before an image, the operation is not issued.
  void apply(RunOperation& run) {
    if (before_image && !unfinished_at_image.contains(run.id))
      for (Effect& effect : run.effects) apply(effect);
  }
  void apply(const HostWaits& wait);
  void apply(const ReadOutput&) {
    if (!before_image && options.host_reads_output) options.host_reads_output();
  }
  void apply(MemoryImage& image);
  void apply(const TakeBranch&) {}  // read when its operation runs
  // What the launches before an image have allocated; other launches do so again.
  void apply(const AllocateForDevice& made) {
    if (before_image) effects.perform(made.allocation);
  }

  const CaptureFile::Content& content;
  gpu::Device& on_device;
  PlayerOptions options;
  EffectPlayer effects;
  exec::TextureTable textures;
  StreamExecutor executor{*this};
  gpu::DeviceLimits set_limits;
  std::size_t modules_loaded = 0;
  std::unordered_map<std::uint64_t, StreamWork::Id> own_ids;       // by recorded number
  std::unordered_map<StreamWork::Id, std::uint64_t> recorded_ids;  // of operations not started
  CaptureFile::Content::Position at;                               // of the next record
  CaptureFile::Content::Position place;                            // of the one that is played
  std::size_t records_read = 0;
  // What the captured host waits for; `all`: until nothing is unfinished.
  std::optional<StreamExecutor::Wait> awaited;
  bool awaits_all = false;
  // A conditional node that runs: its number in the capture, and how many branches were taken.
  struct Branching {
    std::uint64_t recorded = 0;
    std::size_t taken = 0;
  };
  std::map<Id, Branching> branching;
  // While records before the image are read, only the layout of memory changes.
  bool before_image = false;
  std::uint64_t image_launch = 0;
  std::set<std::uint64_t> unfinished_at_image;
  HostWaits last_wait;
};

Player::State Player::Impl::proceed() {
  for (;;) {
    if (awaited) {
      switch (executor.step(*awaited)) {
        case StreamExecutor::Step::started: continue;
        case StreamExecutor::Step::device: return State::waits;
        case StreamExecutor::Step::stuck: fail("the host waits for an operation that cannot run");
        case StreamExecutor::Step::done: break;
      }
      awaited.reset();
      if (awaits_all && !executor.work().empty()) {
        wait_for(HostWaits::For::all, executor.work().oldest());
        continue;
      }
    }
    if (content.at_end(at)) {
      if (executor.work().empty()) return State::ended;
      wait_for(HostWaits::For::all, 0);
    } else {
      Record record = read(at);
      ++records_read;
      std::visit([this](auto& e) { apply(e); }, record);
    }
  }
}

void Player::Impl::wait_for(HostWaits::For what, Id id) {
  awaited.emplace();
  awaited->id = id;
  awaits_all = what == HostWaits::For::all;
}

std::uint64_t Player::Impl::take_recorded(Id id) {
  const auto known = recorded_ids.find(id);
  if (known == recorded_ids.end()) return 0;
  const std::uint64_t recorded = known->second;
  recorded_ids.erase(known);
  return recorded;
}

// Takes the next branch of the node.
StreamHost::Id Player::Impl::issue_body(const RunningConditional& running) {
  Branching& node = branching.at(running.id);
  const auto& branches = content.branches.at(node.recorded);
  if (node.taken < branches.size()) {
    auto position = branches[node.taken++];
    const Record record = read(position);
    const auto& branch = std::get<TakeBranch>(record);
    const bool resumed = resumed_at_image(branch);
    if (!resumed) effects.require_condition(branch);
    for (const IssueOperation& issue : branch.nodes)
      if (!resumed || unfinished_at_image.contains(issue.id)) add_operation(issue);
    const Id end = branch.nodes.empty() ? 0 : own(branch.nodes.back().id);
    if (end != 0) return end;
  }
  if (node.taken < branches.size()) fail("a conditional node takes a branch without a body");
  branching.erase(running.id);
  return 0;
}

// Whether the nodes of the branch were running when the image was taken with which the run begins.
bool Player::Impl::resumed_at_image(const TakeBranch& branch) const {
  return std::any_of(branch.nodes.begin(), branch.nodes.end(), [this](const IssueOperation& node) {
    return unfinished_at_image.contains(node.id);
  });
}

// Of a conditional node that starts: the branch that ran when the image was taken, or the first
// one.
std::size_t Player::Impl::first_branch(std::uint64_t recorded) const {
  if (!unfinished_at_image.contains(recorded)) return 0;
  const auto& branches = content.branches.at(recorded);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    auto position = branches[i];
    const Record record = content.read(position);
    if (resumed_at_image(std::get<TakeBranch>(record))) return i;
  }
  return 0;
}

void Player::Impl::begin_on_device(Id id, const gpu::LaunchRequest* launch,
                                   const std::function<void()>& begin) {
  take_recorded(id);
  if (launch && options.launch_begins) options.launch_begins(*launch);
  if (options.device_runs) options.device_runs(true);
  begin();
  if (options.device_runs) options.device_runs(false);
}

bool Player::Impl::is_conditional(Id id, const Operation&) {
  const auto known = recorded_ids.find(id);
  if (known == recorded_ids.end() || !content.branches.contains(known->second)) return false;
  const std::uint64_t recorded = take_recorded(id);
  branching[id] = {recorded, first_branch(recorded)};
  return true;
}

StreamHost::Ran Player::Impl::run(Id id, const Operation&) {
  const auto run = content.runs.find(take_recorded(id));
  if (run == content.runs.end()) return {};
  auto position = run->second;
  const Record record = read(position);
  const auto& ran = std::get<RunOperation>(record);
  for (const Effect& effect : ran.effects) effects.perform(effect);
  if (!ran.engine_copy) return {};
  return {cudaSuccess, request(*ran.engine_copy)};
}

// What is wrong with a module has a place in it, and one in the capture.
template <class Find>
const isa::Kernel* Player::Impl::placed(Find&& find) const {
  try {
    return find();
  } catch (const UserError& error) {
    const std::string_view what = error.what();
    if (what.starts_with(content.path)) throw;
    fail(std::string(what));
  }
}

void Player::Impl::serve_device_calls() {
  on_device.set_textures(&textures, options.program);
  on_device.set_device_code(
      device_code(on_device,
                  {[this](const isa::Kernel& caller, std::uint64_t address) {
                     return placed(
                         [&] { return options.kernels->kernel_at(content, caller, address); });
                   },
                   [this](const isa::Kernel& of) { return options.kernels->target_of(of); },
                   [this] { return set_limits; },
                   [this](std::uint64_t handle) { return graph_at(handle); }}),
      options.program);
}

std::shared_ptr<const gpu::LaunchRequest> Player::Impl::request(const CapturedLaunch& launch) {
  if (launch.module >= modules_loaded)
    fail(fmt::format("a launch is of module {}, which is not loaded yet", launch.module));
  auto request = std::make_shared<gpu::LaunchRequest>();
  request->program = options.program;
  request->kernel =
      placed([&] { return options.kernels->kernel(content, launch.module, launch.kernel); });
  request->grid = launch.grid;
  request->block = launch.block;
  request->dynamic_shared_bytes = launch.dynamic_shared_bytes;
  request->parameters = launch.parameters;
  request->cooperative = launch.cooperative;
  request->cta_direction = launch.cta_direction;
  if (launch.cluster.count() > 0) request->cluster = launch.cluster;
  const Dim3 cluster = request->cluster_shape();
  if (cluster.count() > exec::kMaxClusterCtas || launch.grid.x % cluster.x ||
      launch.grid.y % cluster.y || launch.grid.z % cluster.z)
    fail("a launch of " + launch.kernel + " cannot be divided into its clusters");
  request->textures = &textures;
  request->graph_launch = launch.graph_launch;
  request->graph = launch.graph;
  if (launch.parameters.size() != request->kernel->parameter_bytes)
    fail("a launch of " + launch.kernel + " has parameters of another size");
  if (launch.block.count() > 1024)
    fail("a block of " + launch.kernel + " has more than 1024 threads");
  if (request->kernel->shared_bytes + std::uint64_t{launch.dynamic_shared_bytes} >
      kSharedBytes.most)
    fail("a block of " + launch.kernel + " has more than 16 MiB of shared memory");
  return request;
}

std::shared_ptr<const gpu::DeviceGraph> Player::Impl::graph_at(std::uint64_t handle) {
  const UploadGraph* const uploaded = effects.graph(handle);
  if (!uploaded) return nullptr;
  auto graph = std::make_shared<gpu::DeviceGraph>();
  graph->handle = handle;
  for (const UploadGraph::Node& node : uploaded->nodes) {
    gpu::DeviceGraph::Node& added = graph->nodes.emplace_back();
    if (node.launch) added.launch = *request(*node.launch);
    added.box = node.box;
    added.after = node.after;
  }
  return graph;
}

void Player::Impl::add_operation(const IssueOperation& issue) {
  std::vector<StreamWork::Id> after;
  for (const std::uint64_t id : issue.after) after.push_back(own(id));
  if (issue.if_unfinished && executor.work().finished(after.front())) return;
  Operation operation;
  if (issue.launch) operation.launch = request(*issue.launch);
  operation.graph_end = issue.graph_end;
  // Nodes of a conditional node's body are in no stream (process/live_host.cc).
  const bool in_body = issue.place.stream == ~std::uint64_t{0};
  const StreamWork::Place place{
      issue.place.stream, issue.place.blocking, issue.place.priority,
      in_body ? StreamWork::kNoQueue : issue.place.number % on_device.spec().hardware_queues,
      issue.place.number};
  const Id id = issue.beside ? executor.issue_beside(place, operation, after)
                             : executor.issue(place, operation, after);
  if (issue.id == 0) return;
  own_ids[issue.id] = id;
  recorded_ids[id] = issue.id;
}

void Player::Impl::require_texels(const exec::TextureImage& image) const {
  const auto last = [](std::uint64_t count) { return std::max<std::uint64_t>(1, count) - 1; };
  const Checked bytes = Checked(last(image.layers)) * image.layer_bytes +
                        Checked(last(image.depth)) * image.slice_bytes +
                        Checked(last(image.height)) * image.pitch_bytes +
                        (Checked(last(image.width)) + 1) * image.format.bytes();
  if (!bytes.at_most(kAddresses.most) ||
      !on_device.memory(options.program).in_image(image.base, *bytes.value()))
    fail(fmt::format("a texture at {:#x} is not inside the device's memory", image.base.value));
}

void Player::Impl::apply(const SetTexture& set) {
  const exec::Texture& texture = set.texture;
  if (texture.bound && texture.kind != exec::HandleKind::sampler) {
    require_texels(texture.image);
    for (const exec::TextureImage& level : texture.smaller) require_texels(level);
  }
  if (textures.size() == set.index) textures.add({});
  *textures.find(exec::TextureTable::kFirstHandle + set.index) = set.texture;
}

void Player::Impl::apply(LoadModule& module) { options.kernels->add(modules_loaded++, module); }

void Player::Impl::apply(const HostWaits& wait) {
  last_wait = wait;
  if (before_image) return;
  const IssuePlace& place = wait.place;
  switch (wait.what) {
    case HostWaits::For::operation: return wait_for(wait.what, own(wait.id));
    case HostWaits::For::stream:
      return wait_for(wait.what, executor.work().wait_target(
                                     {place.stream, place.blocking, place.priority, 0, 0}));
    case HostWaits::For::all: return wait_for(wait.what, 0);
  }
}

void Player::Impl::apply(MemoryImage& image) {
  if (!before_image || image.launch != image_launch) return;
  before_image = false;
  for (const WriteMemory& write : image.contents) effects.perform(write);
  if (!on_device.restore(image.device, options.program))
    fail("the state of the device in the image of its memory is impossible");
  apply(last_wait);  // the image was taken while the host waited
}

// The latest image at or before the launch.
void Player::Impl::choose_image() {
  const std::uint64_t wanted = options.from_launch.value_or(content.info.first_launch);
  if (wanted <= 1) return;
  const auto after = content.images.upper_bound(wanted);
  if (after == content.images.begin()) {
    if (content.info.first_launch == 1) return;
    throw UserError(fmt::format("{}: there is no launch {}: the first one is launch {}",
                                content.path, wanted, content.info.first_launch));
  }
  const auto& [launch, position] = *std::prev(after);
  auto at_image = position;
  const Record record = read(at_image);
  const auto& image = std::get<MemoryImage>(record);
  unfinished_at_image = {image.unfinished.begin(), image.unfinished.end()};
  before_image = true;
  image_launch = launch;
  on_device.skip_launches(launch - 1);
}

Player::Player(const CaptureFile& file, gpu::Device& device, PlayerOptions options)
    : impl_(std::make_unique<Impl>(file, device, std::move(options))) {
  exec::GlobalMemory& memory = device.memory(impl_->options.program);
  if (!memory.live().empty())
    throw UserError(file.path() + ": the device has memory of another program");
  if (memory.capacity_bytes() != file.info().memory_bytes)
    throw UserError(fmt::format("{}: the capture needs a device with {} bytes of memory",
                                file.path(), file.info().memory_bytes));
  memory.shared_pages().detach_host();
  // The addresses are those of the capture.
  memory.keep_apart(file.info().allocations_apart ? exec::kGuardBytes : 0);
  impl_->serve_device_calls();
  impl_->choose_image();
}

Player::~Player() = default;

Player::State Player::proceed() { return impl_->proceed(); }
bool Player::launch_finished(std::uint64_t device_launch) {
  return impl_->executor.launch_finished(device_launch);
}
bool Player::copy_finished(std::uint64_t device_copy) {
  return impl_->executor.copy_finished(device_copy);
}
std::size_t Player::running() const { return impl_->executor.kernels_running(); }
std::size_t Player::records_read() const { return impl_->records_read; }

std::vector<std::uint64_t> Player::unfinished() const {
  std::vector<std::uint64_t> found;
  for (const auto& [recorded, own] : impl_->own_ids)
    if (!impl_->executor.work().finished(own)) found.push_back(recorded);
  std::sort(found.begin(), found.end());
  return found;
}

std::map<std::uint64_t, std::size_t> Player::branches_taken() const {
  std::map<std::uint64_t, std::size_t> taken;
  for (const auto& [id, node] : impl_->branching) taken[node.recorded] = node.taken;
  return taken;
}

}  // namespace heddle::cuda
