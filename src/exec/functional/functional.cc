// Functional runs: launches without timing.
//
// CTAs run one after the other. When all warps of all running CTAs spin and nothing changes, more
// CTAs start, since the running ones may wait for them (ctas_to_add). The CTAs of a cooperative
// grid start together.
#include <algorithm>
#include <memory>
#include <utility>

#include "exec/check/checker.h"
#include "exec/functional/ahead_ctas.h"
#include "exec/functional/functional_cta.h"
#include "exec/livelock/hang_report.h"
#include "exec/prepared_kernel.h"
#include "exec/services/device_runtime.h"
#include "exec/state/decoded_instruction.h"

namespace heddle::exec {
namespace {

constexpr std::size_t kMaxResidentCtas = 2048;
// CTAs that wait for each other usually do so repeatedly, so a spin loop yields early.
constexpr std::uint32_t kMaxSpinIterationsAmongCtas = 16;
// After so many rounds in which all CTAs spin, more CTAs start although registers change: the spin
// loops may count their iterations.
constexpr int kMaxSpinningRounds = 256;
constexpr int kMaxWarpsInInterrupt = 8;
// For each instruction of a kernel: interpreting so many takes as long as compiling the one.
constexpr std::uint64_t kInterpretedInstructions = 1000;

class FunctionalGrid final : public ObservedRun {
 public:
  FunctionalGrid(const Launch& launch, GlobalMemory& memory, const MachineView& machine,
                 const StopRequest* stop, Checker* checker = nullptr,
                 AddressCheck* addresses = nullptr, const LastCtas& last = {})
      : last_(last),
        launch_(launch),
        memory_(memory),
        machine_(machine),
        prepared_(PreparedKernel::of(*launch.kernel)),
        decoded_(prepared_.decoded()),
        compile_after_(launch.host.compile_after == 0
                           ? 0
                           : std::max(launch.host.compile_after,
                                      kInterpretedInstructions * decoded_->code.size())),
        may_run_ahead_(launch.host.threads > 1 && !launch.clusters && !is_cooperative() &&
                       prepared_.may_run_ahead() && AheadCtas::are_possible(*decoded_)),
        run_(launch, memory) {
    run_.stop = stop;
    run_.checker = checker;
    run_.addresses = addresses;
    if (checker) checker->begin(launch, decoded_->code);
  }

  void continue_ctas(const std::vector<StartedCta>& started) {
    for (const StartedCta& cta : started) {
      cta.warps->machine().direct = true;
      if (is_cooperative() || launch_.clusters)
        cta.warps->machine().max_spin_iterations = kMaxSpinIterationsAmongCtas;
      add_cta(std::make_unique<FunctionalCta>(run_, cta));
    }
    for (const auto& cta : resident_)
      if (launch_.clusters && cta->cluster_opens()) cta->open_cluster_barrier();
    std::erase_if(resident_, [](const auto& cta) { return cta->finished(); });
  }

  // next() numbers the CTAs that have not started; `count` of them.
  template <class Next>
  FunctionalCounts run(std::uint64_t count, Next next) {
    std::uint64_t started = 0;
    const std::uint64_t unheard = last_.listener ? count - std::min(count, last_.count) : count;
    std::uint64_t before = 0;
    if (is_cooperative() && count > 0) {
      start_all(count, next);
      started = count;
    }
    while (true) {
      if (resident_.empty()) started = run_ahead(started, unheard, next);
      if (started == count && resident_.empty()) break;
      if (resident_.empty() && spare_)
        resident_.push_back(std::move(spare_));
      else if (resident_.empty())
        add_cta(std::make_unique<FunctionalCta>(run_, storage()));
      if (started >= unheard && !run_.listener && last_.listener) {
        run_.listener = last_.listener;
        before = run_.counts.warp_instructions;
      }
      if (resident_.front()->finished()) {
        resident_.front()->start(next(started++));
        for (std::uint32_t n = 1; n < ctas_of_cluster(); ++n) start_beside(next(started++));
      }
      run_.ctas_left = started < count && resident_.size() < kMaxResidentCtas;
      run_round();
      retire_finished();
      if (resident_.empty()) spinning_ctas_ = added_ctas_ = 0;
      if (resident_.empty()) run_.hang_watch.stop();
      if (!resident_.empty() && needs_other_ctas()) {
        run_in_order();
        for (std::size_t n = whole_clusters(ctas_to_add()); n > 0 && started < count; --n)
          start_beside(next(started++));
      }
    }
    if (run_.listener)
      run_.counts.listened_warp_instructions = run_.counts.warp_instructions - before;
    prepared_.add_executed(run_.counts.warp_instructions);
    return run_.counts;
  }

  std::vector<LiveWarp> live_warps() const override {
    std::vector<LiveWarp> list;
    for (const auto& cta : resident_) cta->append_live_warps(list);
    return list;
  }
  bool pending_work() const override { return false; }
  std::string describe_warps(int max_warps) const override {
    return exec::describe_warps(warps(), max_warps, [this](const Warp& w) {
      return run_.hang_watch.repeats(w) ? "repeats the same state" : "spins";
    });
  }

 private:
  bool is_cooperative() const { return launch_.grid_workspace != 0; }
  std::size_t whole_clusters(std::size_t ctas) const {
    const std::size_t of_cluster = ctas_of_cluster();
    return (ctas + of_cluster - 1) / of_cluster * of_cluster;
  }
  std::uint32_t ctas_of_cluster() const {
    return launch_.clusters ? launch_.clusters->shape.ctas() : 1;
  }
  template <class Is>
  bool all(Is is) const {
    return std::all_of(resident_.begin(), resident_.end(),
                       [&](const auto& cta) { return is(*cta); });
  }
  std::vector<const Warp*> warps() const {
    std::vector<const Warp*> list;
    for (const auto& cta : resident_) cta->append_warps(list);
    return list;
  }

  void run_round() {
    if (prepared_.executed() + run_.counts.warp_instructions >= compile_after_ && !run_.checker &&
        !run_.addresses) {
      compile_after_ = kUnlimited;
      compiled_ = prepared_.compiled();
      run_.compiled = compiled_.get();
    }
    try {
      for (auto& cta : resident_) cta->run_round();
      if (launch_.clusters) open_cluster_barriers();
      run_.stop_if_requested();
    } catch (Interrupted& interrupted) {
      if (interrupted.warp_places.empty())
        interrupted.warp_places =
            exec::describe_warps(warps(), kMaxWarpsInInterrupt, [](const Warp&) { return "runs"; });
      throw;
    }
  }

  void open_cluster_barriers() {
    const ClusterCtas& clusters = *launch_.clusters;
    for (const auto& waiting : resident_) {
      if (!waiting->waits_for_cluster()) continue;
      const std::uint64_t cluster = clusters.shape.place_of(waiting->linear()).cluster;
      if (!clusters.all_arrived(cluster)) continue;
      for (const auto& cta : resident_)
        if (!cta->finished() && clusters.shape.place_of(cta->linear()).cluster == cluster)
          cta->open_cluster_barrier();
    }
  }

  // All CTAs that have started have ended: takes what ran ahead, and lets others run ahead of the
  // CTA that starts next, before the end-th. Returns its number.
  template <class Next>
  std::uint64_t run_ahead(std::uint64_t started, std::uint64_t end, Next next) {
    if (ahead_ && ahead_->active()) {
      if (started < ahead_->first_ahead()) return started;
      if (const std::optional<FunctionalCounts> counts = ahead_->finish()) {
        run_.counts.warp_instructions += counts->warp_instructions;
        run_.counts.thread_instructions += counts->thread_instructions;
        started = ahead_->end_ahead();
      } else {
        run_in_order();
      }
    }
    if (!may_run_ahead_ || started == 0 || started >= end || !compiled_ || !spare_) return started;
    const std::uint64_t left = end - started, of_cta = std::max<std::uint64_t>(
                                                  1, run_.counts.warp_instructions / started);
    if (!ahead_) {
      const HostUse& host = launch_.host;
      if (AheadCtas::share_of_thread(left, of_cta, host.threads, host.round_instructions) == 0)
        return started;
      try {
        ahead_ =
            std::make_unique<AheadCtas>(launch_, memory_, machine_, decoded_, *compiled_, next);
      } catch (const UserError&) {  // no address space is left
        may_run_ahead_ = false;
        return started;
      }
      spare_->machine().use_claims(&ahead_->main_claims());
    }
    ahead_->begin(started, left, of_cta);
    return started;
  }
  // From now on the CTAs run in their order.
  void run_in_order() {
    if (ahead_) prepared_.forbid_ahead();
    may_run_ahead_ = false;
    if (spare_) spare_->machine().use_claims(nullptr);
    for (auto& cta : resident_) cta->machine().use_claims(nullptr);
    ahead_.reset();
  }

  // As many CTAs as spin now. When those that were added last have ended and the wait continues:
  // twice as many as last time.
  std::size_t ctas_to_add() {
    added_ctas_ = resident_.size() > spinning_ctas_ ? resident_.size() : 2 * added_ctas_;
    spinning_ctas_ = resident_.size();
    return std::min(added_ctas_, kMaxResidentCtas - spinning_ctas_);
  }
  void start_beside(std::uint64_t linear) {
    if (resident_.size() == 1)
      resident_.front()->machine().max_spin_iterations = kMaxSpinIterationsAmongCtas;
    add_cta(std::make_unique<FunctionalCta>(run_, storage()));
    resident_.back()->machine().max_spin_iterations = kMaxSpinIterationsAmongCtas;
    resident_.back()->start(linear);
  }
  template <class Next>
  void start_all(std::uint64_t count, Next next) {
    const int ctas = static_cast<int>(count);
    shared_storage_ = std::make_unique<Warps>(launch_, memory_, machine_, ctas,
                                              ctas * warps_per_cta(), true, decoded_);
    shared_storage_->machine().max_spin_iterations = kMaxSpinIterationsAmongCtas;
    for (int i = 0; i < ctas; ++i) {
      add_cta(std::make_unique<FunctionalCta>(run_, *shared_storage_, i));
      resident_.back()->start(next(static_cast<std::uint64_t>(i)));
    }
  }
  void add_cta(std::unique_ptr<FunctionalCta> cta) { resident_.push_back(std::move(cta)); }
  std::unique_ptr<Warps> storage() const {
    return std::make_unique<Warps>(launch_, memory_, machine_, 1, warps_per_cta(), true, decoded_);
  }
  int warps_per_cta() const {
    return static_cast<int>((launch_.block.count() + kWarpSize - 1) / kWarpSize);
  }
  // Keeps the storage of one finished CTA for the next one.
  void retire_finished() {
    bool any = false;
    for (auto& cta : resident_)
      if (cta->finished()) spare_ = std::move(cta), any = true;
    std::erase(resident_, nullptr);
    if (any && launch_.kernel->uses_device_runtime) launch_.services->runtime->cta_ended();
  }

  // True when the resident CTAs may wait for one that has not started. Throws when they hang.
  bool needs_other_ctas() {
    const bool spin = all([](const FunctionalCta& cta) { return cta.all_spin(); });
    if (spin && run_.ctas_left) {
      const bool stalled = all([](const FunctionalCta& cta) { return cta.is_stalled(); });
      if (!stalled && ++spinning_rounds_ < kMaxSpinningRounds) return false;
      spinning_rounds_ = 0;
      return true;
    }
    if (!spin) spinning_rounds_ = 0;
    const std::uint64_t instructions = run_.counts.warp_instructions;
    const Verdict verdict = spin ? run_.hang_watch.look(instructions, *this)
                                 : run_.hang_watch.look_at_age(instructions, *this);
    if (verdict != Verdict::livelock) return false;
    if (!run_.ctas_left) throw_livelock();
    return true;
  }

  [[noreturn]] void throw_livelock() {
    for (const auto& cta : resident_) cta->report_deadlock_to_checker();
    run_.hang_watch.throw_livelock(*this, resident_.front()->machine().printed);
  }

  LastCtas last_;
  const Launch& launch_;
  GlobalMemory& memory_;
  MachineView machine_;
  PreparedKernel& prepared_;
  std::shared_ptr<const DecodedKernel> decoded_;
  std::shared_ptr<const CompiledKernel> compiled_;
  std::uint64_t compile_after_;  // warp instructions
  bool may_run_ahead_;
  FunctionalRun run_;
  std::unique_ptr<Warps> shared_storage_;  // of a cooperative grid
  std::vector<std::unique_ptr<FunctionalCta>> resident_;
  std::unique_ptr<FunctionalCta> spare_;
  std::unique_ptr<AheadCtas> ahead_;
  std::size_t spinning_ctas_ = 0, added_ctas_ = 0;  // when CTAs were added last
  int spinning_rounds_ = 0;                         // in sequence, in which all CTAs spun
};

// The order in which CTAs start: the CTAs of a cluster one after the other.
std::uint64_t nth_cta(const Launch& launch, std::uint64_t n) {
  if (!launch.clusters) return n;
  const std::uint64_t ctas = launch.clusters->shape.ctas();
  return launch.clusters->shape.cta_at({n / ctas, static_cast<std::uint32_t>(n % ctas)});
}

}  // namespace

FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory,
                                  const MachineView& machine, const StopRequest* stop,
                                  Checker* checker, AddressCheck* addresses, const LastCtas& last) {
  FunctionalGrid grid(launch, memory, machine, stop, checker, addresses, last);
  FunctionalCounts counts =
      grid.run(launch.grid.count(), [&](std::uint64_t i) { return nth_cta(launch, i); });
  if (checker) checker->end();
  counts.ctas = launch.grid.count();
  return counts;
}

FunctionalCounts finish_functionally(const Launch& launch, GlobalMemory& memory,
                                     const MachineView& machine,
                                     const std::vector<StartedCta>& started,
                                     const std::vector<std::uint64_t>& waiting,
                                     const StopRequest* stop, const LastCtas& last) {
  FunctionalGrid grid(launch, memory, machine, stop, nullptr, nullptr, last);
  grid.continue_ctas(started);
  std::vector<std::uint64_t> order = waiting;
  if (launch.clusters)
    std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
      const ClusterShape& shape = launch.clusters->shape;
      const auto of_a = shape.place_of(a), of_b = shape.place_of(b);
      return std::pair{of_a.cluster, of_a.rank} < std::pair{of_b.cluster, of_b.rank};
    });
  FunctionalCounts counts = grid.run(order.size(), [&](std::uint64_t i) { return order[i]; });
  counts.ctas = started.size() + waiting.size();
  return counts;
}

}  // namespace heddle::exec
