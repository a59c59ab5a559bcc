// What instructions of every form of machine code compute stays what it is. The tests of the
// families say what is right; these runs notice a change in any of the rare forms.
#include <fmt/format.h>

#include "base/fnv.h"
#include "tests/exec/machine_code_kernel.h"
#include "tests/recorded.h"
#include "tests/sass/vectors.h"

namespace heddle::exec::machine_test {
namespace {

// Values of registers: numbers, addresses of global memory in pairs, and small addresses of shared
// and local memory.
enum class Contents { integers, floats, global, near };

// What the rows of registers and the predicates contain before an instruction.
struct InitialState {
  std::vector<std::uint32_t> words;
  std::array<std::uint32_t, 14> predicates{};
};

InitialState initial_state(Contents contents, Address block) {
  constexpr std::size_t kRegisters = 255, kRows = kRegisters + 63;
  std::mt19937_64 random(static_cast<std::uint64_t>(contents) + 1);
  const auto value_of = [&](bool high, std::uint64_t lane) -> std::uint64_t {
    switch (contents) {
      case Contents::integers: return any_integer(0, random);
      case Contents::floats: return any_float(0, random);
      case Contents::global: return high ? block.value >> 32 : block.value + 16 * lane;
      case Contents::near: return high ? 0 : 16 * lane;
    }
    return 0;
  };
  InitialState state;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::uint64_t uniform = contents == Contents::global ? 0
                                  : contents == Contents::near ? 16
                                                               : random() % 64;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane)
      state.words.push_back(
          static_cast<std::uint32_t>(row < kRegisters ? value_of(row % 2 != 0, lane) : uniform));
  }
  for (std::size_t p = 0; p < state.predicates.size(); ++p)
    state.predicates[p] = static_cast<std::uint32_t>(p < 7 ? random() : random() % 2 ? ~0u : 0);
  return state;
}

class RecordedRuns {
 public:
  // What each of the initial states becomes, or why the instruction is refused.
  void add(Fnv64& hash, const sass::Instruction& code) {
    sass::KernelInstruction i;
    i.code = code;
    sass::Kernel kernel = machine_kernel({i, plain("EXIT")});
    kernel.registers = 255, kernel.uniform_registers = 63;
    kernel.shared_bytes = kernel.local_bytes = 4096;
    kernel.parameter_base = 0x210;
    for (const InitialState& state : states_) add(hash, kernel, state);
  }

 private:
  static constexpr std::size_t kBlockBytes = 2048;

  static void add(Fnv64& hash, std::uint64_t value) {
    for (int n = 0; n < 64; n += 8) hash.add(static_cast<char>(value >> n));
  }
  static void add_step(Fnv64& hash, const Step& step) {
    for (const std::uint64_t value :
         {std::uint64_t{step.next_pc}, std::uint64_t{step.executed.bits},
          static_cast<std::uint64_t>(step.space), std::uint64_t{step.barrier_id},
          std::uint64_t{step.barrier_threads}, std::uint64_t{step.waits_at_barrier},
          std::uint64_t{step.deferred}})
      add(hash, value);
    if (step.space == isa::Space::none) return;
    step.executed.for_each(
        [&](int lane) { add(hash, step.addresses[static_cast<std::size_t>(lane)]); });
    for (const Step::Range& range : step.bulk_ranges)
      add(hash, range.address), add(hash, range.bytes);
  }
  void add(Fnv64& hash, const sass::Kernel& kernel, const InitialState& state) {
    std::uint8_t* const data = memory_.host(block_);
    std::memcpy(data, contents_.data(), kBlockBytes);
    MachineRun run(kernel, memory_, std::vector<std::uint8_t>(256, 0x35));
    std::uint32_t* const words = run.reg(0);
    std::memcpy(words, state.words.data(), 4 * state.words.size());
    std::copy(state.predicates.begin(), state.predicates.end(), &run.predicate(0));
    try {
      const Step step = run.step();
      add_step(hash, step);
      if (step.atomic != 0) run.source().perform_atomic(step.atomic, step.executed);
      run.source().synchronise();
    } catch (const std::exception& refusal) {
      hash.add(refusal.what());
    }
    for (std::size_t row = 0; row < state.words.size(); row += kWarpSize) {
      if (std::memcmp(words + row, &state.words[row], 4 * kWarpSize) == 0) continue;
      add(hash, row);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) add(hash, words[row + lane]);
    }
    for (int p = 0; p < 14; ++p) add(hash, run.predicate(p));
    for (std::size_t n = 0; n < kBlockBytes; ++n)
      if (data[n] != contents_[n]) add(hash, n << 8 | data[n]);
  }

  GlobalMemory memory_{1 << 20};
  Address block_ = memory_.allocate(kBlockBytes, "block");
  std::vector<std::uint8_t> contents_ = [] {
    std::mt19937_64 random(5);
    std::vector<std::uint8_t> bytes(kBlockBytes);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  }();
  std::array<InitialState, 4> states_{
      initial_state(Contents::integers, block_), initial_state(Contents::floats, block_),
      initial_state(Contents::global, block_), initial_state(Contents::near, block_)};
};

bool computes(const sass::KernelInstruction& i) {
  switch (i.op_class) {
    case isa::OpClass::branch:
    case isa::OpClass::call:
    case isa::OpClass::return_:
    case isa::OpClass::exit_: return false;
    default: break;
  }
  return std::none_of(i.code.operands.begin(), i.code.operands.end(),
                      [](const sass::Operand& o) { return o.kind == sass::OperandKind::label; });
}

TEST(MachineRecorded, ResultsOfInstructionsOfEveryForm) {
  RecordedRuns runs;
  for (const auto& [name, instructions] : sass::instructions_by_opcode()) {
    Fnv64 hash;
    std::size_t executed = 0;
    for (const sass::Instruction& code : instructions) {
      sass::RegisterNumbering numbers;
      if (!computes(sass::with_fields(code, numbers))) continue;
      ++executed;
      runs.add(hash, code);
    }
    if (executed > 0)
      check_recorded_text("exec/recorded_instructions.txt", name,
                          fmt::format("{} {:016x}", executed, hash.value()));
  }
}

}  // namespace
}  // namespace heddle::exec::machine_test
