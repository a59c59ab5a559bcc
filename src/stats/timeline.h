// Slices and samples on named tracks over time. The simulated process records them; report/ writes
// them in the format of a viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::stats {

struct Timeline {
  static constexpr std::uint64_t kUnitsPerCycle = 1000;  // times are in thousandths of a core cycle
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Track {
    std::uint32_t parent = kNone;
    bool counter = false;
    std::string name;
  };
  // Slices of one track do not overlap. name, detail and cause are indices of `names`. The cause is
  // what the slice waits for.
  struct Slice {
    std::uint32_t track = 0, name = 0, detail = kNone, cause = kNone;
    std::uint64_t from = 0, to = 0;
  };
  struct Sample {
    std::uint32_t track = 0;
    std::uint64_t at = 0, value = 0;
  };

  // A CTA while it is on an SM. kernel: an index of `names`.
  struct Cta {
    std::uint32_t sm = 0, kernel = 0;
    std::uint64_t number = 0, from = 0, to = 0;
    std::vector<std::uint32_t> slots;  // of its warps, in their order
  };

  std::vector<Track> tracks;  // parents before children
  std::vector<std::string> names;
  std::vector<Slice> slices;
  std::vector<Sample> samples;
  std::vector<Cta> ctas;
  bool truncated = false;  // the recording is full and not complete

  std::uint32_t add_track(std::string name, std::uint32_t parent = kNone, bool counter = false) {
    tracks.push_back({parent, counter, std::move(name)});
    return static_cast<std::uint32_t>(tracks.size() - 1);
  }
  std::uint32_t add_name(std::string name) {
    names.push_back(std::move(name));
    return static_cast<std::uint32_t>(names.size() - 1);
  }
};

// One line per entry: how the simulated process hands its timeline over.
std::string to_text(const Timeline& timeline);
// Throws UserError with the place when the text is damaged. name: of the file.
Timeline timeline_from_text(const std::string& text, const std::string& name = "the timeline");

}  // namespace heddle::stats
