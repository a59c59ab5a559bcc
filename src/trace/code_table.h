// Collects the instructions of a kernel from the lines of its trace, and numbers them in the order
// in which they appear.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/fields.h"
#include "trace/kernel_header.h"
#include "trace/mnemonic.h"
#include "trace/traced_kernel.h"

namespace heddle::trace {

class CodeTable {
 public:
  // The header must outlive the table.
  explicit CodeTable(const KernelHeader& header) : header_(header) {}

  struct Entry {
    std::uint32_t address = 0;
    std::string text;  // the part of its lines between the mask and the width
    isa::Instruction instruction;
    TracedKernel::Barrier barrier;
    bool lacks_immediates = false;  // of its first line, which decide the rest
    bool seen = false;              // its first line has been read
    bool has_addresses = false;     // all its lines have them
  };
  // A line of a warp up to its registers. What follows: width and addresses of a memory
  // instruction, then immediates.
  struct Line {
    std::uint32_t number = 0;  // of the instruction
    LaneMask executed;
    Fields rest{{}};
  };
  // Throws FormatError. The table knows the instruction from now on.
  Line read(std::string_view line);
  const Entry& entry(std::uint32_t number) const { return entries_[number]; }
  // Of an entry that lacks them. first, second: meaningless beyond `count`.
  void set_immediates(std::uint32_t number, int count, std::int64_t first, std::int64_t second);

  // Whether the line of an instruction of memory has addresses. Throws FormatError when its other
  // lines differ.
  void set_addresses(std::uint32_t number, bool has);

  // The kernel of all lines. Throws FormatError.
  std::shared_ptr<TracedKernel> finish(const std::string& module) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t find(std::uint32_t address, std::string_view rest) const;
  std::uint32_t add(std::uint32_t address, std::string_view rest, std::uint32_t source_line);
  std::uint16_t register_number(std::string_view name);
  void add_registers(isa::Instruction& i, std::string_view name, int count, bool written);

  const KernelHeader& header_;
  std::vector<Entry> entries_;
  // Of an address: the last entry there, and of an entry the one before. Functions that the kernel
  // calls have the same addresses.
  std::vector<std::uint32_t> last_at_;
  std::vector<std::uint32_t> before_;
  std::unordered_map<std::uint32_t, std::uint16_t> registers_;  // by kind and index
  std::vector<std::uint16_t> register_names_;
};

}  // namespace heddle::trace
