// What is said when the simulated program does something illegal.
#pragma once

#include <span>

#include "exec/state/machine.h"

namespace heddle::exec {

// The whole diagnostic of an access that is out of bounds.
std::string out_of_bounds(const Warp& w, const Record& r, int lane, ptx::Space space,
                          std::uint64_t address, std::uint32_t bytes, std::uint64_t size);
[[noreturn]] void throw_out_of_bounds(const Warp& w, const Record& r, int lane, ptx::Space space,
                                      std::uint64_t address, std::uint32_t bytes,
                                      std::uint64_t size);
[[noreturn]] void throw_misaligned(const Warp& w, const Record& r, int lane, std::uint64_t address,
                                   std::uint32_t bytes);
// what: what the texture or surface instruction was given.
[[noreturn]] void throw_bad_texture(const Warp& w, const Record& r, int lane,
                                    const std::string& what);
[[noreturn]] void throw_trap(const Warp& w, const Record& r, int lane, const std::string& what);
// said: in CUDA's words.
[[noreturn]] void throw_assertion(const Warp& w, const Record& r, int lane,
                                  const std::string& said);
[[noreturn]] void throw_illegal_call(const Warp& w, const Record& r, int lane,
                                     std::uint64_t address);
[[noreturn]] void throw_stack_overflow(const Warp& w, const Record& r, int lane);
// The host was asked to look at memory that is not there.
[[noreturn]] void throw_bad_pointer(const Warp& w, const Record& r, int lane,
                                    const std::string& what);
// Where warps stand, at most `most` of them, a line each that begins with a newline; those at no
// barrier do as `others` says.
std::string standing(const Machine& machine, std::span<const Warp* const> warps, int most,
                     const std::string& others);
// Warps of one CTA or of several; those that have ended are not told of, nor more than some.
// more: a line that begins with a newline, or nothing.
[[noreturn]] void throw_deadlock(const Machine& machine, std::span<const Warp* const> warps,
                                 const std::string& more = {});

}  // namespace heddle::exec
