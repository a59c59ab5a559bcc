#include "stats/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle::stats {
namespace {

struct Damaged {};

class Reader {
 public:
  explicit Reader(std::string_view line) : rest_(line) {}
  template <class T>
  T number() {
    T value{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) throw Damaged();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (!rest_.empty()) rest_.remove_prefix(1);
    return value;
  }
  bool at_end() const { return rest_.empty(); }
  std::string text() const { return std::string(rest_); }

 private:
  std::string_view rest_;
};

void read_line(Timeline& timeline, std::string_view line) {
  const auto is_optional_name = [&](std::uint32_t name) {
    return name == Timeline::kNone || name < timeline.names.size();
  };
  Reader reader(line.substr(std::min<std::size_t>(2, line.size())));
  switch (line[0]) {
    case 't': {
      Timeline::Track track;
      track.parent = reader.number<std::uint32_t>();
      track.counter = reader.number<int>() != 0;
      track.name = reader.text();
      if (track.parent != Timeline::kNone && track.parent >= timeline.tracks.size())
        throw Damaged();
      timeline.tracks.push_back(std::move(track));
      return;
    }
    case 'n': timeline.names.push_back(reader.text()); return;
    case 's': {
      Timeline::Slice slice;
      slice.track = reader.number<std::uint32_t>();
      slice.name = reader.number<std::uint32_t>();
      slice.detail = reader.number<std::uint32_t>();
      slice.cause = reader.number<std::uint32_t>();
      slice.from = reader.number<std::uint64_t>();
      slice.to = slice.from + reader.number<std::uint64_t>();
      if (slice.track >= timeline.tracks.size() || slice.name >= timeline.names.size() ||
          !is_optional_name(slice.detail) || !is_optional_name(slice.cause))
        throw Damaged();
      timeline.slices.push_back(slice);
      return;
    }
    case 'c': {
      Timeline::Sample sample;
      sample.track = reader.number<std::uint32_t>();
      sample.at = reader.number<std::uint64_t>();
      sample.value = reader.number<std::uint64_t>();
      if (sample.track >= timeline.tracks.size()) throw Damaged();
      timeline.samples.push_back(sample);
      return;
    }
    case 'k': {
      Timeline::Cta cta;
      cta.sm = reader.number<std::uint32_t>();
      cta.kernel = reader.number<std::uint32_t>();
      cta.number = reader.number<std::uint64_t>();
      cta.from = reader.number<std::uint64_t>();
      cta.to = cta.from + reader.number<std::uint64_t>();
      while (!reader.at_end()) cta.slots.push_back(reader.number<std::uint32_t>());
      if (cta.kernel >= timeline.names.size()) throw Damaged();
      timeline.ctas.push_back(std::move(cta));
      return;
    }
    case 'x': timeline.truncated = true; return;
    default: throw Damaged();
  }
}

// A name ends with its line.
std::string one_line(std::string name) {
  std::replace(name.begin(), name.end(), '\n', ' ');
  return name;
}

}  // namespace

std::string to_text(const Timeline& timeline) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const auto& t : timeline.tracks)
    fmt::format_to(out, "t {} {} {}\n", t.parent, t.counter ? 1 : 0, one_line(t.name));
  for (const auto& name : timeline.names) fmt::format_to(out, "n {}\n", one_line(name));
  for (const auto& s : timeline.slices)
    fmt::format_to(out, "s {} {} {} {} {} {}\n", s.track, s.name, s.detail, s.cause, s.from,
                   s.to - s.from);
  for (const auto& s : timeline.samples)
    fmt::format_to(out, "c {} {} {}\n", s.track, s.at, s.value);
  for (const auto& c : timeline.ctas)
    fmt::format_to(out, "k {} {} {} {} {} {}\n", c.sm, c.kernel, c.number, c.from, c.to - c.from,
                   fmt::join(c.slots, " "));
  if (timeline.truncated) fmt::format_to(out, "x\n");
  return fmt::to_string(text);
}

Timeline timeline_from_text(const std::string& text, const std::string& name) {
  Timeline timeline;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    try {
      if (end > at) read_line(timeline, std::string_view(text).substr(at, end - at));
    } catch (const Damaged&) {
      throw UserError(fmt::format("{}, line {}: the recording is damaged", name, number + 1));
    }
    at = end + 1;
  }
  return timeline;
}

}  // namespace heddle::stats
