#include "cuda/replay/trace_player.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "cuda/objects/stream_executor.h"
#include "trace/kernel_list.h"
#include "trace/model_address.h"
#include "trace/traced_launch.h"

namespace heddle::cuda {

struct TracePlayer::Impl final : StreamHost {
  Impl(const std::string& list, gpu::Device& on, Callbacks given)
      : commands(trace::read_kernel_list(list)), on_device(on), callbacks(std::move(given)) {}

  State proceed();
  void issue(const trace::Command& command);
  std::shared_ptr<gpu::LaunchRequest> request(const trace::TracedLaunch& launch) const;
  void share_kernel(trace::TracedLaunch& launch);

  gpu::Device& device() override { return on_device; }
  gpu::DeviceLimits limits() const override { return {}; }
  void begin_on_device(Id, const gpu::LaunchRequest* launch,
                       const std::function<void()>& begin) override {
    if (launch) callbacks.launch_begins(*launch);
    begin();
  }
  Ran run(Id id, const Operation& operation) override;
  bool is_conditional(Id, const Operation&) override { return false; }
  Id issue_body(const RunningConditional&) override { return 0; }

  std::vector<trace::Command> commands;
  gpu::Device& on_device;
  Callbacks callbacks;
  StreamExecutor executor{*this};
  std::size_t next = 0;  // of the commands
  struct Issued {
    Id id = 0;
    std::shared_ptr<const trace::TracedLaunch> launch;  // null: a copy
  };
  std::vector<Issued> unfinished;
  std::unordered_map<std::uint64_t, std::uint32_t> streams{{0, 0}};  // numbers by handle
  std::unordered_map<Id, const trace::Command*> copies;              // that have not run
  // What awaits the host: a copy, or the oldest kernel when there are many.
  std::optional<StreamExecutor::Wait> awaited;
  // By their text: launches of the same kernel share its code, which caches hold.
  std::unordered_map<std::string, std::shared_ptr<const trace::TracedKernel>> kernels;
};

// The host issues kernels without waiting, and waits for each copy. It is at most as many kernels
// ahead as the GPU runs at once, so that few of them are in memory.
TracePlayer::State TracePlayer::Impl::proceed() {
  for (;;) {
    if (awaited) {
      switch (executor.step(*awaited)) {
        case StreamExecutor::Step::started: continue;
        case StreamExecutor::Step::device: return State::waits;
        case StreamExecutor::Step::stuck:
          report_violation("a traced operation waits for nothing and does not run");
        case StreamExecutor::Step::done: awaited.reset();
      }
    }
    std::erase_if(unfinished, [&](const Issued& i) { return executor.work().finished(i.id); });
    if (next < commands.size() && unfinished.size() <= on_device.concurrent_kernels()) {
      issue(commands[next++]);
      continue;
    }
    if (unfinished.empty()) return State::ended;
    awaited.emplace();
    awaited->id = unfinished.front().id;
  }
}

void TracePlayer::Impl::issue(const trace::Command& command) {
  Operation operation;
  StreamWork::Place place;
  Issued issued;
  if (command.kind == trace::Command::Kind::launch) {
    const std::shared_ptr<trace::TracedLaunch> launch = trace::read_launch(command.file);
    share_kernel(*launch);
    issued.launch = launch;
    const std::shared_ptr<gpu::LaunchRequest> made = request(*launch);
    made->replay = launch.get();
    operation.launch = made;
    place.stream = launch->header().stream;
    place.number =
        streams.try_emplace(place.stream, static_cast<std::uint32_t>(streams.size())).first->second;
    place.queue = place.number % on_device.spec().hardware_queues;
  }
  const Id id = issued.id = executor.issue(place, operation);
  unfinished.push_back(std::move(issued));
  if (command.kind == trace::Command::Kind::launch) return;
  copies[id] = &command;
  awaited.emplace();
  awaited->id = id;
}

void TracePlayer::Impl::share_kernel(trace::TracedLaunch& launch) {
  const auto [known, added] = kernels.try_emplace(launch.kernel()->text, launch.kernel());
  if (!added) return launch.set_kernel(known->second);
  const auto& code = launch.kernel()->instructions;
  if (std::any_of(code.begin(), code.end(),
                  [](const isa::Instruction& i) { return isa::is_opaque(i.space); }))
    callbacks.warn("kernel " + plain_name(launch.kernel()->name) +
                   " reads textures or surfaces, whose addresses traces do not have: it reads "
                   "nothing there");
}

std::shared_ptr<gpu::LaunchRequest> TracePlayer::Impl::request(
    const trace::TracedLaunch& launch) const {
  auto made = std::make_shared<gpu::LaunchRequest>();
  made->kernel = launch.kernel().get();
  made->grid = launch.header().grid;
  made->block = launch.header().block;
  return made;
}

StreamHost::Ran TracePlayer::Impl::run(Id id, const Operation&) {
  const auto found = copies.find(id);
  check_invariant(found != copies.end(), "a traced operation is neither a kernel nor a copy");
  const trace::Command& copy = *found->second;
  copies.erase(found);
  using Direction = gpu::CopyRequest::Direction;
  const bool to_device = copy.kind == trace::Command::Kind::copy_to_device;
  if (to_device)
    on_device.copied_to_device(trace::model_address(copy.address), copy.bytes);
  else
    on_device.copied_from_device(trace::model_address(copy.address), copy.bytes);
  return {cudaSuccess, gpu::CopyRequest{to_device ? Direction::to_device : Direction::from_device,
                                        copy.bytes, true}};
}

TracePlayer::TracePlayer(const std::string& list, gpu::Device& device, Callbacks callbacks)
    : impl_(std::make_unique<Impl>(list, device, std::move(callbacks))) {}
TracePlayer::~TracePlayer() = default;
TracePlayer::State TracePlayer::proceed() { return impl_->proceed(); }
bool TracePlayer::launch_finished(std::uint64_t launch) {
  return impl_->executor.launch_finished(launch);
}
bool TracePlayer::copy_finished(std::uint64_t copy) { return impl_->executor.copy_finished(copy); }

}  // namespace heddle::cuda
