#include "report/perfetto.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::report {
namespace {

using stats::Timeline;

// Field numbers of perfetto/trace: trace_packet.proto, track_event.proto, track_descriptor.proto,
// interned_data.proto.
namespace field {
constexpr int kTracePacket = 1;
constexpr int kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
              kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr int kTrackUuid = 1, kTrackName = 2, kTrackProcess = 3, kTrackParent = 5,
              kTrackCounter = 8;
constexpr int kProcessPid = 1, kProcessName = 6;
constexpr int kEventAnnotation = 4, kEventType = 9, kEventNameIid = 10, kEventTrack = 11,
              kEventValue = 30;
constexpr int kAnnotationName = 10, kAnnotationString = 6;
constexpr int kInternedEventNames = 2, kInternedIid = 1, kInternedName = 2;
}  // namespace field
constexpr std::uint64_t kSequenceId = 1, kStateCleared = 1, kNeedsState = 2;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kCounter = 4;

class Message {
 public:
  Message& number(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(value);
    return *this;
  }
  Message& bytes(int field, std::string_view value) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  Message& message(int field, const Message& inner) { return bytes(field, inner.bytes_); }
  const std::string& text() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  std::string bytes_;
};

std::uint64_t uuid_of(std::uint32_t track) { return std::uint64_t{track} + 1; }

// The viewer shows tracks without a parent as processes.
Message descriptor_of(const Timeline& timeline, std::uint32_t index) {
  const Timeline::Track& track = timeline.tracks[index];
  Message descriptor;
  descriptor.number(field::kTrackUuid, uuid_of(index)).bytes(field::kTrackName, track.name);
  if (track.parent == Timeline::kNone)
    descriptor.message(field::kTrackProcess, Message()
                                                 .number(field::kProcessPid, uuid_of(index))
                                                 .bytes(field::kProcessName, track.name));
  else
    descriptor.number(field::kTrackParent, uuid_of(track.parent));
  if (track.counter) descriptor.message(field::kTrackCounter, Message());
  return descriptor;
}

struct Event {
  std::uint64_t at;
  enum class Kind : std::uint8_t { end, sample, begin } kind;  // order within a cycle
  std::uint32_t index;                                         // of the slice or sample
};

std::vector<Event> events_of(const Timeline& timeline) {
  std::vector<Event> events;
  events.reserve(2 * timeline.slices.size() + timeline.samples.size());
  for (std::uint32_t i = 0; i < timeline.slices.size(); ++i) {
    if (timeline.slices[i].from >= timeline.slices[i].to) continue;
    events.push_back({timeline.slices[i].from, Event::Kind::begin, i});
    events.push_back({timeline.slices[i].to, Event::Kind::end, i});
  }
  for (std::uint32_t i = 0; i < timeline.samples.size(); ++i)
    events.push_back({timeline.samples[i].at, Event::Kind::sample, i});
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.at != b.at ? a.at < b.at : a.kind != b.kind ? a.kind < b.kind : a.index < b.index;
  });
  return events;
}

Message event_of(const Timeline& timeline, const Event& event) {
  Message message;
  if (event.kind == Event::Kind::sample) {
    const Timeline::Sample& sample = timeline.samples[event.index];
    return message.number(field::kEventType, kCounter)
        .number(field::kEventTrack, uuid_of(sample.track))
        .number(field::kEventValue, sample.value);
  }
  const Timeline::Slice& slice = timeline.slices[event.index];
  message.number(field::kEventTrack, uuid_of(slice.track));
  if (event.kind == Event::Kind::end) return message.number(field::kEventType, kSliceEnd);
  message.number(field::kEventType, kSliceBegin)
      .number(field::kEventNameIid, std::uint64_t{slice.name} + 1);
  const auto annotate = [&](std::string_view name, std::uint32_t value) {
    if (value < timeline.names.size())
      message.message(field::kEventAnnotation,
                      Message()
                          .bytes(field::kAnnotationName, name)
                          .bytes(field::kAnnotationString, timeline.names[value]));
  };
  annotate("at", slice.detail);
  annotate("waits for", slice.cause);
  return message;
}

}  // namespace

std::string to_perfetto(const Timeline& timeline) {
  Message trace;
  // The first packet has the names of slices; later packets refer to them by number.
  Message interned;
  for (std::uint32_t i = 0; i < timeline.names.size(); ++i)
    interned.message(field::kInternedEventNames,
                     Message()
                         .number(field::kInternedIid, std::uint64_t{i} + 1)
                         .bytes(field::kInternedName, timeline.names[i]));
  trace.message(field::kTracePacket, Message()
                                         .number(field::kSequence, kSequenceId)
                                         .number(field::kSequenceFlags, kStateCleared)
                                         .message(field::kInternedData, interned));
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i)
    trace.message(field::kTracePacket,
                  Message()
                      .number(field::kSequence, kSequenceId)
                      .message(field::kTrackDescriptor, descriptor_of(timeline, i)));
  for (const Event& event : events_of(timeline))
    trace.message(field::kTracePacket, Message()
                                           .number(field::kTimestamp, event.at)
                                           .number(field::kSequence, kSequenceId)
                                           .number(field::kSequenceFlags, kNeedsState)
                                           .message(field::kTrackEvent, event_of(timeline, event)));
  return trace.text();
}

}  // namespace heddle::report
