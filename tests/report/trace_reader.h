// Reads a Perfetto trace back by the rules of its trace processor: every event is on a described
// track, names are interned before they are used, slices of a track do not overlap, time does not
// run backwards. Throws where a rule is broken.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/report/protobuf_reader.h"

namespace heddle::test {

struct Trace {
  struct Slice {
    std::string track, name, detail, cause;
    std::uint64_t from, to;
  };
  struct Sample {
    std::string track;
    std::uint64_t at, value;
  };
  std::map<std::uint64_t, std::string> tracks;
  std::map<std::uint64_t, std::uint64_t> parents;
  std::set<std::uint64_t> counters;
  std::vector<Slice> slices;
  std::vector<Sample> samples;
};

class TraceReader {
 public:
  Trace read(std::string_view text) {
    for (const Field& packet : ProtobufReader(text).fields()) {
      demand(packet.number == 1, "a trace holds packets only");
      read_packet(packet.bytes);
    }
    for (const auto& [track, open] : open_) demand(!open.is_open, "a slice has no end");
    return std::move(trace_);
  }

 private:
  struct Open {
    bool is_open = false;
    std::uint64_t at = 0, name = 0;
    std::string detail, cause;
  };

  static void demand(bool holds, const char* rule) {
    if (!holds) throw std::runtime_error(rule);
  }
  void read_packet(std::string_view bytes) {
    std::uint64_t time = 0, sequence = 0, flags = 0;
    std::string_view event, track, interned;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 8)
        time = f.value;
      else if (f.number == 10)
        sequence = f.value;
      else if (f.number == 11)
        event = f.bytes;
      else if (f.number == 12)
        interned = f.bytes;
      else if (f.number == 13)
        flags = f.value;
      else if (f.number == 60)
        track = f.bytes;
      else
        demand(false, "an unknown part of a packet");
    }
    demand(sequence != 0, "a packet without a sequence is ignored");
    cleared_ = cleared_ || (flags & 1);
    demand(!(flags & 2) || cleared_, "a packet that needs state comes after the state was cleared");
    if (!interned.empty()) read_names(interned);
    if (!track.empty()) read_track(track);
    if (!event.empty()) read_event(event, time);
  }
  void read_names(std::string_view bytes) {
    for (const Field& f : ProtobufReader(bytes).fields()) {
      demand(f.number == 2, "only event names are interned");
      std::uint64_t id = 0;
      for (const Field& g : ProtobufReader(f.bytes).fields()) {
        if (g.number == 1)
          id = g.value;
        else
          names_[id] = std::string(g.bytes);
      }
      demand(id != 0, "an interned name has a number above zero");
    }
  }
  void read_track(std::string_view bytes) {
    std::uint64_t uuid = 0;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 1) uuid = f.value;
      if (f.number == 2) trace_.tracks[uuid] = std::string(f.bytes);
      if (f.number == 5) {
        demand(trace_.tracks.contains(f.value), "a parent comes before its children");
        trace_.parents[uuid] = f.value;
      }
      if (f.number == 8) trace_.counters.insert(uuid);
    }
    demand(uuid != 0, "a track has a number above zero");
  }
  void read_event(std::string_view bytes, std::uint64_t time) {
    demand(time >= last_time_, "time does not run backwards");
    last_time_ = time;
    std::uint64_t type = 0, track = 0, name = 0, value = 0;
    std::string detail, cause;
    for (const Field& f : ProtobufReader(bytes).fields()) {
      if (f.number == 9) type = f.value;
      if (f.number == 11) track = f.value;
      if (f.number == 10) name = f.value;
      if (f.number == 30) value = f.value;
      if (f.number != 4) continue;
      std::string name_of_value, text;
      for (const Field& g : ProtobufReader(f.bytes).fields()) {
        if (g.number == 10) name_of_value = std::string(g.bytes);
        if (g.number == 6) text = std::string(g.bytes);
      }
      demand(name_of_value == "at" || name_of_value == "waits for",
             "an annotation has a known name");
      (name_of_value == "at" ? detail : cause) = text;
    }
    demand(trace_.tracks.contains(track), "an event is on a described track");
    demand(trace_.counters.contains(track) == (type == 4),
           "samples are on counter tracks, slices are not");
    Open& open = open_[track];
    if (type == 1) {
      demand(!open.is_open, "slices of one track do not overlap");
      demand(names_.contains(name), "a name is interned before it is used");
      open = {true, time, name, std::move(detail), std::move(cause)};
    } else if (type == 2) {
      demand(open.is_open, "a slice begins before it ends");
      trace_.slices.push_back(
          {trace_.tracks[track], names_[open.name], open.detail, open.cause, open.at, time});
      open.is_open = false;
    } else {
      demand(type == 4, "an event of unknown type");
      trace_.samples.push_back({trace_.tracks[track], time, value});
    }
  }

  Trace trace_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, Open> open_;
  std::uint64_t last_time_ = 0;
  bool cleared_ = false;
};

}  // namespace heddle::test
