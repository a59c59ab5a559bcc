// CTA mapping (Liu, Liu and Wang, EPiC 2019): CTAs that share lines of the L1 start on the same SM.
// The direction along which they share lines comes from the compiler's analysis.
#include <array>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/cta_mapping.h"
#include "gpu/cta/round_robin.h"

namespace heddle::gpu {
namespace {

using analysis::Direction;

enum class DirectionChoice { automatic, of_register, x, y };

struct MappedStatistics {
  std::uint64_t kernels_x = 0, kernels_y = 0, kernels_rr = 0, stolen = 0;
  static constexpr auto fields() {
    using S = MappedStatistics;
    return std::make_tuple(
        stats::counter("kernels_x", stats::Unit::events, "launches mapped along x", &S::kernels_x),
        stats::counter("kernels_y", stats::Unit::events, "launches mapped along y", &S::kernels_y),
        stats::counter("kernels_rr", stats::Unit::events, "launches without direction: round robin",
                       &S::kernels_rr),
        stats::counter("stolen", stats::Unit::events,
                       "CTAs that started on another SM than their own (steal=yes)", &S::stolen));
  }
};

class Mapped final : public CtaScheduler {
 public:
  struct Options {
    DirectionChoice direction = DirectionChoice::automatic;
    Dealing dealing = Dealing::balanced;
    bool steal = false, keep_uniform = false;
    static auto parameters() {
      return std::make_tuple(
          policies::choice(
              "direction", &Options::direction, {"auto", "register", "x", "y"},
              "direction of a launch: auto: the mapping register if the program has set "
              "it, otherwise of the analysis; register: of the register alone; x: rows "
              "of CTAs stay together; y: columns",
              "Liu, Liu and Wang, EPiC 2019, algorithms 1 and 2"),
          policies::choice("dealing", &Options::dealing, {"balanced", "ceil"},
                           "how the CTAs of the lines that are left over are dealt: in chunks that "
                           "differ by at most one CTA, or of equal size, rounded up",
                           "balanced: an interpretation of Liu, Liu and Wang's rule 2, which wants "
                           "even shares; ceil: line 5 of algorithm 3"),
          policies::choice(
              "steal", &Options::steal, {"no", "yes"},
              "an SM without CTAs of its own takes the last one of the SM with most left",
              "no: Liu, Liu and Wang, EPiC 2019"),
          policies::choice("keep_uniform", &Options::keep_uniform, {"no", "yes"},
                           "whether accesses with one address for all CTAs count in the analysis",
                           "an interpretation: they would hide all other reuse"));
    }
  };
  using Statistics = MappedStatistics;
  static std::vector<stats::FieldInfo> records() {
    return {{"launch",
             "",
             "the direction of the launch (none, x, y), what gave it (option, "
             "register, analysis), the largest distance of CTAs that share lines, "
             "and why the kernel is not analysed",
             {}}};
  }

  Mapped(const Options& options, const CtaContext& context)
      : options_(options), round_robin_(make_round_robin(context)) {}

  void begin_kernel(const KernelStart& start) override {
    decide(start);
    statistics_.kernels_x += direction_ == Direction::x;
    statistics_.kernels_y += direction_ == Direction::y;
    statistics_.kernels_rr += direction_ == Direction::none;
    if (direction_ == Direction::none) return round_robin_->begin_kernel(start);
    mapping_ = CtaMapping(start.grid, start.sms, direction_, options_.dealing);
    left_ = start.grid.count();
    own_.clear();
    for (int sm = 0; sm < start.sms; ++sm) own_.push_back({0, mapping_.count(sm)});
  }

  // Every cycle each SM takes at most one CTA of its own list, in the list's order.
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    if (direction_ == Direction::none)
      return round_robin_->dispatch(from, to, free_slots, placements);
    bool placed = true;
    for (Cycle at = from; at < to && placed && left_ > 0; ++at) {
      placed = false;
      for (std::size_t sm = 0; sm < own_.size(); ++sm) {
        if (free_slots[sm] == 0) continue;
        const std::size_t list = source_for(sm);
        if (list == own_.size()) continue;
        const std::uint64_t index = list == sm ? own_[list].next++ : --own_[list].end;
        statistics_.stolen += list != sm;
        placements.push_back(
            {static_cast<int>(sm), mapping_.cta(static_cast<int>(list), index), at});
        --free_slots[sm];
        --left_;
        placed = true;
      }
    }
  }

  bool exhausted() const override {
    return direction_ == Direction::none ? round_robin_->exhausted() : left_ == 0;
  }
  void on_finished(const FinishedCta& cta) override {
    if (direction_ == Direction::none) round_robin_->on_finished(cta);
  }
  Direction direction() const override { return direction_; }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("mapped", statistics_);
    if (!report.wants_records()) return;
    constexpr std::array kNames{"none", "x", "y"};
    auto& record = report.record("mapped", "launch");
    record.put("direction", std::string(kNames[static_cast<std::size_t>(direction_)]));
    record.put("from", std::string(from_));
    record.put("distance", distance_);
    record.put("not_analysed", not_analysed_);
  }

 private:
  // The CTAs of an SM that have not started, as indices into its list.
  struct Span {
    std::uint64_t next, end;
    std::uint64_t left() const { return end - next; }
  };

  void decide(const KernelStart& start) {
    distance_ = 0;
    not_analysed_.clear();
    from_ = "option";
    if (options_.direction == DirectionChoice::x || options_.direction == DirectionChoice::y) {
      direction_ = options_.direction == DirectionChoice::x ? Direction::x : Direction::y;
      return;
    }
    from_ = "register";
    direction_ = start.hint_direction.value_or(Direction::none);
    if (start.hint_direction || options_.direction == DirectionChoice::of_register) return;
    from_ = "analysis";
    if (!start.analysis) return;
    const analysis::KernelAnalysis& known = start.analysis->result();
    const analysis::CtaReuse& reuse = options_.keep_uniform ? known.ctas_with_uniform : known.ctas;
    direction_ = reuse.direction;
    distance_ = reuse.distance();
    not_analysed_ = known.not_analysed;
  }

  // The SM from whose list `sm` takes its next CTA; own_.size() when there is none.
  std::size_t source_for(std::size_t sm) const {
    if (own_[sm].left() > 0) return sm;
    std::size_t source = own_.size();
    if (!options_.steal) return source;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (own_[i].left() > most) source = i, most = own_[i].left();
    return source;
  }

  Options options_;
  std::unique_ptr<CtaScheduler> round_robin_;  // of launches without a direction
  // Of the running launch.
  Direction direction_ = Direction::none;
  const char* from_ = "option";
  std::uint64_t distance_ = 0;  // CTAs
  std::string not_analysed_;
  CtaMapping mapping_;
  std::uint64_t left_ = 0;
  std::vector<Span> own_;  // by SM
  MappedStatistics statistics_;
};

}  // namespace

CtaEntry mapped() {
  return cta_scheduler<Mapped>("mapped", "CTAs that share lines start on one SM",
                               "Liu, Liu and Wang, EPiC 2019");
}

}  // namespace heddle::gpu
