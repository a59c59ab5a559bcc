// Execution without timing: CTA after CTA. Warps that spin give others a turn; when all warps of
// all CTAs spin and nothing changes, as many CTAs again start beside them, more and more, since
// they may be what these wait for. The CTAs of a cooperative grid start together.
#include <algorithm>
#include <memory>
#include <utility>

#include "exec/check/checker.h"
#include "exec/fault.h"
#include "exec/functional/functional_cta.h"
#include "exec/isa/record.h"

namespace heddle::exec {
namespace {

constexpr std::size_t kMostResident = 2048;
// CTAs that wait for each other once do so again and again: whoever waits gives way soon.
constexpr std::uint32_t kSpinTurnsAmongCtas = 16;
// CTAs that all spin for so long, whatever changes meanwhile, may wait for others as well: who
// waits may count its turns.
constexpr int kRoundsOfSpinning = 256;
constexpr std::uint64_t kSuspicious =
    std::uint64_t{1}
    << 26;  // instructions in which all warps spin and tell nobody anything: a second
constexpr int kMostShown = 8;  // warps

class FunctionalGrid {
 public:
  FunctionalGrid(const Launch& launch, GlobalMemory& memory, const MachineView& machine,
                 const StopRequest* stop, Checker* checker = nullptr)
      : launch_(launch),
        memory_(memory),
        machine_(machine),
        decoded_(decode_kernel(*launch.kernel)) {
    run_.stop = stop;
    run_.checker = checker;
    if (checker) checker->begin(launch, decoded_->code);
  }

  void go_on_with(const std::vector<StartedCta>& started) {
    for (const StartedCta& cta : started) {
      cta.warps->machine().direct = true;
      if (is_cooperative()) cta.warps->machine().spin_turns = kSpinTurnsAmongCtas;
      add(std::make_unique<FunctionalCta>(run_, cta));
    }
    std::erase_if(resident_, [](const auto& cta) { return cta->finished(); });
  }

  // next() numbers the CTAs that have not started; `count` of them.
  template <class Next>
  FunctionalCounts run(std::uint64_t count, Next next) {
    std::uint64_t started = 0;
    if (is_cooperative() && count > 0) {
      start_together(count, next);
      started = count;
    }
    while (started < count || !resident_.empty()) {
      if (resident_.empty() && spare_)
        resident_.push_back(std::move(spare_));
      else if (resident_.empty())
        add(std::make_unique<FunctionalCta>(run_, storage()));
      if (resident_.front()->finished()) resident_.front()->start(next(started++));
      run_.may_join = started < count && resident_.size() < kMostResident;
      try {
        for (auto& cta : resident_) cta->run_round();
        run_.stop_if_asked();
      } catch (Interrupted& asked) {
        asked.standing = standing(resident_.front()->machine(), warps(), kMostShown, "runs");
        throw;
      }
      retire();
      if (resident_.empty()) waiting_ = joining_ = 0;
      if (resident_.empty() || !all([](const FunctionalCta& cta) { return cta.all_spin(); })) {
        run_.watching = false;
        spun_ = 0;
        continue;
      }
      if (run_.may_join) {
        if (!all([](const FunctionalCta& cta) { return cta.is_still(); }) &&
            ++spun_ < kRoundsOfSpinning)
          continue;
        spun_ = 0;
        // Those that came before and ended were not enough, nor is their number.
        joining_ = resident_.size() > waiting_ ? resident_.size() : 2 * joining_;
        waiting_ = resident_.size();
        for (std::size_t n = std::min(joining_, kMostResident - waiting_); n > 0 && started < count;
             --n)
          join(next(started++));
      } else {
        judge();
      }
    }
    return run_.counts;
  }

 private:
  bool is_cooperative() const { return launch_.grid_workspace != 0; }
  template <class Is>
  bool all(Is is) const {
    return std::all_of(resident_.begin(), resident_.end(),
                       [&](const auto& cta) { return is(*cta); });
  }
  std::vector<const Warp*> warps() const {
    std::vector<const Warp*> all;
    for (const auto& cta : resident_) cta->add_warps(all);
    return all;
  }
  void join(std::uint64_t linear) {
    if (resident_.size() == 1) resident_.front()->give_way_after(kSpinTurnsAmongCtas);
    add(std::make_unique<FunctionalCta>(run_, storage()));
    resident_.back()->give_way_after(kSpinTurnsAmongCtas);
    resident_.back()->start(linear);
  }
  void add(std::unique_ptr<FunctionalCta> cta) { resident_.push_back(std::move(cta)); }
  std::unique_ptr<Warps> storage() const {
    return std::make_unique<Warps>(launch_, memory_, machine_, 1, warps_per_cta(), true, decoded_);
  }
  int warps_per_cta() const {
    return static_cast<int>((launch_.block.count() + kWarpSize - 1) / kWarpSize);
  }

  template <class Next>
  void start_together(std::uint64_t count, Next next) {
    const int ctas = static_cast<int>(count);
    together_ = std::make_unique<Warps>(launch_, memory_, machine_, ctas, ctas * warps_per_cta(),
                                        true, decoded_);
    together_->machine().spin_turns = kSpinTurnsAmongCtas;
    for (int i = 0; i < ctas; ++i) {
      add(std::make_unique<FunctionalCta>(run_, *together_, i));
      resident_.back()->start(next(static_cast<std::uint64_t>(i)));
    }
  }

  // One that has finished stays for the next CTA.
  void retire() {
    for (auto& cta : resident_)
      if (cta->finished()) spare_ = std::move(cta);
    std::erase(resident_, nullptr);
  }

  // All spin, and no CTA is left that could help. Once it is proven that none will ever do anything
  // else, the run ends.
  void judge() {
    if (!run_.watching || run_.watch.told()) {
      if (run_.watching) rounds_between_ *= 2;
      run_.watching = false;
      if (++rounds_ % rounds_between_ != 0) return;
      begin_watch();
      run_.watching = true;
      watched_since_ = run_.counts.warp_instructions;
      return;
    }
    const bool for_ever =
        !run_.watch.changed() && all([](const FunctionalCta& cta) { return cta.turns_for_ever(); });
    if (for_ever && watched_host_)
      begin_watch();  // it may have written meanwhile, unseen; and its threads may have ended since
    else if (for_ever)
      report();
    else
      suspect();
  }
  void begin_watch() {
    run_.watch.begin();
    watched_host_ = host_may_write(launch_, memory_);
  }
  void suspect() {
    const std::uint64_t since = run_.counts.warp_instructions - watched_since_;
    if (since < kSuspicious || std::exchange(suspected_, true)) return;
    warn_probable_livelock(launch_, std::to_string(since / 1'000'000) + " million instructions",
                           standing(resident_.front()->machine(), warps(), kMostShown, "turns"));
  }
  [[noreturn]] void report() {
    for (const auto& cta : resident_) cta->report_deadlock_of_warps();
    throw_deadlock(resident_.front()->machine(), warps(), why_not_the_host(memory_));
  }

  const Launch& launch_;
  GlobalMemory& memory_;
  MachineView machine_;
  std::shared_ptr<const DecodedKernel> decoded_;
  FunctionalRun run_;
  std::unique_ptr<Warps> together_;
  std::vector<std::unique_ptr<FunctionalCta>> resident_;
  std::unique_ptr<FunctionalCta> spare_;
  std::size_t waiting_ = 0,
              joining_ =
                  0;  // CTAs that waited when others last joined them, and how many these were
  std::uint64_t watched_since_ = 0;  // instructions
  bool suspected_ = false,
       watched_host_ = false;  // told of it; the host could write when the watch began
  int spun_ = 0;               // rounds in a row in which all spun
  std::uint64_t rounds_ = 0, rounds_between_ = 1;  // of those in which all spin: a watch that saw a
                                                   // change makes the next one wait
};

}  // namespace

FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory,
                                  const MachineView& machine, const StopRequest* stop,
                                  Checker* checker) {
  FunctionalGrid grid(launch, memory, machine, stop, checker);
  FunctionalCounts counts = grid.run(launch.grid.count(), [](std::uint64_t i) { return i; });
  if (checker) checker->end();
  counts.ctas = launch.grid.count();
  return counts;
}

FunctionalCounts finish_functionally(const Launch& launch, GlobalMemory& memory,
                                     const MachineView& machine,
                                     const std::vector<StartedCta>& started,
                                     const std::vector<std::uint64_t>& waiting,
                                     const StopRequest* stop) {
  FunctionalGrid grid(launch, memory, machine, stop);
  grid.go_on_with(started);
  FunctionalCounts counts = grid.run(waiting.size(), [&](std::uint64_t i) { return waiting[i]; });
  counts.ctas = started.size() + waiting.size();
  return counts;
}

}  // namespace heddle::exec
