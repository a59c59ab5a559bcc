// A test bench for one CTA scheduler without SMs: the test says which CTAs finish and what an epoch
// counted; the bench keeps the slots, and carries out pauses.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/cta/catalogue.h"

namespace heddle::gpu {

struct KernelShape {
  Dim3 grid{};
  int sms = 1, ctas_per_sm = 1, warps_per_cta = 1;
  analysis::LaunchAnalysis* analysis = nullptr;
  std::optional<analysis::Direction> hint = std::nullopt;
};

class CtaSchedulerBench final : public CtaControl {
 public:
  CtaSchedulerBench(const std::string& policy, const KernelShape& shape)
      : CtaSchedulerBench(parse_cta_policy(policy), shape) {}
  CtaSchedulerBench(const std::shared_ptr<const CtaPolicy>& policy, const KernelShape& shape) {
    CtaContext context;
    context.layout.clusters = shape.sms;
    scheduler_ = policy->build(context);
    begin(shape);
  }
  void begin(const KernelShape& shape) {
    shape_ = shape;
    resident_.assign(static_cast<std::size_t>(shape.sms), {});
    placed_.clear();
    KernelStart start;
    start.grid = shape.grid;
    start.sms = shape.sms;
    start.ctas_per_sm = shape.ctas_per_sm;
    start.warps_per_cta = shape.warps_per_cta;
    start.now = now_;
    start.control = this;
    start.analysis = shape.analysis;
    start.hint_direction = shape.hint;
    scheduler_->begin_kernel(start);
  }

  // The placements of the next `cycles` cycles.
  std::vector<Placement> dispatch(std::uint64_t cycles = 4) {
    std::vector<int> room;
    for (const auto& ctas : resident_)
      room.push_back(shape_.ctas_per_sm - static_cast<int>(ctas.size()));
    std::vector<Placement> placements;
    scheduler_->dispatch(now_, now_ + cycles, room, placements);
    std::set<std::pair<std::uint64_t, int>> starts;
    for (const Placement& p : placements) {
      EXPECT_TRUE(p.at >= now_ && p.at < now_ + cycles);
      EXPECT_TRUE(starts.insert({p.at.value, p.sm}).second) << "two CTAs in a cycle";
      EXPECT_TRUE(placed_.insert(p.cta).second) << "CTA " << p.cta << " was placed twice";
      EXPECT_LT(p.cta, shape_.grid.count());
      auto& ctas = resident_[static_cast<std::size_t>(p.sm)];
      ctas.push_back({p.cta, 0, p.at, false});
      EXPECT_LE(ctas.size(), static_cast<std::size_t>(shape_.ctas_per_sm));
    }
    now_ += cycles;
    return placements;
  }
  // The CTA ends. others: warp instructions of the other CTAs of its SM.
  void finish(int sm, std::uint64_t cta, std::uint64_t issued = 0,
              const std::vector<std::uint64_t>& others = {}) {
    auto& ctas = resident_[static_cast<std::size_t>(sm)];
    const auto place =
        std::find_if(ctas.begin(), ctas.end(), [&](const auto& c) { return c.cta == cta; });
    ASSERT_NE(place, ctas.end()) << "CTA " << cta << " is not on SM " << sm;
    const Cycle start = place->start;
    ctas.erase(place);
    scheduler_->on_finished({sm, cta, start, now_, issued, others});
  }
  void finish_all() {
    for (int sm = 0; sm < shape_.sms; ++sm)
      while (!ctas_of(sm).empty()) finish(sm, ctas_of(sm).front());
  }
  // An epoch in which each SM counted what `counts` says.
  void epoch(SmEpoch counts) {
    std::vector<SmEpoch> epochs;
    for (const auto& ctas : resident_) {
      counts.resident = ctas;
      epochs.push_back(counts);
    }
    scheduler_->on_epoch(now_, epochs, *this);
  }
  void pause(int sm, std::uint64_t cta) override { set_paused(sm, cta, true); }
  void resume(int sm, std::uint64_t cta) override { set_paused(sm, cta, false); }

  std::vector<std::uint64_t> ctas_of(int sm) const {
    std::vector<std::uint64_t> list;
    for (const auto& cta : resident_[static_cast<std::size_t>(sm)]) list.push_back(cta.cta);
    return list;
  }
  std::vector<std::uint64_t> paused_of(int sm) const {
    std::vector<std::uint64_t> list;
    for (const auto& cta : resident_[static_cast<std::size_t>(sm)])
      if (cta.paused) list.push_back(cta.cta);
    return list;
  }
  std::size_t placed() const { return placed_.size(); }
  std::uint64_t counter(const std::string& name) const {
    sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_records);
    scheduler_->report_statistics(report);
    for (const auto& [key, value] : report.counters())
      if (key == name) return value;
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  CtaScheduler& scheduler() { return *scheduler_; }
  Cycle now() const { return now_; }

 private:
  void set_paused(int sm, std::uint64_t cta, bool paused) {
    for (auto& resident : resident_[static_cast<std::size_t>(sm)])
      if (resident.cta == cta) resident.paused = paused;
  }

  std::unique_ptr<CtaScheduler> scheduler_;
  KernelShape shape_;
  std::vector<std::vector<SmEpoch::Cta>> resident_;  // by SM, by start
  std::set<std::uint64_t> placed_;
  Cycle now_;
};

}  // namespace heddle::gpu
