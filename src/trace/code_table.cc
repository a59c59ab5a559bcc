#include "trace/code_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

constexpr std::uint64_t kMostCodeBytes = 4 << 20;
constexpr std::uint32_t kMostRegisters = 32;  // that a line names as sources or destinations
constexpr std::uint32_t kMostSourceLine = 10'000'000;
constexpr std::uint32_t kBarriers = 16;

enum RegisterKind : std::uint32_t { kVector, kUniform, kPredicate, kUniformPredicate };

struct RegisterName {
  RegisterKind kind = kVector;
  std::uint32_t index = 0;
  bool exists = true;  // not RZ, URZ, PT or UPT
};

RegisterName parse_register(std::string_view text) {
  RegisterName name;
  std::uint64_t zero = 255;
  std::string_view digits = text;
  if (digits.starts_with("UR")) {
    name.kind = kUniform, zero = 63, digits.remove_prefix(2);
  } else if (digits.starts_with("UP")) {
    name.kind = kUniformPredicate, zero = 7, digits.remove_prefix(2);
  } else if (digits.starts_with('P')) {
    name.kind = kPredicate, zero = 7, digits.remove_prefix(1);
  } else if (digits.starts_with('R')) {
    digits.remove_prefix(1);
  } else {
    throw FormatError(fmt::format("'{}' is not a register", text.substr(0, 40)));
  }
  name.index = static_cast<std::uint32_t>(parse_number(digits, "number of a register", 255, 10));
  name.exists = name.index < zero;
  return name;
}

// Registers of the sources: address first, then values.
int source_width(const Mnemonic& m, bool has_address, std::size_t place, std::size_t count) {
  if (has_address && place == 0) return m.registers.address;
  const std::size_t value = place - (has_address ? 1 : 0);
  // A product with a constant has two registers; which one is the sum's is not known.
  if (value == 2 || (has_address && place + 1 == count))
    return value == 2 ? m.registers.third : m.registers.first;
  return value == 0 ? m.registers.first : value == 1 ? m.registers.second : 1;
}

bool touches_memory(isa::OpClass c) {
  return isa::is_memory(c) && c != isa::OpClass::memory_barrier;
}

// The registers of a kind in the order of their numbers: "R", "UR".
std::uint16_t add_once(std::array<std::uint16_t, isa::kMaxReads>& list, std::uint8_t& count,
                       std::uint16_t reg) {
  const auto end = list.begin() + count;
  const auto place = std::find(list.begin(), end, reg);
  if (place == end && count < list.size()) list[count++] = reg;
  return static_cast<std::uint16_t>(place - list.begin());
}

}  // namespace

std::uint16_t CodeTable::register_number(std::string_view text) {
  const RegisterName name = parse_register(text);
  if (!name.exists) return isa::kNoRegister;
  const std::uint32_t key = name.kind * 256 + name.index;
  const auto [place, added] =
      registers_.try_emplace(key, static_cast<std::uint16_t>(registers_.size()));
  if (added) register_names_.push_back(static_cast<std::uint16_t>(name.index));
  return place->second;
}

// `count` registers from the one that is named.
void CodeTable::add_registers(isa::Instruction& i, std::string_view text, int count, bool written) {
  const RegisterName first = parse_register(text);
  const std::string_view kind = text.substr(0, text.find_first_of("0123456789"));
  for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(count); ++k) {
    const std::uint16_t reg = register_number(fmt::format("{}{}", kind, first.index + k));
    if (reg == isa::kNoRegister) return;
    if (written) {
      const auto end = i.writes.begin() + i.write_count;
      if (std::find(i.writes.begin(), end, reg) == end && i.write_count < i.writes.size())
        i.writes[i.write_count++] = reg;
    } else if (const auto place = add_once(i.reads, i.read_count, reg); place < i.reads.size()) {
      if (i.operand_count < i.operands.size())
        i.operands[i.operand_count++] = static_cast<std::uint8_t>(place);
    }
  }
}

std::uint32_t CodeTable::find(std::uint32_t address, std::string_view rest) const {
  const std::uint32_t slot = address / header_.instruction_bytes();
  if (slot >= last_at_.size()) return kNone;
  for (std::uint32_t at = last_at_[slot]; at != kNone; at = before_[at]) {
    const std::string& text = entries_[at].text;
    if (rest.starts_with(text) && (rest.size() == text.size() || rest[text.size()] == ' '))
      return at;
  }
  return kNone;
}

std::uint32_t CodeTable::add(std::uint32_t address, std::string_view rest,
                             std::uint32_t source_line) {
  Fields fields(rest);
  std::vector<std::string_view> written, read;
  for (auto n = fields.decimal("number of destinations", kMostRegisters); n > 0; --n)
    written.push_back(fields.next());
  const std::string_view opcode = fields.next();
  if (opcode.empty()) throw FormatError("the opcode is missing");
  for (auto n = fields.decimal("number of sources", kMostRegisters); n > 0; --n)
    read.push_back(fields.next());
  const Mnemonic m = read_mnemonic(opcode);
  Entry entry;
  entry.address = address;
  entry.text = rest.substr(0, fields.position());
  isa::Instruction& i = entry.instruction;
  i.op_class = m.op_class;
  i.space = m.space;
  i.cache = m.cache;
  i.ordering = m.ordering;
  i.barrier = m.barrier;
  i.copy = m.copy;
  i.access_bytes = m.access_bytes;
  i.vector = m.vector;
  i.matrix_work = m.matrix_work;
  i.source = source_line;  // finish() numbers the lines
  // Several destinations are the registers themselves.
  for (const std::string_view reg : written)
    add_registers(i, reg, written.size() == 1 ? m.registers.written : 1, true);
  const bool has_address = touches_memory(m.op_class) && m.space != isa::Space::texture;
  for (std::size_t k = 0; k < read.size(); ++k) {
    const int first_read = i.read_count;
    add_registers(i, read[k], source_width(m, has_address, k, read.size()), false);
    if (!has_address || k > 0) continue;
    for (int r = first_read; r < i.read_count; ++r) i.not_values |= std::uint32_t{1} << r;
    if (i.read_count > 0) i.base_register = i.reads[0];
  }
  entry.lacks_immediates = i.copy == isa::CopyStep::wait || i.op_class == isa::OpClass::barrier;
  const std::uint32_t slot = address / header_.instruction_bytes();
  if (slot >= last_at_.size()) last_at_.resize(slot + 1, kNone);
  const auto number = static_cast<std::uint32_t>(entries_.size());
  before_.push_back(std::exchange(last_at_[slot], number));
  entries_.push_back(std::move(entry));
  return number;
}

CodeTable::Line CodeTable::read(std::string_view text) {
  Fields fields(text);
  const auto source_line =
      header_.lines ? static_cast<std::uint32_t>(fields.decimal("source line", kMostSourceLine))
                    : 0;
  const auto address =
      static_cast<std::uint32_t>(fields.hexadecimal("address of the instruction", kMostCodeBytes));
  if (address % header_.instruction_bytes() != 0)
    throw FormatError(fmt::format("the address {:#x} of the instruction is not a multiple of {}",
                                  address, header_.instruction_bytes()));
  Line line;
  line.executed =
      LaneMask{static_cast<std::uint32_t>(fields.hexadecimal("mask of lanes", 0xffffffff))};
  const std::size_t begin = std::min(text.size(), fields.position() + 1);
  const std::string_view rest = text.substr(begin);
  line.number = find(address, rest);
  if (line.number == kNone) line.number = add(address, rest, source_line);
  line.rest = Fields(rest.substr(entries_[line.number].text.size()));
  return line;
}

// A tracer of version 3 or 4 writes no immediates. Some of version 5 write only the last one, which
// is the number of threads of a barrier where the instruction has it; its barrier is not known.
void CodeTable::set_immediates(std::uint32_t number, int count, std::int64_t first,
                               std::int64_t second) {
  Entry& entry = entries_[number];
  entry.lacks_immediates = false;
  isa::Instruction& i = entry.instruction;
  if (i.copy == isa::CopyStep::wait) {
    i.groups_left = count > 0 && first >= 0 && first < 64 ? static_cast<std::uint32_t>(first) : 0;
    return;
  }
  if (count == 1 && first >= kBarriers)
    second = std::exchange(first, 1);
  else if (count < 2)
    second = 0;
  if (count == 0 || first < 0 || first >= kBarriers) first = 0;
  if (second < 0 || second > kMostThreads || second % kWarpSize != 0) second = 0;
  entry.barrier = {static_cast<std::uint8_t>(first), static_cast<std::uint16_t>(second)};
}

// An access without an address, as that of a texture, moves nothing.
void CodeTable::set_addresses(std::uint32_t number, bool has) {
  Entry& entry = entries_[number];
  if (!entry.seen) {
    entry.seen = true;
    entry.has_addresses = has;
    if (!has) entry.instruction.access_bytes = 0;
  } else if (entry.has_addresses != has) {
    throw FormatError("the instruction has addresses in some lines and none in others");
  }
}

// Of several instructions at one address, the one that came first is at its place: the kernel's
// own, as its warps begin with it. The others follow the code.
std::shared_ptr<TracedKernel> CodeTable::finish(const std::string& module) const {
  auto kernel = std::make_shared<TracedKernel>();
  kernel->name = header_.name;
  kernel->module = module;
  const std::uint32_t bytes = header_.instruction_bytes();
  std::uint32_t first = entries_.empty() ? 0 : entries_.front().address;
  if (std::any_of(entries_.begin(), entries_.end(),
                  [&](const Entry& e) { return e.address < first; }))
    throw FormatError("the trace does not begin with the first instruction of the kernel");
  kernel->instructions.resize(std::max<std::size_t>(last_at_.size(), first / bytes + 1) -
                              first / bytes);
  kernel->barriers.resize(kernel->instructions.size());
  kernel->source_lines.emplace_back();
  const bool copies = std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) {
    return e.instruction.copy == isa::CopyStep::commit;
  });
  std::unordered_map<std::uint32_t, std::uint32_t> lines;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{} {} {}\n", header_.name, header_.registers,
                 header_.shared_bytes);
  for (std::uint32_t number = 0; number < entries_.size(); ++number) {
    const Entry& entry = entries_[number];
    Pc pc = (entry.address - first) / bytes;
    if (before_[number] != kNone) {
      pc = static_cast<Pc>(kernel->instructions.size());
      kernel->instructions.emplace_back();
      kernel->barriers.emplace_back();
    }
    isa::Instruction& i = kernel->instructions[pc];
    i = entry.instruction;
    // Without asynchronous copies the instruction waits for results of loads, as registers do.
    if (i.copy == isa::CopyStep::wait && copies) i.op_class = isa::OpClass::memory_barrier;
    if (i.copy == isa::CopyStep::wait && !copies) i.copy = isa::CopyStep::none;
    if (const std::uint32_t line = std::exchange(i.source, 0)) {
      const auto [place, added] =
          lines.try_emplace(line, static_cast<std::uint32_t>(kernel->source_lines.size()));
      if (added) kernel->source_lines.push_back({header_.name, line});
      i.source = place->second;
    }
    i.ptx_line = entry.address;
    kernel->barriers[pc] = entry.barrier;
    kernel->pcs.push_back(pc);
    fmt::format_to(std::back_inserter(text), "{:x} {} {} {} {} {} {}\n", entry.address, entry.text,
                   i.source, i.access_bytes, i.groups_left, entry.barrier.id,
                   entry.barrier.threads);
  }
  kernel->text = fmt::to_string(text);
  kernel->architectural_registers = static_cast<std::uint32_t>(register_names_.size());
  kernel->register_names = register_names_;
  kernel->registers_per_thread = header_.registers;
  kernel->shared_bytes = header_.shared_bytes;
  return kernel;
}

}  // namespace heddle::trace
