// The text of a device printf: a format and the arguments that the compiler laid one behind the
// other in memory, each aligned to its size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::exec {

// Copies bytes of the thread's memory; false when they are not there.
using ReadMemory = std::function<bool(std::uint64_t address, void* to, std::uint32_t bytes)>;

// The string at an address; none when it leaves the thread's memory before it ends.
std::optional<std::string> read_text(const ReadMemory& read, std::uint64_t address);

struct Printed {
  std::string text;
  int arguments = 0;  // that the format consumed: what vprintf returns
};
// As the host's printf would write it. None when an argument or a string is not in memory.
std::optional<Printed> print(const ReadMemory& read, const std::string& format,
                             std::uint64_t arguments);

}  // namespace heddle::exec
