// The text of a device printf: a format, and the arguments that the compiler placed in memory, each
// aligned to its size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::exec {

// Copies bytes of the thread's memory; false when they are in no memory of the thread.
using ReadMemory = std::function<bool(std::uint64_t address, void* to, std::uint32_t bytes)>;

// The string at an address; none when the thread's memory ends before the string.
std::optional<std::string> read_text(const ReadMemory& read, std::uint64_t address);

struct Printed {
  std::string text;
  int arguments = 0;  // consumed by the format: the result of vprintf
};
// Formats like the host's printf. None when an argument or a string is not in memory.
std::optional<Printed> print(const ReadMemory& read, const std::string& format,
                             std::uint64_t arguments);

}  // namespace heddle::exec
