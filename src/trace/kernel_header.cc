#include "trace/kernel_header.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "trace/fields.h"
#include "trace/format_error.h"
#include "trace/model_address.h"

namespace heddle::trace {
namespace {

constexpr std::uint64_t kMostGridX = 0x7fffffff, kMostGridYZ = 0xffff, kMostCtas = 1 << 28;
constexpr std::uint64_t kMostSharedBytes = 16 << 20;
constexpr std::uint64_t kMostRegistersOfThread = 255;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "(8,4,1)"
Dim3 dimensions(std::string_view text, const char* what, const std::array<std::uint64_t, 3>& most) {
  if (!text.starts_with('(') || !text.ends_with(')'))
    throw FormatError(fmt::format("{}: '{}' is not (x,y,z)", what, text.substr(0, 40)));
  const Dim3 value = parse_triple(text.substr(1, text.size() - 2), what, most);
  if (value.count() == 0) throw FormatError(fmt::format("{} has a 0", what));
  return value;
}

}  // namespace

void KernelHeader::read(std::string_view line) {
  const auto equals = line.find('=');
  if (!line.starts_with('-') || equals == std::string_view::npos) return;
  const std::string_view key = trimmed(line.substr(1, equals - 1));
  const std::string_view value = trimmed(line.substr(equals + 1));
  const auto number = [&](const char* what, std::uint64_t most) {
    return static_cast<std::uint32_t>(parse_number(value, what, most, 10));
  };
  if (key == "kernel name") {
    if (std::any_of(value.begin(), value.end(),
                    [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      throw FormatError("the kernel's name has control characters");
    name = value;
  } else if (key == "grid dim") {
    grid = dimensions(value, "grid dim", {kMostGridX, kMostGridYZ, kMostGridYZ});
  } else if (key == "block dim") {
    block = dimensions(value, "block dim", {kMostThreads, kMostThreads, 64});
  } else if (key == "shmem") {
    shared_bytes = number("shmem", kMostSharedBytes);
  } else if (key == "nregs") {
    registers = number("nregs", kMostRegistersOfThread);
  } else if (key == "binary version") {
    architecture = number("binary version", 999);
  } else if (key == "cuda stream id") {
    stream = parse_number(value, "cuda stream id", ~std::uint64_t{0}, 10);
  } else if (key == "shmem base_addr") {
    shared_base = parse_number(value, "shmem base_addr", kMostAddress, 16);
  } else if (key == "local mem base_addr") {
    local_base = parse_number(value, "local mem base_addr", kMostAddress, 16);
  } else if (key == "accelsim tracer version") {
    version = number("accelsim tracer version", 0xffffffff);
  } else if (key == "enable lineinfo") {
    lines = number("enable lineinfo", 1) == 1;
  }
}

void KernelHeader::check() const {
  if (version < kOldestVersion || version > kNewestVersion)
    throw FormatError(
        version == 0 ? "the head has no 'accelsim tracer version': is it the trace of a kernel?"
                     : fmt::format("tracer version {}: versions {} to {} are replayed", version,
                                   kOldestVersion, kNewestVersion));
  if (name.empty()) throw FormatError("the head has no 'kernel name'");
  if (grid.x == 0) throw FormatError("the head has no 'grid dim'");
  if (block.x == 0) throw FormatError("the head has no 'block dim'");
  if (grid.count() > kMostCtas)
    throw FormatError(fmt::format("grid dim: more than {} CTAs", kMostCtas));
  if (block.count() > kMostThreads)
    throw FormatError(fmt::format("block dim: more than {} threads", kMostThreads));
  if (registers == 0) throw FormatError("the head has no 'nregs'");
}

LaneMask KernelHeader::lanes(std::uint32_t warp) const {
  const std::uint64_t left = block.count() - std::uint64_t{warp} * kWarpSize;
  return LaneMask::first(static_cast<int>(std::min<std::uint64_t>(left, kWarpSize)));
}

}  // namespace heddle::trace
