// What is written can be read back.
#include "report/perfetto.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "tests/report/trace_reader.h"

namespace heddle::report {
namespace {

using stats::Timeline;
using test::Trace;
using test::TraceReader;

Timeline two_tracks() {
  Timeline timeline;
  const auto sm = timeline.add_track("SM 0");
  const auto warp = timeline.add_track("warp 0", sm);
  const auto queue = timeline.add_track("queue", sm, true);
  const auto issue = timeline.add_name("issue"), wait = timeline.add_name("waits for operands"),
             place = timeline.add_name("kmeans.cu:28"), load = timeline.add_name("kmeans.cu:27");
  timeline.slices = {{warp, issue, place, Timeline::kNone, 1000, 2000},
                     {warp, wait, Timeline::kNone, load, 2000, 300000},
                     {warp, issue, place, Timeline::kNone, 300000, 301000}};
  timeline.samples = {{queue, 1000, 3}, {queue, 5000, 0}};
  return timeline;
}

TEST(Perfetto, TracesContainAllSlicesAndSamples) {
  const Trace trace = TraceReader().read(to_perfetto(two_tracks()));
  ASSERT_EQ(trace.slices.size(), 3u);
  EXPECT_EQ(trace.slices[0].name, "issue");
  EXPECT_EQ(trace.slices[0].detail, "kmeans.cu:28");
  EXPECT_EQ(trace.slices[1].name, "waits for operands");
  EXPECT_EQ(trace.slices[1].track, "warp 0");
  EXPECT_EQ(trace.slices[1].from, 2000u);
  EXPECT_EQ(trace.slices[1].to, 300000u);
  EXPECT_EQ(trace.slices[1].cause, "kmeans.cu:27");
  EXPECT_EQ(trace.slices[0].cause, "");
  ASSERT_EQ(trace.samples.size(), 2u);
  EXPECT_EQ(trace.samples[0].value, 3u);
  EXPECT_EQ(trace.samples[1].at, 5000u);
  EXPECT_EQ(trace.parents.size(), 2u);
}

TEST(Perfetto, OmitsSlicesWithoutLength) {
  Timeline timeline = two_tracks();
  timeline.slices.push_back({.track = 1, .from = 301000, .to = 301000});
  EXPECT_EQ(TraceReader().read(to_perfetto(timeline)).slices.size(), 3u);
}

TEST(Perfetto, ReaderRejectsOverlappingSlices) {
  Timeline timeline = two_tracks();
  timeline.slices.push_back({.track = 1, .from = 1500, .to = 1700});
  EXPECT_THROW(TraceReader().read(to_perfetto(timeline)), std::runtime_error);
}

TEST(Timeline, IsTheSameAfterWritingAndReading) {
  Timeline before = two_tracks();
  before.ctas = {{3, 0, 12, 1000, 5000, {4, 5, 9}}};
  const Timeline after = stats::timeline_from_text(stats::to_text(before));
  EXPECT_EQ(to_perfetto(after), to_perfetto(before));
  EXPECT_FALSE(after.truncated);
  ASSERT_EQ(after.ctas.size(), 1u);
  EXPECT_EQ(after.ctas[0].number, 12u);
  EXPECT_EQ(after.ctas[0].to, 5000u);
  EXPECT_EQ(after.ctas[0].slots, (std::vector<std::uint32_t>{4, 5, 9}));
}

TEST(Timeline, ANameWithALineBreakIsOneLine) {
  Timeline timeline = two_tracks();
  timeline.add_name("load, a\nb.cu:3");
  EXPECT_EQ(stats::timeline_from_text(stats::to_text(timeline)).names.back(), "load, a b.cu:3");
}

TEST(Timeline, DamagedTextIsRefused) {
  EXPECT_THROW(stats::timeline_from_text("s 5 0 0 1 1\n"), UserError);
  EXPECT_THROW(stats::timeline_from_text("t 7 0 lost parent\n"), UserError);
  EXPECT_THROW(stats::timeline_from_text("what is this\n"), UserError);
  EXPECT_THROW(stats::timeline_from_text("t 4294967295 0 SM 0\nn issue\ns 0 0 1 0 5 5\n"),
               UserError);  // a detail without a name
}

}  // namespace
}  // namespace heddle::report
