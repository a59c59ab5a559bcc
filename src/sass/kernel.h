// Machine code of a kernel, ready to be launched.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/kernel.h"
#include "ptx/instruction.h"
#include "sass/cubin/cubin.h"
#include "sass/instruction.h"

namespace heddle::sass {

// `code` has no form when the instruction is not decoded: it is refused when it is reached.
// ptx_line is its address. Execution sets the fields of PTX where an instruction of PTX does the
// same; for all others the opcode is nop.
struct KernelInstruction : ptx::Instruction {
  sass::Instruction code;
};

// Code that lies in one section of the cubin.
struct CodeSegment {
  std::string name;
  std::uint64_t address = 0;  // absolute: of this cubin's code, from kCodeBase on
  Pc first = 0;
  Pc count = 0;
};

// Absolute addresses of code, below all data. A function of the system has one, too.
inline constexpr std::uint64_t kCodeBase = 0x04000000;
inline constexpr std::uint64_t kSystemBase = 0x03f00000;

// The contents of the constant banks except 0, which a launch fills, and 3, which is in memory.
inline constexpr int kBanks = 5, kUserBank = 3;

struct Kernel final : isa::Kernel {
  int architecture = 0;
  std::vector<KernelInstruction> code;  // `instructions` are the bases of these
  std::vector<CodeSegment> segments;    // the kernel first
  std::map<Pc, std::string> refusals;   // why an instruction is not decoded
  std::array<std::vector<std::uint8_t>, kBanks> banks;
  Address user_constants{};  // of bank 3
  std::uint32_t user_constant_bytes = 0;
  std::uint32_t parameter_base = 0;                // in bank 0
  std::map<std::uint32_t, std::uint32_t> handles;  // of references, by offset in bank 0
  std::uint32_t registers = 0;                     // R0 to R(n-1) may be used
  std::uint32_t uniform_registers = 0;             // likewise UR0
  // Functions of the system that the code may call. An instruction stands for each; the last
  // segment has these.
  std::vector<std::string> system_functions;
  Pc first_system_call = 0;

  // kNoPc: no code of the kernel is there.
  Pc pc_of(std::uint64_t address) const {
    for (const CodeSegment& s : segments) {
      const std::uint64_t within = address - s.address;
      if (within < std::uint64_t{s.count} * kInstructionBytes && within % kInstructionBytes == 0)
        return s.first + static_cast<Pc>(within / kInstructionBytes);
    }
    return kNoPc;
  }
  const CodeSegment& segment_of(Pc pc) const {
    std::size_t n = segments.size() - 1;
    while (segments[n].first > pc) --n;
    return segments[n];
  }
  std::uint64_t address_of(Pc pc) const {
    const CodeSegment& s = segment_of(pc);
    return s.address + std::uint64_t{pc - s.first} * kInstructionBytes;
  }
};

// Where the symbols of a cubin are: its variables and its constant bank 3; and the handles of
// texture and surface references, as constant bank 0 has them.
struct SymbolPlaces {
  std::map<std::string, Address, std::less<>> variables;
  Address user_constants{};
  std::map<std::string, std::uint32_t, std::less<>> handles;
};

// The code of one kernel, with the functions of the cubin that it may call. UserError when the
// cubin has none of this name, or refers to what is nowhere.
Kernel make_kernel(const Cubin& cubin, const std::string& name, const std::string& module,
                   const SymbolPlaces& places);

// The address of a symbol: a variable, a function, or a function of the system: 0.
std::uint64_t address_of_symbol(const Cubin& cubin, const Symbol& symbol,
                                const SymbolPlaces& places);

}  // namespace heddle::sass
