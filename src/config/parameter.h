// One parameter of a GPU: a member of a GpuSpec with its name, unit, range and meaning. Reading,
// overriding, printing and listing use this table.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::config {

// The names of an enumeration's values, in their order.
struct ChoiceSlot {
  std::uint8_t* value;
  std::span<const std::string_view> names;
};
// A list of any length except 0.
using OpenListSlot = std::vector<std::uint32_t>*;
struct ListSlot {
  std::uint32_t* first;
  std::size_t count;
};

struct Limits {
  double low = 0;
  double high = std::numeric_limits<std::uint32_t>::max();
  bool power_of_two = false;
};

struct GpuParameter {
  std::string key;
  std::string unit;  // "bytes" also accepts 16KiB, 48KB, 1MiB
  Limits limits;
  std::string meaning;
  std::string source;
  std::variant<std::uint32_t*, std::uint64_t*, double*, bool*, std::string*, ChoiceSlot, ListSlot,
               OpenListSlot>
      slot;
  // The value of all GPUs that were described before the parameter existed: a file need not have
  // the parameter, and at this value it is not part of the hash. Empty: it has always existed.
  std::string_view earlier{};

  std::string range() const;                        // the allowed values, in words
  std::string toml() const;                         // the value as a TOML literal
  std::string text() const;                         // the value as a user types it
  std::string assign(std::string_view text) const;  // empty, or why the text is wrong
};

// Every parameter of this GPU, in canonical order, bound to its members.
std::vector<GpuParameter> parameters(GpuSpec& gpu);

// A violated rule between several parameters.
struct Contradiction {
  std::vector<std::string> keys;  // the parameters involved, the most relevant first
  std::string problem;
};
std::vector<Contradiction> contradictions(const GpuSpec& gpu);

}  // namespace heddle::config
