#include "sass/kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "ptx/flow/call_graph.h"
#include "sass/architecture.h"
#include "sass/control_flow.h"
#include "sass/decode.h"
#include "sass/encoding/form.h"
#include "sass/image_fields.h"
#include "sass/ptx_fields.h"
#include "sass/register_ranges.h"
#include "sass/timing_fields.h"

namespace heddle::sass {
namespace {

constexpr std::uint32_t kReservedSharedBytes = 1024;  // of a CTA on sm_90
// No GPU has more: 512 KiB of local memory of a thread (CUDA C++ Programming Guide, technical
// specifications), 228 KiB of shared memory of an SM.
constexpr std::uint32_t kMostLocalBytes = 512 << 10, kMostSharedBytes = 1 << 20;
// Types of relocations: of 64 bits; the low or high word of an address, in bits 63:32 of an
// instruction; an address of code in a call, up to sm_89 and from sm_90 on.
constexpr std::uint32_t kAddress64 = 2, kGenericAddress64 = 4, kLowWord = 56, kHighWord = 57,
                        kCallee = 58, kWideCallee = 75;

std::uint64_t bytes_of(const Code& code) { return code.words.size() * kInstructionBytes; }

// Where each piece of code is, in the order of the cubin.
std::vector<std::uint64_t> code_addresses(const Cubin& cubin) {
  std::vector<std::uint64_t> addresses;
  std::uint64_t next = kCodeBase;
  for (const Code& code : cubin.code) {
    addresses.push_back(next);
    next += (bytes_of(code) + 127) / 128 * 128;
  }
  return addresses;
}

class Maker {
 public:
  Maker(const Cubin& cubin, const SymbolPlaces& places) : cubin_(cubin), places_(places) {}

  Kernel make(const std::string& name, const std::string& module) {
    const auto own = std::find_if(cubin_.code.begin(), cubin_.code.end(), [&](const Code& code) {
      return code.kernel && code.name == name;
    });
    if (own == cubin_.code.end()) throw UserError(module + ": the cubin has no kernel " + name);
    kernel_.name = name;
    kernel_.module = module;
    kernel_.architecture = cubin_.architecture;
    kernel_.has_control_words = true;
    kernel_.source_lines.emplace_back();
    const std::vector<std::uint64_t> addresses = code_addresses(cubin_);
    add_code(*own, addresses[static_cast<std::size_t>(own - cubin_.code.begin())]);
    for (std::size_t n = 0; n < cubin_.code.size(); ++n)
      if (!cubin_.code[n].kernel) add_code(cubin_.code[n], addresses[n]);
    describe(*own);
    add_banks(name);
    add_system_calls();
    set_absolute_targets();
    number_registers();
    mark_waits_for_copies();
    mark_control_flow(kernel_, own->info.indirect_branches);
    for (const KernelInstruction& i : kernel_.code) kernel_.instructions.push_back(i);
    return std::move(kernel_);
  }

 private:
  void add_code(const Code& code, std::uint64_t address) {
    const auto first = static_cast<Pc>(kernel_.code.size());
    kernel_.segments.push_back({code.name, address, first, static_cast<Pc>(code.words.size())});
    std::size_t next_line = 0;
    std::uint32_t source = 0;
    std::map<std::size_t, std::string> unknown;
    const std::vector<InstructionWord> words = relocated(code, unknown);
    for (std::size_t n = 0; n < words.size(); ++n) {
      const std::uint64_t at = n * kInstructionBytes;
      for (; next_line < code.lines.size() && code.lines[next_line].address <= at; ++next_line)
        source = line_number(code.lines[next_line]);
      KernelInstruction i;
      i.source = source;
      i.ptx_line = static_cast<std::uint32_t>(at);
      std::variant<Instruction, NotDecoded> decoded = decode(words[n], cubin_.architecture, at);
      if (unknown.contains(n)) decoded = NotDecoded{unknown.at(n)};
      if (const auto* known = std::get_if<Instruction>(&decoded)) {
        const std::string problem = problem_of(*known, code.name);
        if (!problem.empty()) decoded = NotDecoded{problem};
      }
      if (auto* instruction = std::get_if<Instruction>(&decoded))
        i.code = *instruction;
      else
        kernel_.refusals[static_cast<Pc>(kernel_.code.size())] =
            std::get<NotDecoded>(decoded).reason;
      if (i.code.form) set_target(i, first, code.words.size()), set_ptx_fields(i);
      if (i.code.form && is_of_image(i.code.opcode)) set_image_fields(i, cubin_.architecture);
      kernel_.code.push_back(i);
    }
  }

  void add_handles(const ConstantBank& bank) {
    constexpr std::uint64_t kMost = 64 << 10;  // bytes of a bank
    for (const Relocation& relocation : bank.relocations) {
      const auto handle = places_.handles.find(cubin_.symbols[relocation.symbol].name);
      if (handle == places_.handles.end()) continue;
      if (relocation.offset > kMost - 4)
        throw UserError(kernel_.module + ": the cubin is corrupt: a reference lies outside");
      kernel_.handles[static_cast<std::uint32_t>(relocation.offset)] = handle->second;
    }
  }

  // The symbol whose handle a loader puts where the instruction reads constant bank 0, if any.
  std::string reference_in(const Instruction& i, const std::string& code) const {
    std::vector<std::uint64_t> offsets;
    const Operand* bank = nullptr;
    for (std::size_t k = 0; k < i.form->operands.size(); ++k) {
      const Operand& o = i.operands[k];
      if (o.kind == OperandKind::constant && o.bank == 0)
        offsets.push_back(static_cast<std::uint64_t>(o.value));
      if (o.kind != OperandKind::immediate || !is_of_image(i.opcode)) continue;
      if (bank && bank->value == 0) offsets.push_back(4 * static_cast<std::uint64_t>(o.value));
      bank = &o;
    }
    for (const ConstantBank& b : cubin_.constants)
      for (const Relocation& relocation : b.relocations)
        if (b.bank == 0 && b.code == code &&
            std::find(offsets.begin(), offsets.end(), relocation.offset) != offsets.end())
          return cubin_.symbols[relocation.symbol].name;
    return {};
  }

  // Why a decoded instruction is refused; empty when it is not.
  std::string problem_of(const Instruction& i, const std::string& code) const {
    const std::string reference = reference_in(i, code);
    if (!reference.empty() && !places_.handles.contains(reference))
      return "it uses " + reference + ", which is no texture or surface";
    return has_all_registers(i) ? "" : "it uses registers that do not exist";
  }

  // The code with the addresses that a loader puts into it. `unknown`: instructions for which that
  // is not known.
  std::vector<InstructionWord> relocated(const Code& code,
                                         std::map<std::size_t, std::string>& unknown) {
    std::vector<InstructionWord> words = code.words;
    for (const Relocation& relocation : code.relocations) {
      const std::size_t n = relocation.offset / kInstructionBytes;
      if (n >= words.size())
        throw UserError(kernel_.module + ": the cubin is corrupt: a relocation lies outside");
      const std::uint64_t value = address_of(cubin_.symbols[relocation.symbol]) +
                                  static_cast<std::uint64_t>(relocation.addend);
      switch (relocation.type) {
        case kLowWord: words[n].put(63, 32, value); break;
        case kHighWord: words[n].put(63, 32, value >> 32); break;
        case kCallee: words[n].put(80, 34, value / 4); break;
        case kWideCallee:
          words[n].put(80, 34, value >> 10);
          words[n].put(23, 16, value / 4);
          break;
        default:
          unknown[n] = fmt::format("its relocation of type {} is not known", relocation.type);
      }
    }
    return words;
  }

  // CALL.ABS with an address.
  void set_absolute_targets() {
    for (KernelInstruction& i : kernel_.code) {
      if (!i.code.form || i.code.opcode != Opcode::CALL || i.code.form->operands.size() != 2)
        continue;
      const Operand& operand = i.code.operands[1];
      if (operand.kind == OperandKind::immediate)
        i.target = kernel_.pc_of(static_cast<std::uint64_t>(operand.value));
    }
  }

  static void set_target(KernelInstruction& i, Pc first, std::size_t count) {
    if (i.code.opcode != Opcode::BRA && i.code.opcode != Opcode::CALL &&
        i.code.opcode != Opcode::BSSY && i.code.opcode != Opcode::WARPSYNC)
      return;
    for (const Operand& operand : i.code.operands) {
      if (operand.kind != OperandKind::label) continue;
      const auto at = static_cast<std::uint64_t>(operand.value);
      if (at % kInstructionBytes == 0 && at / kInstructionBytes < count)
        i.target = first + static_cast<Pc>(at / kInstructionBytes);
    }
  }

  std::uint32_t line_number(const ListedLine& line) {
    const auto same = [&](const isa::SourceLine& known) {
      return known.line == line.line && known.file == line.file;
    };
    auto& lines = kernel_.source_lines;
    const auto known = std::find_if(lines.begin() + 1, lines.end(), same);
    if (known != lines.end()) return static_cast<std::uint32_t>(known - lines.begin());
    lines.push_back({line.file, static_cast<std::uint32_t>(line.line)});
    return static_cast<std::uint32_t>(lines.size() - 1);
  }

  void describe(const Code& own) {
    const KernelInfo& info = own.info;
    kernel_.registers_per_thread = info.registers;
    const std::uint32_t stack = std::max(info.stack_bytes, info.frame_bytes);
    if (stack > kMostLocalBytes || own.shared_bytes > kMostSharedBytes)
      throw UserError(
          fmt::format("{}: the cubin is corrupt: kernel {} wants {} bytes of stack and "
                      "{} of shared memory",
                      kernel_.module, kernel_.name, stack, own.shared_bytes));
    kernel_.shared_bytes = static_cast<std::uint32_t>(own.shared_bytes);
    if (cubin_.architecture >= 90)
      kernel_.shared_bytes = std::max(kernel_.shared_bytes, kReservedSharedBytes);
    kernel_.local_bytes = (stack + 15) / 16 * 16;
    kernel_.parameter_base = info.parameter_base;
    for (const KernelParameter& p : info.parameters) {
      kernel_.parameters.push_back({"", p.offset, p.bytes, 1});
      kernel_.parameter_bytes = std::max(kernel_.parameter_bytes, p.offset + p.bytes);
    }
    kernel_.parameter_bytes =
        std::max<std::uint32_t>(kernel_.parameter_bytes, info.parameter_bytes);
    // No block and no cluster has more parts.
    const auto small_shape = [&](const std::vector<std::uint32_t>& words, const char* what) {
      constexpr std::uint32_t kMost = 1024;
      const Dim3 shape{words[0], words[1], words[2]};
      const auto in_range = [](std::uint32_t size) { return size >= 1 && size <= kMost; };
      if (!in_range(shape.x) || !in_range(shape.y) || !in_range(shape.z) || shape.count() > kMost)
        throw UserError(fmt::format("{}: the cubin is corrupt: a {} of {} x {} x {}",
                                    kernel_.module, what, shape.x, shape.y, shape.z));
      return shape;
    };
    const auto product = [](const std::vector<std::uint32_t>& words) {
      std::uint64_t threads = 1;
      for (const std::uint32_t word : words)
        threads = std::min<std::uint64_t>(threads * std::max(word, 1u), 1024);
      return static_cast<std::uint32_t>(threads);
    };
    if (!info.most_threads.empty()) kernel_.max_threads = product(info.most_threads);
    if (const auto& r = info.required_threads; r.size() >= 3) {
      kernel_.required_block = small_shape(r, "block");
      kernel_.max_threads = product(r);
    }
    if (const auto& c = info.required_cluster; c.size() >= 3 && c[0] && c[1] && c[2]) {
      kernel_.cluster = small_shape(c, "cluster");
      kernel_.cluster_rules.is_explicit = true;
      kernel_.cluster_rules.blocks_are_clusters =
          info.blocks_are_clusters && kernel_.required_block;
    }
  }

  // DEPBAR waits for the counters of copies only where there are some.
  void mark_waits_for_copies() {
    const auto is = [](const KernelInstruction& i, Opcode opcode) {
      return i.code.form && i.code.opcode == opcode;
    };
    if (std::none_of(kernel_.code.begin(), kernel_.code.end(),
                     [](const auto& i) { return i.copy == isa::CopyStep::commit; }))
      return;
    for (KernelInstruction& i : kernel_.code) {
      if (!is(i, Opcode::DEPBAR)) continue;
      i.op_class = isa::OpClass::memory_barrier;
      i.copy = isa::CopyStep::wait;
      for (const Operand& o : i.code.operands)
        if (o.kind == OperandKind::immediate) i.groups_left = static_cast<std::uint32_t>(o.value);
    }
  }

  void number_registers() {
    RegisterNumbering numbers;
    numbers.registers = static_cast<int>(kernel_.registers_per_thread);
    for (const KernelInstruction& i : kernel_.code)
      if (i.code.form) count_registers(i.code, numbers);
    kernel_.registers = static_cast<std::uint32_t>(numbers.registers);
    kernel_.uniform_registers = static_cast<std::uint32_t>(numbers.uniform_registers);
    kernel_.architectural_registers = numbers.count();
    for (std::uint32_t n = 0; n < numbers.count(); ++n)
      kernel_.register_names.push_back(static_cast<std::uint16_t>(n));
    bool calls_registers = false;
    for (KernelInstruction& i : kernel_.code) {
      if (i.code.form) set_timing_fields(i, numbers);
      const bool calls = i.code.form && i.code.opcode == Opcode::CALL;
      const auto pc = static_cast<Pc>(&i - kernel_.code.data());
      calls_registers = calls_registers || (calls && (i.target == kNoPc || i.target <= pc));
    }
    kernel_.uses_stack = calls_registers;
  }

  void add_banks(const std::string& name) {
    for (const ConstantBank& bank : cubin_.constants) {
      if (bank.bank == 0 && bank.code == name) add_handles(bank);
      if (bank.bank <= 0 || bank.bank >= kBanks) continue;
      if (!bank.code.empty() && bank.code != name) continue;
      if (bank.bank == kUserBank) {
        kernel_.user_constants = places_.user_constants;
        kernel_.user_constant_bytes = static_cast<std::uint32_t>(bank.data.size());
        continue;
      }
      std::vector<std::uint8_t> data = bank.data;
      for (const Relocation& relocation : bank.relocations) relocate(data, relocation);
      kernel_.banks[static_cast<std::size_t>(bank.bank)] = std::move(data);
    }
  }

  void relocate(std::vector<std::uint8_t>& data, const Relocation& relocation) {
    const Symbol& symbol = cubin_.symbols[relocation.symbol];
    if (relocation.type != kAddress64 && relocation.type != kGenericAddress64)
      throw UserError(fmt::format("{}: relocation of type {} for symbol {} is not known",
                                  kernel_.module, relocation.type, symbol.name));
    if (relocation.offset > data.size() || data.size() - relocation.offset < 8)
      throw UserError(kernel_.module + ": the cubin is corrupt: a relocation lies outside");
    std::uint64_t value = 0;
    std::memcpy(&value, data.data() + relocation.offset, sizeof value);
    value += address_of(symbol) + static_cast<std::uint64_t>(relocation.addend);
    std::memcpy(data.data() + relocation.offset, &value, sizeof value);
  }

  void add_system_calls() {
    kernel_.first_system_call = static_cast<Pc>(kernel_.code.size());
    const auto& names = kernel_.system_functions;
    kernel_.segments.push_back(
        {"", kSystemBase, kernel_.first_system_call, static_cast<Pc>(names.size())});
    for (const std::string& name : names) {
      KernelInstruction i;
      i.opcode = ptx::host_function(name);
      kernel_.uses_heap = kernel_.uses_heap || i.opcode == ptx::Opcode::device_malloc ||
                          i.opcode == ptx::Opcode::device_free;
      kernel_.code.push_back(i);
    }
  }

  std::uint64_t address_of(const Symbol& symbol) {
    return symbol.section == 0 ? system_function(symbol.name)
                               : address_of_symbol(cubin_, symbol, places_);
  }

  std::uint64_t system_function(const std::string& name) {
    auto& known = kernel_.system_functions;
    auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) found = known.insert(known.end(), name);
    return kSystemBase + kInstructionBytes * static_cast<std::uint64_t>(found - known.begin());
  }

  const Cubin& cubin_;
  const SymbolPlaces& places_;
  Kernel kernel_;
};

}  // namespace

std::uint64_t address_of_symbol(const Cubin& cubin, const Symbol& symbol,
                                const SymbolPlaces& places) {
  if (symbol.section == 0) return 0;
  const std::vector<std::uint64_t> addresses = code_addresses(cubin);
  for (std::size_t n = 0; n < cubin.code.size(); ++n)
    if (cubin.code[n].section == symbol.section) return addresses[n] + symbol.value;
  for (const DataSection& data : cubin.data)
    if (data.section == symbol.section) {
      const auto place = places.variables.find(symbol.name);
      if (place != places.variables.end()) return place->second.value;
    }
  for (const ConstantBank& bank : cubin.constants)
    if (bank.section == symbol.section && bank.bank == kUserBank)
      return places.user_constants.value + symbol.value;
  throw UserError("the cubin refers to symbol " + symbol.name + ", which is nowhere in memory");
}

Kernel make_kernel(const Cubin& cubin, const std::string& name, const std::string& module,
                   const SymbolPlaces& places) {
  if (!is_known_architecture(cubin.architecture))
    throw UserError(
        fmt::format("{}: machine code of sm_{} is not known", module, cubin.architecture));
  return Maker(cubin, places).make(name, module);
}

}  // namespace heddle::sass
