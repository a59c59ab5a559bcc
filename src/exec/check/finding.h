// A finding of `heddle check`: one mistake at one place of one kernel, described by its first
// occurrence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/types.h"

namespace heddle::exec {

enum class Tool : std::uint8_t { memory, races, init, barriers };

// The place of an instruction in the CUDA source and in the PTX.
struct Place {
  std::string file;  // CUDA source; empty: unknown
  std::uint32_t line = 0;
  std::string module;
  std::uint32_t ptx_line = 0;  // 0: unknown
};

struct ThreadId {
  Dim3 cta{0, 0, 0}, thread{0, 0, 0};
};

struct Finding {
  Tool tool = Tool::memory;
  std::string what;        // "out-of-bounds store of 4 bytes"
  std::string kernel;      // mangled
  std::uint64_t grid = 0;  // the launch's number, from 1
  Place place;
  ThreadId who;
  std::string space;          // "global", "shared", "local"; empty: no address belongs to it
  std::uint64_t address = 0;  // shared and local: offset
  std::string nearest;        // global: the allocation at the address or next to it
  struct Other {              // a race's second access, a barrier's second arrival
    std::string act;          // "writes"
    ThreadId who;
    Place place;
  };
  std::optional<Other> other;
  std::string note;
  std::uint64_t count = 1;  // occurrences
};

}  // namespace heddle::exec
