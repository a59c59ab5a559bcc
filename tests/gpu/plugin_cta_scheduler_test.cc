#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cta/catalogue.h"
#include "tests/error_message.h"

namespace heddle::gpu {
namespace {

class Confused final : public CtaScheduler {
 public:
  void begin_kernel(const KernelStart&) override {}
  void dispatch(Cycle, Cycle, std::vector<int>&, std::vector<Placement>&) override {
    throw std::runtime_error("it is confused");
  }
  bool exhausted() const override { return true; }
};

TEST(PluginCtaScheduler, IsNamedInWhatItThrows) {
  CtaEntry entry = cta_scheduler<Confused>("confused", "", "");
  guard(entry, "mine.so");
  const auto scheduler = entry.parse("")->build({});
  EXPECT_TRUE(scheduler->exhausted());
  std::vector<int> slots;
  std::vector<Placement> placements;
  EXPECT_EQ(message_of([&] { scheduler->dispatch(Cycle{}, Cycle{}, slots, placements); }),
            "CTA scheduler confused of plug-in mine.so: dispatch(): it is confused");
}

// Places what a test wants.
class PlacingScheduler final : public CtaScheduler {
 public:
  static inline std::vector<Placement> wanted;
  static inline bool ended = false;
  static inline int paused_sm = 0;
  void begin_kernel(const KernelStart& start) override { control_ = start.control; }
  void dispatch(Cycle, Cycle, std::vector<int>&, std::vector<Placement>& placements) override {
    placements.insert(placements.end(), wanted.begin(), wanted.end());
    if (control_) control_->pause(paused_sm, 0);
  }
  bool exhausted() const override { return ended; }

 private:
  CtaControl* control_ = nullptr;
};

class NoControl final : public CtaControl {
 public:
  void pause(int, std::uint64_t) override {}
  void resume(int, std::uint64_t) override {}
};

// What is wrong with these placements in cycles 10 to 13, of a grid of four CTAs, on two SMs with
// room for two and for no CTA.
std::string refusal_of(std::vector<Placement> placements, int paused_sm = 0, bool ended = false) {
  CtaEntry entry = cta_scheduler<PlacingScheduler>("placing", "", "");
  guard(entry, "mine.so");
  const auto scheduler = entry.parse("")->build({});
  NoControl control;
  KernelStart start;
  start.grid = {2, 2, 1};
  start.sms = 2;
  start.control = &control;
  scheduler->begin_kernel(start);
  PlacingScheduler::wanted = std::move(placements);
  PlacingScheduler::ended = ended;
  PlacingScheduler::paused_sm = paused_sm;
  std::vector<int> slots{2, 0};
  std::vector<Placement> placed;
  try {
    scheduler->dispatch(Cycle{10}, Cycle{14}, slots, placed);
    (void)scheduler->exhausted();
  } catch (const UserError& error) {
    const std::string who = "CTA scheduler placing of plug-in mine.so: ", what = error.what();
    EXPECT_TRUE(what.starts_with(who)) << what;
    return what.substr(who.size());
  }
  return "";
}

TEST(PluginCtaScheduler, IsNamedWhereACtaCannotStart) {
  const Cycle at{10};
  EXPECT_EQ(refusal_of({{0, 3, at}, {0, 2, at + 3}}), "");
  EXPECT_EQ(refusal_of({{0, 4, at}}), "dispatch(): CTA 4 on SM 0 is outside of the grid of 4 CTAs");
  EXPECT_EQ(refusal_of({{0, 1, at}, {0, 1, at + 1}}),
            "dispatch(): CTA 1 on SM 0 has been placed before");
  for (const int sm : {-1, 2})
    EXPECT_EQ(refusal_of({{sm, 1, at}}),
              "dispatch(): CTA 1 on SM " + std::to_string(sm) + " is outside of SMs 0 to 1");
  EXPECT_EQ(refusal_of({{1, 1, at}}), "dispatch(): CTA 1 on SM 1 has no free slot there");
  EXPECT_EQ(refusal_of({{0, 0, at}, {0, 1, at + 1}, {0, 2, at + 2}}),
            "dispatch(): CTA 2 on SM 0 has no free slot there");
}

TEST(PluginCtaScheduler, IsNamedWhenACtaCannotStart) {
  const auto starts = [](int cycle, int first) {
    return "dispatch(): CTA 1 on SM 0 starts in cycle " + std::to_string(cycle) +
           "; the next CTA of the SM can start in cycles " + std::to_string(first) + " to 13";
  };
  EXPECT_EQ(refusal_of({{0, 1, Cycle{9}}}), starts(9, 10));
  EXPECT_EQ(refusal_of({{0, 1, Cycle{14}}}), starts(14, 10));
  EXPECT_EQ(refusal_of({{0, 0, Cycle{10}}, {0, 1, Cycle{10}}}), starts(10, 11));
}

TEST(PluginCtaScheduler, IsNamedWhenItEndsEarlyOrPausesNoSm) {
  EXPECT_EQ(refusal_of({{0, 1, Cycle{10}}}, 0, true),
            "exhausted(): true, but 3 of 4 CTAs have not been placed");
  EXPECT_EQ(refusal_of({}, 2), "pause(): SM 2 does not exist");
}

}  // namespace
}  // namespace heddle::gpu
