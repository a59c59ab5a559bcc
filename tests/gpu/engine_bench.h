// An engine of two SMs with policies that a test scripts, and launches of a small kernel.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
#include "exec/state/global_memory.h"
#include "gpu/engine/engine.h"
#include "gpu/launch_builder.h"
#include "policies/entry.h"
#include "ptx/module.h"
#include "sched/catalogue.h"

namespace heddle::gpu::test {

inline config::GpuSpec two_sms() {
  config::GpuSpec spec = config::load_gpu(std::string(HEDDLE_SOURCE_DIR) + "/presets/gtx480.toml");
  spec.clusters = 2;
  spec.sms_per_cluster = 1;
  spec.concurrent_kernels = 2;
  return spec;
}

// A kernel without parameters, and the directives before its body.
inline ptx::Kernel kernel_of(const std::string& body, const std::string& directives = "") {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n" + directives +
      "\n{\n" + body + "}\n";
  return ptx::Module::parse(text, "kernel.ptx").lower("kernel", {});
}

// Each thread counts down from 64.
inline ptx::Kernel count_down(const std::string& directives = "") {
  return kernel_of(R"(
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, 64;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ret;
)",
                   directives);
}

// Places CTA after CTA on SM 0 or where a free slot is, until `most` are placed in a window.
class ScriptedCtas : public CtaScheduler {
 public:
  void begin_kernel(const KernelStart& start) override {
    control = start.control;
    next_ = 0;
    grid_ = start.grid.count();
    count_ = std::min(grid_, most_at_all);
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    int placed = 0;
    for (Cycle at = from; at < to && next_ < count_ && placed < most; at = at + 1)
      for (int sm = 0; sm < static_cast<int>(free_slots.size()) && placed < most; ++sm) {
        if (next_ >= count_ || free_slots[static_cast<std::size_t>(sm)] == 0) continue;
        --free_slots[static_cast<std::size_t>(sm)];
        placements.push_back({sm, next_++, at});
        ++placed;
      }
    asked.push_back({from, placed});
  }
  bool exhausted() const override { return next_ >= grid_; }
  void on_finished(const FinishedCta& cta) override { finished.push_back(cta); }
  Needs needs() const override { return wanted; }
  void on_epoch(Cycle now, std::span<const SmEpoch> sms, CtaControl& of) override {
    if (epoch) epoch(now, sms, of);
  }

  int most = 1000;
  std::uint64_t most_at_all = ~std::uint64_t{0};
  struct Asked {
    Cycle at;
    int placed;
  };
  std::vector<Asked> asked;
  Needs wanted;
  std::function<void(Cycle, std::span<const SmEpoch>, CtaControl&)> epoch;
  CtaControl* control = nullptr;
  std::vector<FinishedCta> finished;

 private:
  std::uint64_t next_ = 0, count_ = 0, grid_ = 0;
};

class ScriptedShares : public ShareScheduler {
 public:
  ShareNeeds needs() const override { return wanted; }
  void kernels_changed(std::span<const SharedKernel> kernels, Cycle) override {
    changes.emplace_back(kernels.begin(), kernels.end());
  }
  int most_ctas(int kernel, int sm) const override { return limit ? limit(kernel, sm) : kNoLimit; }
  void on_epoch(std::span<const SharedEpoch> epoch, Cycle now) override {
    times.push_back(now);
    epochs.emplace_back(epoch.begin(), epoch.end());
  }
  std::uint64_t quota(int, int) const override { return instructions; }
  struct Statistics {
    std::uint64_t events = 0;
    static constexpr auto fields() {
      return std::make_tuple(stats::counter("events", stats::Unit::events, "counted by the test",
                                            &Statistics::events));
    }
  };
  void report_statistics(sm::PolicyReport& report) const override {
    if (counted) report.counters("scripted", *counted);
  }

  std::optional<Statistics> counted;
  ShareNeeds wanted;
  std::function<int(int, int)> limit;
  std::uint64_t instructions = kNoQuota;
  std::vector<std::vector<SharedKernel>> changes;
  std::vector<std::vector<SharedEpoch>> epochs;
  std::vector<Cycle> times;
};

// Builds the scripted object, which the test keeps a pointer to.
template <class Scripted, class Scheduler, class Context>
class ScriptedPolicy final : public policies::Policy<Scheduler, Context> {
 public:
  const std::string& text() const override { return text_; }
  std::unique_ptr<Scheduler> build(const Context&) const override {
    auto one = std::make_unique<Scripted>();
    if (prepare) prepare(*one);
    built.push_back(one.get());
    return one;
  }
  std::function<void(Scripted&)> prepare;
  mutable std::vector<Scripted*> built;

 private:
  std::string text_ = "scripted";
};

class EngineBench {
 public:
  explicit EngineBench(ptx::Kernel kernel = count_down()) : kernel_(std::move(kernel)) {
    run.gpu = two_sms();
  }

  // Instead of `ctas`.
  void use(const CtaPolicy& policy) { cta_policy_ = &policy; }
  // Instead of lrr.
  void use(std::shared_ptr<const sched::Policy> policy) { warps_ = std::move(policy); }
  // After the policies have been prepared.
  Engine& engine() {
    if (!engine_)
      engine_ = std::make_unique<Engine>(run.gpu, Engine::Policies{*warps_, *cta_policy_, shares},
                                         1, WindowClock::Threads{1, false}, programs);
    return *engine_;
  }
  QueuedKernel launch(std::uint32_t grid, std::uint32_t threads, std::uint32_t program = 0) {
    LaunchRequest request;
    request.kernel = &kernel_;
    request.grid = {grid, 1, 1};
    request.block = {threads, 1, 1};
    const LaunchResources used = builder_.resources(request);
    QueuedKernel queued;
    queued.launch_number = ++launches_;
    LaunchState state;
    state.address_space = AddressSpace(program, 0);
    queued.launch = builder_.build(request, state);
    queued.memory = &memory;
    queued.placing = {used.occupancy.ctas, used.registers_per_thread};
    return queued;
  }
  std::uint64_t begin(std::uint32_t grid, std::uint32_t threads, int priority = 0) {
    QueuedKernel queued = launch(grid, threads);
    queued.priority = priority;
    engine().begin(std::move(queued));
    return launches_;
  }
  // Until all launches have ended, in the order of their ends.
  std::vector<QueuedKernel> finish(const Until& until = {}) {
    std::vector<QueuedKernel> all;
    while (engine().busy())
      for (QueuedKernel& k : engine().advance(until, {})) all.push_back(std::move(k));
    return all;
  }

  config::RunSpec run;
  std::uint32_t programs = 1;  // that share the device
  exec::GlobalMemory memory{1 << 20};
  ScriptedPolicy<ScriptedCtas, CtaScheduler, CtaContext> ctas;
  ScriptedPolicy<ScriptedShares, ShareScheduler, ShareContext> shares;

 private:
  ptx::Kernel kernel_;
  LaunchBuilder builder_{run};
  std::shared_ptr<const sched::Policy> warps_ = sched::parse_policy("lrr");
  const CtaPolicy* cta_policy_ = &ctas;
  std::uint64_t launches_ = 0;
  std::unique_ptr<Engine> engine_;
};

}  // namespace heddle::gpu::test
