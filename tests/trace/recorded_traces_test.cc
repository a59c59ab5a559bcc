// What traces mean, and what damaged ones are refused with, stays what it is.
#include <gtest/gtest.h>

#include <regex>

#include "base/fnv.h"
#include "tests/damaged_text.h"
#include "tests/isa/instruction_text.h"
#include "tests/recorded.h"
#include "tests/trace/trace_text.h"
#include "trace/format_error.h"
#include "trace/mnemonic.h"
#include "trace/traced_launch.h"

namespace heddle::trace {
namespace {

std::string text_of(const Mnemonic& m) {
  const Mnemonic::Widths& r = m.registers;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(m.op_class),
                     static_cast<int>(m.space), static_cast<int>(m.barrier),
                     static_cast<int>(m.copy), static_cast<int>(m.cache),
                     static_cast<int>(m.ordering), m.access_bytes, m.vector, m.matrix_work,
                     r.written, r.address, r.first, r.second, r.third);
}
std::string meaning_of(const std::string& mnemonic) {
  try {
    return text_of(read_mnemonic(mnemonic));
  } catch (const std::exception& refusal) {
    return refusal.what();
  }
}

// The names of tests/sass/vectors.csv, each also without each of its modifiers.
TEST(RecordedTraces, TheMeaningOfMnemonics) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/sass/vectors.csv");
  std::map<std::string, Fnv64> opcodes;
  for (std::string line; std::getline(file, line);) {
    static const std::regex kRow("[0-9,]+ [0-9a-f]+ [0-9a-f]{32} (@\\S+ )?([^ ;]+).*");
    std::smatch row;
    if (!std::regex_match(line, row, kRow)) continue;
    const std::string name = row[2];
    Fnv64& hash = opcodes[name.substr(0, name.find('.'))];
    hash.add(meaning_of(name));
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      hash.add(meaning_of(name.substr(0, dot) +
                          name.substr(std::min(name.find('.', dot + 1), name.size()))));
  }
  EXPECT_GT(opcodes.size(), 100u);
  for (const auto& [opcode, hash] : opcodes)
    check_recorded_text("trace/recorded_traces.txt", opcode, fmt::format("{:016x}", hash.value()));
}

// What the warps of its CTA execute.
std::string steps_of(const TracedLaunch& launch) {
  const WarpSlot slots[] = {WarpSlot{0}, WarpSlot{1}};
  const auto source = launch.make_source(1);
  source->start_cta(0, 0, slots);
  std::string text;
  for (const WarpSlot slot : slots)
    for (exec::Step step; !source->live_lanes(slot).none();) {
      source->step(slot, Cycle{0}, step);
      text += fmt::format("{} {} {:x} {:x} {} {} {} {:x} {:x}:", step.pc, step.next_pc,
                          step.active.bits, step.executed.bits, static_cast<int>(step.space),
                          step.barrier_id, step.barrier_threads, step.taken.bits,
                          step.fell_through.bits);
      if (step.space != isa::Space::none) text += fmt::format(" {}", step.addresses);
      if (step.finished()) break;
    }
  return text;
}

std::string launch_text(const std::string& path) {
  try {
    const auto launch = read_launch(path);
    const TracedKernel& kernel = *launch->kernel();
    std::string text = fmt::format(
        "{} {} {} {} {} {}\n", launch->warp_instructions(), launch->thread_instructions(),
        kernel.name, kernel.registers_per_thread, kernel.shared_bytes, kernel.local_bytes);
    for (const isa::Instruction& i : kernel.instructions) text += isa::text_of(i) + "\n";
    for (const isa::SourceLine& line : kernel.source_lines)
      text += fmt::format("{} {}\n", line.file, line.line);
    for (const isa::Loop& loop : kernel.loops)
      text += fmt::format("{} {} {} {}\n", loop.header, loop.depth, loop.back_edges, loop.ranges);
    return text + steps_of(*launch);
  } catch (const std::exception& refusal) {
    return refusal.what();
  }
}

// Accesses of all kinds of addresses, a loop, a divergent branch, barriers and a call.
const Lines kEveryKind{
    "0000 ffffffff 1 R1 MOV 1 R255 0 ",
    "0010 ffffffff 1 R4 LDG.E.64 1 R2 8 1 0x7fb0fc400000 8 ",
    "0020 0000ffff 1 R6 LDS.128 1 R1 16 2 0x7fb139000000 16 -8 4 4 4 4 4 4 4 4 4 4 4 4 4 4 ",
    "0030 00000003 0 STL 2 R1 R4 4 0 0x7fb137000000 0x7fb137000100 ",
    "0040 ffffffff 1 R8 LD.E 1 R2 4 1 0x7fb139000010 4 ",
    "0050 ffffffff 1 R8 ATOMG.E.ADD 2 R2 R4 4 1 0x7fb0fc400000 0 ",
    "0060 ffffffff 2 R10 R11 HMMA.16816.F32 3 R12 R16 R20 0 ",
    "0070 ffffffff 0 BAR.SYNC 0 0 ",
    "0080 000000ff 0 BRA 0 0 ",
    "0010 000000ff 1 R4 LDG.E.64 1 R2 8 1 0x7fb0fc400000 8 ",
    "0090 ffffff00 1 R3 LDC 1 R1 4 1 0x160 0 ",
    "00a0 ffffffff 0 LDGSTS.E.BYPASS.128 2 R1 R2 16 1 0x7fb139000000 16 ",
    "00b0 ffffffff 0 DEPBAR.LE 0 0 ",
    "00c0 ffffffff 0 WARPSYNC 0 0 ",
    "00d0 ffffffff 1 R9 SHFL.IDX 2 R1 R2 0 ",
    "00e0 ffffffff 0 EXIT 0 0 "};

TEST(RecordedTraces, TheMeaningAndTheRefusalOfDamagedTraces) {
  TemporaryFolder folder;
  for (int version = kOldestVersion; version <= static_cast<int>(kNewestVersion); ++version) {
    Lines lines = kEveryKind;
    for (std::string& line : lines)
      line += version == 5 ? "0 0 " : version == 6 ? "0 0 NoVal " : "";
    const std::string text =
        head(version, "(1,1,1)", "(64,1,1)") +
        cta("0,0,0", warp(0, lines) +
                         warp(1, {"0000 ffffffff 1 R1 MOV 1 R255 0 ",
                                  "0070 ffffffff 0 BAR.SYNC 0 0 ", "00e0 ffffffff 0 EXIT 0 0 "}));
    Fnv64 hash;
    const std::string path = folder.file("kernel-1.traceg");
    for_each_damage(text, [&](std::size_t /*line*/, const std::string& damaged) {
      hash.add(without(launch_text(write_file(path, damaged)), path));
    });
    check_recorded_text("trace/recorded_traces.txt", fmt::format("damaged, version {}", version),
                        fmt::format("{:016x}", hash.value()));
  }
}

}  // namespace
}  // namespace heddle::trace
