// An instruction of machine code, whatever its bits say, reads and writes the registers that the
// scoreboard knows of, and no others. Under AddressSanitizer these runs find accesses outside of a
// warp's state, too.
#include <fmt/format.h>

#include "exec/machine_code/layout.h"
#include "sass/decode.h"
#include "sass/listing.h"
#include "sass/operand_use.h"
#include "sass/register_ranges.h"
#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

using Random = std::mt19937_64;

void put(sass::InstructionWord& word, const sass::BitField& field, std::uint64_t value) {
  if (field.inverted) value = ~value;
  for (int n = field.count; n-- > 0;) {
    const auto& range = field.ranges[static_cast<std::size_t>(n)];
    word.put(range.last, range.first, value);
    value >>= range.last - range.first + 1;
  }
}

// Random bits where the form has fields; its registers are often RZ or the last ones, its modifiers
// often 0.
sass::InstructionWord random_word(const sass::EncodingForm& form, Random& random) {
  sass::InstructionWord word{random() & form.covered.low, random() & form.covered.high};
  const auto one_of = [&](std::initializer_list<std::uint64_t> values) {
    return values.begin()[random() % values.size()];
  };
  const auto put_register = [&](const sass::BitField& field, bool uniform) {
    if (field.count > 0)
      put(word, field,
          uniform ? one_of({63, 62, 61, 60, 56, random() % 20})
                  : one_of({255, 253, 252, 248, 192, random() % 64}));
  };
  for (const sass::ModifierForm& modifier : form.modifiers)
    if (random() % 2 != 0) put(word, modifier.field, 0);
  for (const sass::OperandForm& o : form.operands) {
    if (o.kind == sass::OperandKind::reg || o.kind == sass::OperandKind::uniform)
      put_register(o.field, o.kind == sass::OperandKind::uniform);
    if (o.kind != sass::OperandKind::memory && o.kind != sass::OperandKind::constant) continue;
    put_register(o.field, false);
    put_register(o.uniform, true);
    put_register(o.descriptor, true);
    if (o.offset.count > 0) put(word, o.offset, one_of({0, 16, random()}));
    if (o.kind == sass::OperandKind::constant) put(word, o.bank, random() % 5);
  }
  for (const auto& condition : form.conditions)
    put(word, condition.field,
        condition.power_of_two ? std::uint64_t{1} << random() % 4 : condition.value);
  word.put(14, 12, one_of({7, 7, random()}));
  word.put(11, 0, form.code & 0xfff);
  word.put(91, 91, form.code >> 12);
  return word;
}

// What a warp has: rows of registers, and predicates.
struct State {
  std::vector<std::array<std::uint32_t, kWarpSize>> rows;
  std::array<std::uint32_t, kPredicateRows> predicates{};
};

enum class Filling { integers, floats, global, near };

State random_state(std::size_t registers, std::size_t rows, Filling contents, Address block,
                   Random& random) {
  const auto value = [&](std::size_t row, std::uint64_t lane) -> std::uint64_t {
    switch (contents) {
      case Filling::integers: return any_integer(0, random);
      case Filling::floats: return any_float(0, random);
      case Filling::global: return row % 2 != 0 ? block.value >> 32 : block.value + 16 * lane;
      case Filling::near: return row % 2 != 0 ? 0 : 16 * lane;
    }
    return 0;
  };
  State state;
  state.rows.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t first = value(row - (row < registers ? 0 : registers), 0);
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane)
      state.rows[row][lane] =
          static_cast<std::uint32_t>(row < registers ? value(row, lane) : first);
  }
  for (std::size_t p = 0; p < kPredicateRows; ++p)
    state.predicates[p] = static_cast<std::uint32_t>(p < 7 ? random() : random() % 2 ? ~0u : 0);
  return state;
}

// What an instruction made of a state.
struct Outcome {
  State before, after;
  std::string others;  // memory, the step, or why it is refused
};

bool uses_convergence_barriers(const sass::KernelInstruction& i) {
  using sass::Opcode;
  switch (i.code.opcode) {
    case Opcode::BAR:
    case Opcode::B2R:
    case Opcode::RPCMOV:
    case Opcode::WARPSYNC:
    case Opcode::ENDCOLLECTIVE: return true;
    default: break;
  }
  return std::any_of(i.code.operands.begin(), i.code.operands.end(),
                     [](const sass::Operand& o) { return o.kind == sass::OperandKind::barrier; });
}

class RegisterRuns {
 public:
  // Empty, or what the instruction does that its fields do not say.
  std::string check(const sass::Instruction& code, Random& random) {
    sass::KernelInstruction i;
    i.code = code;
    sass::Kernel kernel = machine_kernel({i, plain("EXIT")});
    kernel.shared_bytes = kernel.local_bytes = 1024;
    kernel.parameter_base = 0x210;
    const sass::KernelInstruction& known = kernel.code[0];
    const RegisterLayout layout(kernel);
    const std::size_t rows = layout.rows() + kMostRegisters + 2;
    const auto contents = static_cast<Filling>(random() % 4);
    const State first = random_state(kernel.registers, rows, contents, block_, random);
    State second =
        random_state(kernel.registers, rows, static_cast<Filling>(random() % 2), block_, random);
    const std::set<std::size_t> read = registers_of(known, false),
                                written = registers_of(known, true);
    const std::size_t predicates = layout.barrier(0);  // their first number
    for (std::size_t row = 0; row < rows; ++row)
      if (row >= predicates ? uses_convergence_barriers(known) && row < layout.rows()
                            : read.contains(row))
        second.rows[row] = first.rows[row];
    for (std::size_t p = 0; p < kPredicateRows; ++p)
      if (read.contains(predicates + p)) second.predicates[p] = first.predicates[p];
    const Outcome a = run(kernel, first), b = run(kernel, second);
    if (a.others != b.others)
      return fmt::format("reads what it does not name: {}\n  {}", a.others, b.others);
    // The scratch rows and what lies before them may change as they like.
    for (std::size_t row = 0; row < predicates; ++row)
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        if (const char* wrong =
                differs(written.contains(row), a.before.rows[row][lane], a.after.rows[row][lane],
                        b.before.rows[row][lane], b.after.rows[row][lane]))
          return fmt::format("{} row {} of {}", wrong, row, kernel.registers);
    for (std::size_t p = 0; p < kPredicateRows; ++p)
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const auto bit = [&](const State& s) { return s.predicates[p] >> lane & 1; };
        if (const char* wrong = differs(written.contains(predicates + p), bit(a.before),
                                        bit(a.after), bit(b.before), bit(b.after)))
          return fmt::format("{} predicate {}", wrong, p);
      }
    return {};
  }

 private:
  static constexpr std::size_t kBlockBytes = 2048;

  // A word stays, or becomes the same from both states.
  static const char* differs(bool written, std::uint32_t before_a, std::uint32_t after_a,
                             std::uint32_t before_b, std::uint32_t after_b) {
    if (before_a == after_a && before_b == after_b) return nullptr;
    if (!written) return "writes";
    return after_a == after_b ? nullptr : "reads what it does not name for";
  }
  // Those that the scoreboard knows of, and the sums of a warpgroup's product.
  static std::set<std::size_t> registers_of(const sass::KernelInstruction& i, bool written) {
    std::set<std::size_t> all;
    if (written)
      all.insert(i.writes.begin(), i.writes.begin() + i.write_count);
    else
      all.insert(i.reads.begin(), i.reads.begin() + i.read_count);
    for (std::size_t k = 0; sass::product_shape_of(i.code) && k < i.code.form->operands.size(); ++k)
      for (const sass::RegisterRange& range : sass::register_ranges(i.code, k))
        for (int n = 0; !range.uniform && n < range.count; ++n)
          all.insert(static_cast<std::size_t>(range.first + n));
    return all;
  }
  Outcome run(const sass::Kernel& kernel, const State& state) {
    std::uint8_t* const data = memory_.host(block_);
    std::fill_n(data, kBlockBytes, std::uint8_t{0x35});
    MachineRun run(kernel, memory_, std::vector<std::uint8_t>(256, 0x35));
    Outcome outcome{state, state, {}};
    const std::size_t bytes = state.rows.size() * sizeof state.rows[0];
    std::memcpy(run.reg(0), state.rows.data(), bytes);
    std::copy(state.predicates.begin(), state.predicates.end(), &run.predicate(0));
    try {
      const Step step = run.step();
      outcome.others = fmt::format("next {} lanes {:x} space {}", step.next_pc, step.executed.bits,
                                   static_cast<int>(step.space));
      if (step.atomic != 0) run.source().perform_atomic(step.atomic, step.executed);
      run.source().synchronise();
    } catch (const std::exception& refusal) {
      outcome.others = refusal.what();
    }
    outcome.others.append(data, data + kBlockBytes);
    const auto& shared = run.warp().cta->shared;
    outcome.others.append(shared.begin(), shared.end());
    std::memcpy(outcome.after.rows.data(), run.reg(0), bytes);
    std::copy_n(&run.predicate(0), kPredicateRows, outcome.after.predicates.begin());
    return outcome;
  }

  GlobalMemory memory_{1 << 20};
  Address block_ = memory_.allocate(kBlockBytes, "block");
};

TEST(MachineRegisters, AreThoseOfTheOperandsInEveryForm) {
  constexpr int kTries = 12;
  Random random(3);
  RegisterRuns runs;
  std::map<std::string, std::string> wrong;
  std::size_t executed = 0, refused = 0;
  for (const sass::EncodingForm& form : sass::all_forms())
    for (int n = 0; n < kTries; ++n) {
      constexpr std::array kArchitectures{75, 80, 86, 89, 90};
      const auto decoded = sass::decode(random_word(form, random),
                                        kArchitectures[random() % kArchitectures.size()], 0);
      const auto* const i = std::get_if<sass::Instruction>(&decoded);
      if (!i) continue;
      if (!sass::has_all_registers(*i)) {
        ++refused;
        continue;
      }
      ++executed;
      const std::string finding = runs.check(*i, random);
      if (!finding.empty())
        wrong.try_emplace(form.name, sass::instruction_text(*i) + " " + finding);
    }
  for (const auto& [name, finding] : wrong) ADD_FAILURE() << name << ": " << finding;
  EXPECT_GT(executed, 3000U);
  EXPECT_GT(refused, 200U);
}

}  // namespace
}  // namespace heddle::exec::machine_test
