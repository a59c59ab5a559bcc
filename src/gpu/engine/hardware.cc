#include "gpu/engine/hardware.h"

#include <algorithm>
#include <utility>

namespace heddle::gpu {

std::uint32_t l1_lines(const config::GpuSpec& spec) {
  return static_cast<std::uint32_t>(spec.sm.l1d.size_bytes / std::max(1u, spec.sm.l1d.line_bytes));
}

namespace {

sched::PolicyContext policy_context(const config::GpuSpec& spec, std::uint64_t seed,
                                    std::shared_ptr<sched::SharedState> in_gpu) {
  sched::PolicyContext context;
  context.schedulers = static_cast<int>(spec.sm.schedulers);
  context.warp_slots = static_cast<int>(spec.sm.max_warps());
  context.seed = seed;
  context.in_sm = std::make_shared<sched::SharedState>();
  context.in_gpu = std::move(in_gpu);
  context.l1_line_bytes = std::max(1u, spec.sm.l1d.line_bytes);
  context.l1_lines = l1_lines(spec);
  if (spec.sm.flow.schedulers_run_without_warps)
    context.cycles_before_ctas = spec.kernel_launch_latency;
  return context;
}

}  // namespace

// A global atomic acts on memory when its packet reaches the L2 slice, through the source that
// issued it. Its kernel runs, because it waits for the reply.
class Hardware::Atomics final : public mem::AtomicUnit {
 public:
  explicit Atomics(const RunningKernels& running) : running_(running) {}
  void perform(const mem::Packet& packet) override {
    running_.numbered(static_cast<int>(packet.origin.kernel))
        ->sources[packet.origin.sm]
        ->perform_atomic(packet.atomic, packet.lanes);
  }

 private:
  const RunningKernels& running_;
};

Hardware::Hardware(const config::GpuSpec& spec, const sched::Policy& warps, std::uint64_t seed,
                   const RunningKernels& running, mem::SmPort::Sides sides)
    : spec_(spec), policy_(warps), atomics_(std::make_unique<Atomics>(running)) {
  const int sms = static_cast<int>(spec.sms());
  const config::NetworkSpec& network = spec.network;
  const bool counts_flits = network.injection_flits > 0;
  const bool exact = network.topology == config::Topology::router;
  for (int i = 0; i < sms; ++i) {
    owned_ports_.push_back(std::make_unique<mem::SmPort>(
        (exact ? 1 : 2) * (counts_flits ? network.injection_flits : network.injection_packets),
        network.ejection_packets, sides, counts_flits ? network.flit_bytes : 0));
    ports_.push_back(owned_ports_.back().get());
  }
  memory_ = std::make_unique<mem::MemorySystem>(spec_, ports_, *atomics_);
  for (int i = 0; i < sms; ++i) {
    sched::PolicyContext context = policy_context(spec, seed, policy_state_);
    context.sm = i;
    const auto make_scheduler = [&](int scheduler) {
      context.scheduler = scheduler;
      return warps.build(context);
    };
    sms_.push_back(std::make_unique<sm::Sm>(i, spec_, *ports_[i], make_scheduler));
  }
  if (sms_.front()->has_subscriber(sm::Event::l2_reuse)) memory_->watch_reuse();
}

Hardware::~Hardware() = default;

std::vector<sm::WindowedSm*> Hardware::windowed_sms() const {
  std::vector<sm::WindowedSm*> all;
  for (const auto& sm : sms_) all.push_back(sm.get());
  return all;
}

sm::SmStats Hardware::stats() const {
  sm::SmStats sum;
  for (const auto& sm : sms_) stats::add(sum, sm->stats());
  return sum;
}

sm::SmStats Hardware::kernel_stats(int kernel) const {
  sm::SmStats sum;
  for (const auto& sm : sms_) stats::add(sum, sm->kernel_stats(kernel));
  return sum;
}

std::uint64_t Hardware::warp_instructions(int kernel) const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->issued(kernel).warp_instructions;
  return sum;
}

std::uint64_t Hardware::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->thread_instructions();
  return sum;
}

std::optional<sm::CtaSharingStats> Hardware::cta_sharing() const {
  std::optional<sm::CtaSharingStats> sum;
  for (const auto& sm : sms_) {
    const sm::CtaSharingStats* const one = sm->cta_sharing();
    if (!one) continue;
    if (!sum) sum.emplace();
    sum->add(*one);
  }
  return sum;
}

}  // namespace heddle::gpu
