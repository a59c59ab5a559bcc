// Diagnostics of illegal actions of the simulated program.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Parts of diagnostics.
std::string hex(std::uint64_t value);
std::string triple(std::uint64_t x, std::uint64_t y, std::uint64_t z);  // "(x,y,z)"
// Which of several programs; empty when there is one.
std::string program_line(const Launch& launch);
// "saxpy.cu:12, saxpy.ptx:40"
std::string source_place(const isa::Kernel& kernel, const isa::Instruction& instruction);

std::string mask_text(std::uint32_t mask);  // of lanes: "0x0000ffff"
// "shfl.sync"
std::string sync_name(const ptx::Instruction& instruction);

// A warning: lanes of a warp execute the instruction without the `others`, which its member mask
// names and which execute a matching one elsewhere.
std::string lone_lanes(const Warp& w, const DecodedInstruction& r, std::uint32_t lanes,
                       std::uint32_t others);

// The whole diagnostic of an access that is out of bounds.
std::string out_of_bounds(const Warp& w, const DecodedInstruction& r, int lane, ptx::Space space,
                          std::uint64_t address, std::uint32_t bytes, std::uint64_t size);
[[noreturn]] void throw_out_of_bounds(const Warp& w, const DecodedInstruction& r, int lane,
                                      ptx::Space space, std::uint64_t address, std::uint32_t bytes,
                                      std::uint64_t size);
[[noreturn]] void throw_misaligned(const Warp& w, const DecodedInstruction& r, int lane,
                                   std::uint64_t address, std::uint32_t bytes);
// what: the invalid operand of a texture or surface instruction.
[[noreturn]] void throw_bad_texture(const Warp& w, const DecodedInstruction& r, int lane,
                                    const std::string& what);
[[noreturn]] void throw_trap(const Warp& w, const DecodedInstruction& r, int lane,
                             const std::string& what);
// said: the message of CUDA.
[[noreturn]] void throw_assertion(const Warp& w, const DecodedInstruction& r, int lane,
                                  const std::string& said);
[[noreturn]] void throw_illegal_call(const Warp& w, const DecodedInstruction& r, int lane,
                                     std::uint64_t address);
[[noreturn]] void throw_stack_overflow(const Warp& w, const DecodedInstruction& r, int lane);
// A pointer that device code has passed to printf or free is invalid.
[[noreturn]] void throw_bad_pointer(const Warp& w, const DecodedInstruction& r, int lane,
                                    const std::string& what);

}  // namespace heddle::exec
