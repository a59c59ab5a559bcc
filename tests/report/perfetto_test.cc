// Traces are read back by the rules of Perfetto's trace processor: every event is on a described track, names are interned before they
// are used, slices of a track nest, time does not run backwards.
#include "report/perfetto.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "base/diagnostics.h"
#include "tests/report/protobuf_reader.h"

namespace heddle::report {
namespace {

using stats::Timeline;
using test::Field;
using test::ProtobufReader;

struct Slice { std::string track, name, detail; std::uint64_t from, to; };
struct Sample { std::string track; std::uint64_t at, value; };
struct Trace {
  std::map<std::uint64_t, std::string> tracks;
  std::map<std::uint64_t, std::uint64_t> parents;
  std::set<std::uint64_t> counters;
  std::vector<Slice> slices;
  std::vector<Sample> samples;
};

class Parser {
 public:
  Trace read(const std::string& text) {
    for (const Field& packet : ProtobufReader(text).fields()) {
      EXPECT_EQ(packet.number, 1);
      read_packet(packet.bytes);
    }
    for (const auto& [track, open] : open_) EXPECT_TRUE(open.empty()) << "a slice without an end on " << trace_.tracks[track];
    return trace_;
  }

 private:
  struct Open { std::uint64_t at; std::uint64_t name; std::string detail; };

  void read_packet(std::string_view bytes) {
    std::uint64_t time = 0, sequence = 0;
    std::string_view event, track, interned;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 8) time = f.value;
      else if (f.number == 10) sequence = f.value;
      else if (f.number == 11) event = f.bytes;
      else if (f.number == 12) interned = f.bytes;
      else if (f.number == 60) track = f.bytes;
      else EXPECT_EQ(f.number, 13);
    }
    EXPECT_NE(sequence, 0u) << "a packet without a sequence is ignored";
    if (!interned.empty()) read_names(interned);
    if (!track.empty()) read_track(track);
    if (!event.empty()) read_event(event, time);
  }
  void read_names(std::string_view bytes) {
    for (const Field& f : ProtobufReader(bytes).fields()) {
      std::uint64_t id = 0;
      for (const Field& g : ProtobufReader(f.bytes).fields()) g.number == 1 ? void(id = g.value) : void(names_[id] = std::string(g.bytes));
      EXPECT_NE(id, 0u) << "an interned name needs a number above zero";
    }
  }
  void read_track(std::string_view bytes) {
    std::uint64_t uuid = 0;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 1) uuid = f.value;
      if (f.number == 2) trace_.tracks[uuid] = std::string(f.bytes);
      if (f.number == 5) {
        EXPECT_TRUE(trace_.tracks.contains(f.value)) << "the parent comes first";
        trace_.parents[uuid] = f.value;
      }
      if (f.number == 8) trace_.counters.insert(uuid);
    }
  }
  void read_event(std::string_view bytes, std::uint64_t time) {
    EXPECT_GE(time, last_time_);
    last_time_ = time;
    std::uint64_t type = 0, track = 0, name = 0, value = 0;
    std::string detail;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 9) type = f.value;
      if (f.number == 11) track = f.value;
      if (f.number == 10) name = f.value;
      if (f.number == 30) value = f.value;
      if (f.number == 4)
        for (const Field& g : ProtobufReader(f.bytes).fields())
          if (g.number == 6) detail = std::string(g.bytes);
    }
    ASSERT_TRUE(trace_.tracks.contains(track)) << "an event on an unknown track";
    EXPECT_EQ(trace_.counters.contains(track), type == 4) << "samples are on counter tracks, slices are not";
    auto& open = open_[track];
    if (type == 1) {
      EXPECT_TRUE(open.empty()) << "slices of one track do not overlap";
      EXPECT_TRUE(names_.contains(name));
      open.push_back({time, name, detail});
    } else if (type == 2) {
      ASSERT_FALSE(open.empty()) << "an end without a beginning";
      trace_.slices.push_back({trace_.tracks[track], names_[open.back().name], open.back().detail, open.back().at, time});
      open.pop_back();
    } else {
      EXPECT_EQ(type, 4u);
      trace_.samples.push_back({trace_.tracks[track], time, value});
    }
  }

  Trace trace_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, std::vector<Open>> open_;
  std::uint64_t last_time_ = 0;
};

Timeline two_tracks() {
  Timeline timeline;
  const auto sm = timeline.add_track("SM 0");
  const auto warp = timeline.add_track("warp 0", sm);
  const auto queue = timeline.add_track("queue", sm, true);
  const auto issue = timeline.add_name("issue"), wait = timeline.add_name("waits for operands"), place = timeline.add_name("kmeans.cu:28");
  timeline.slices = {{warp, issue, place, 1000, 2000}, {warp, wait, Timeline::kNone, 2000, 300000}, {warp, issue, place, 300000, 301000}};
  timeline.samples = {{queue, 1000, 3}, {queue, 5000, 0}};
  return timeline;
}

TEST(Perfetto, TracesComeBackAsTheyWereRecorded) {
  const Trace trace = Parser().read(to_perfetto(two_tracks()));
  ASSERT_EQ(trace.slices.size(), 3u);
  EXPECT_EQ(trace.slices[0].name, "issue");
  EXPECT_EQ(trace.slices[0].detail, "kmeans.cu:28");
  EXPECT_EQ(trace.slices[1].name, "waits for operands");
  EXPECT_EQ(trace.slices[1].track, "warp 0");
  EXPECT_EQ(trace.slices[1].from, 2000u);
  EXPECT_EQ(trace.slices[1].to, 300000u);
  ASSERT_EQ(trace.samples.size(), 2u);
  EXPECT_EQ(trace.samples[0].value, 3u);
  EXPECT_EQ(trace.samples[1].at, 5000u);
  EXPECT_EQ(trace.parents.size(), 2u);
}

TEST(Perfetto, LeavesOutSlicesWithoutLength) {
  Timeline timeline = two_tracks();
  timeline.slices.push_back({1, 0, Timeline::kNone, 301000, 301000});
  EXPECT_EQ(Parser().read(to_perfetto(timeline)).slices.size(), 3u);
}

TEST(Timeline, SurvivesItsTextForm) {
  const Timeline before = two_tracks();
  const Timeline after = stats::timeline_from_text(stats::to_text(before));
  EXPECT_EQ(to_perfetto(after), to_perfetto(before));
  EXPECT_FALSE(after.cut);
}

TEST(Timeline, DamagedTextIsRefused) {
  EXPECT_THROW(stats::timeline_from_text("s 5 0 0 1 1\n"), UserError);
  EXPECT_THROW(stats::timeline_from_text("t 7 0 lost parent\n"), UserError);
  EXPECT_THROW(stats::timeline_from_text("what is this\n"), UserError);
}

}  // namespace
}  // namespace heddle::report
