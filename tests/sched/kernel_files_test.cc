// Files that earlier runs wrote: load classifications (daws-profiled) and static limits (swl).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "base/input_file.h"
#include "sched/limiters/load_profile.h"
#include "sched/limiters/swl_limits.h"
#include "tests/damaged_text.h"
#include "tests/error_message.h"
#include "tests/recorded.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

// A file that its destructor removes.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(testing::TempDir() + "prepared_" + std::to_string(getpid()) + ".toml") {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

isa::Instruction load(std::uint16_t base, std::int64_t offset, std::uint32_t ptx_line) {
  isa::Instruction i;
  i.op_class = isa::OpClass::load;
  i.space = isa::Space::global;
  i.loop = 0;
  i.ptx_line = ptx_line;
  i.base_register = base;
  i.address_offset = offset;
  return i;
}

// A loop at 1 with loads at 2, 3 and 4.
isa::Kernel kernel() {
  isa::Kernel k;
  k.name = "walk";
  k.instructions.resize(6);
  k.instructions[1].loop = 0;
  k.instructions[1].loop_header = true;
  k.instructions[1].ptx_line = 10;
  k.instructions[2] = load(7, 0, 11);
  k.instructions[3] = load(7, 124, 12);
  k.instructions[4] = load(8, 0, 13);
  k.loops.push_back({1, isa::Loop::kNone, 1, {4}, {{1, 5}}});
  return k;
}

LoadProfile profile(bool local = true) {
  LoadProfile p;
  p.program = "a \"program\"";
  p.gpu = "gtx480";
  p.scheduler = "gto";
  ProfiledLoop loop;
  loop.pc = 1;
  loop.ptx_line = 10;
  loop.local = local;
  loop.loads = {
      {2, 11, true, 0, 9, 9, {}}, {3, 12, false, 0, 9, 0, {}}, {4, 13, false, 1, 9, 0, {}}};
  ProfiledKernel k;
  k.name = "walk";
  k.instructions = 6;
  k.loops = {loop};
  p.kernels = {k};
  return p;
}

StaticLimits limits() {
  StaticLimits l;
  l.program = "walk";
  l.gpu = "gtx480";
  l.warps = 5;
  l.cycles = {{1, 9900}, {3, 8500}, {5, 7600}, {8, 7700}};
  l.kernels = {{"walk", {4, 1, 1}, 2, 3, {{1, 900}, {3, 500}, {8, 700}}},
               {"walk", {9, 2, 1}, 1, 8, {{1, 9000}, {3, 8000}, {8, 7000}}}};
  return l;
}

}  // namespace

TEST(RepeatedLoads, ShareBaseRegisterAndLine) {
  isa::Kernel k = kernel();
  EXPECT_EQ(repeated_loads(k, 128), (std::vector<Pc>{kNoPc, kNoPc, 2, 2, 4, kNoPc}));
  EXPECT_EQ(repeated_loads(k, 32)[3], 3u);  // it is in the next line
  k.instructions[3].address_offset = -4;
  EXPECT_EQ(repeated_loads(k, 128)[3], 3u);
  k.instructions[2].loop = isa::Loop::kNone;
  EXPECT_EQ(repeated_loads(k, 128)[2], kNoPc);
}

TEST(LoadProfile, IsUnchangedAfterWritingAndReading) {
  const TextFile file{profile().to_toml()};
  const LoadProfile read = LoadProfile::read(file.path());
  EXPECT_EQ(read.program, "a \"program\"");
  EXPECT_EQ(read.to_toml(), profile().to_toml());
}

TEST(LoadProfile, PredictsFromLoopsWithLocality) {
  const isa::Kernel k = kernel();
  const LoadTable table = profile().table_of(k);
  EXPECT_EQ(table.predict(1, 32), 34u);  // a diverged group and a converged one
  EXPECT_EQ(table.predict(1, 1), 2u);
  EXPECT_EQ(table.loop_after(0), 1u);
  EXPECT_EQ(profile(false).table_of(k).predict(1, 32), 0u);
}

TEST(LoadProfile, OfAnotherProgramIsRefusedWithFileAndLine) {
  const TextFile file{profile().to_toml()};
  const LoadProfile read = LoadProfile::read(file.path());
  isa::Kernel longer = kernel(), moved = kernel(), other = kernel();
  longer.instructions.resize(7);
  moved.instructions[3].ptx_line = 99;
  other.name = "run";
  const auto refusal = [&](const isa::Kernel& k) { return message_of([&] { read.table_of(k); }); };
  EXPECT_TRUE(holds(
      refusal(longer),
      file.path() + ":11:1: the profile does not match kernel walk: it has 7 instructions, not 6"))
      << refusal(longer);
  EXPECT_TRUE(holds(refusal(moved), file.path() + ":31:5: the profile does not match"))
      << refusal(moved);
  EXPECT_TRUE(holds(refusal(moved), "instruction 3, PTX line 12, is not a load of this loop"))
      << refusal(moved);
  EXPECT_TRUE(holds(refusal(other), "has no entry for kernel run")) << refusal(other);
}

TEST(LoadProfile, InvalidFilesAreRefusedWithFileAndLine) {
  const auto refusal = [](const std::string& text) {
    const TextFile file{text};
    return message_of([&] { LoadProfile::read(file.path()); });
  };
  const std::string whole = profile().to_toml();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return refusal(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_TRUE(holds(with("version = 1", "version = 2"), ":5:11: version is 2, not 1"))
      << with("version = 1", "version = 2");
  EXPECT_TRUE(holds(with("load classification\"", "static limits\""), "heddle profile"));
  EXPECT_TRUE(holds(with("local = true", "local = 1"), "local must be true or false"));
  EXPECT_TRUE(holds(with("pc = 1\n", "pc = -1\n"), "pc must be a whole number from 0"));
  EXPECT_TRUE(holds(with("instructions = 6\n", ""), "instructions is missing"));
  EXPECT_TRUE(holds(refusal("kind = "), ":1:"));
  EXPECT_TRUE(holds(refusal(""), "kind is missing"));
  EXPECT_NE(message_of([] { LoadProfile::read("/nowhere/at/all.toml"); }), "no error");
}

TEST(DawsProfiled, VetoesLoadsWhoseLinesDoNotFit) {
  const TextFile file{profile().to_toml()};
  const isa::Kernel k = kernel();
  PolicyContext context;
  context.l1_lines = 100;  // 60 may be filled
  IssueBench bench{parse_policy("daws-profiled:profile=" + file.path())->build(context), warps(3)};
  bench.kernel(sm::KernelEvent::What::start, &k);
  bench.loads(warps(3));
  bench.heads(&k.instructions[2]);
  bench.policy().on_loop({warp(0), 0, LaneMask::all(), true});
  bench.policy().on_loop({warp(1), 0, LaneMask::all(), true});
  EXPECT_EQ(bench.issue(ready(1)), WarpSlot::none);  // 68 lines
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
  bench.policy().on_loop({warp(1), 0, LaneMask::first(20), true});
  EXPECT_EQ(bench.issue(ready(1)), warp(1));  // 34 and 22
}

TEST(StaticLimits, AreUnchangedAfterWritingAndReading) {
  const TextFile file{limits().to_toml()};
  EXPECT_EQ(StaticLimits::read(file.path()).to_toml(), limits().to_toml());
}

TEST(StaticLimits, OutsideTheirRangesAreRefusedWithFileAndLine) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    std::string text = limits().to_toml();
    const TextFile file{text.replace(text.find(from), from.size(), to)};
    return message_of([&] { StaticLimits::read(file.path()); });
  };
  EXPECT_EQ(refusal("warps = 3", "warps = 1"), "no error");
  EXPECT_EQ(refusal("[1, 900]", "[1, 0]"), "no error");  // no launch took a cycle
  EXPECT_EQ(refusal("[3, 500]", "[64, 500]"), "no error");
  EXPECT_TRUE(holds(refusal("warps = 3", "warps = 0"), ":16:9: warps must be a whole number from"))
      << refusal("warps = 3", "warps = 0");
  for (const char* wrong : {"[0, 900]", "[65, 900]", "[1, -1]", "[1]", "[1, 900, 3]", "[1, 2.5]"})
    EXPECT_TRUE(holds(refusal("[1, 900]", wrong), ":17:11: cycles must hold pairs"))
        << refusal("[1, 900]", wrong);
  for (const char* wrong : {"[0, 1, 1]", "[4, 1]", "[4, 1, 1.5]", "4"})
    EXPECT_TRUE(holds(refusal("[4, 1, 1]", wrong), ": grid must be a list of three whole numbers"))
        << refusal("[4, 1, 1]", wrong);
}

TEST(StaticLimits, AreFoundByKernelAndGridOrByTheKernelsLongestLaunches) {
  const StaticLimits l = limits();
  EXPECT_EQ(l.limit_of("walk", {4, 1, 1}), 3u);
  EXPECT_EQ(l.limit_of("walk", {9, 2, 1}), 8u);
  EXPECT_EQ(l.limit_of("walk", {7, 7, 7}), 8u);
  EXPECT_TRUE(holds(message_of([&] { l.limit_of("run", {4, 1, 1}); }), "no limit for kernel run"));
}

TEST(Swl, UsesTheLimitOfTheProgramFromTheFile) {
  const TextFile file{limits().to_toml()};
  isa::Kernel k = kernel();
  IssueBench bench{parse_policy("swl:best=" + file.path() + "+lrr")->build({}), warps(9)};
  for (const char* name : {"walk", "not searched"}) {
    k.name = name;
    bench.kernel(sm::KernelEvent::What::start, &k, {4, 1, 1});
    EXPECT_EQ(bench.issue(ready(4, 5)), warp(4));
    EXPECT_EQ(bench.issue(ready(5)), WarpSlot::none);
  }
}

TEST(Swl, UsesTheLimitOfEachKernelFromTheFile) {
  const TextFile file{limits().to_toml()};
  const isa::Kernel k = kernel();
  const std::string policy = "swl:best_per_kernel=" + file.path() + "+lrr";
  IssueBench bench{parse_policy(policy)->build({}), warps(9)};
  bench.kernel(sm::KernelEvent::What::start, &k, {4, 1, 1});
  EXPECT_EQ(bench.issue(ready(3, 8)), WarpSlot::none);
  bench.kernel(sm::KernelEvent::What::start, &k, {9, 2, 1});
  EXPECT_EQ(bench.issue(ready(3, 8)), warp(3));
  EXPECT_EQ(bench.issue(ready(8)), WarpSlot::none);
}

TEST(PoliciesWithFiles, ReportAMissingFile) {
  EXPECT_TRUE(holds(parse_policy("swl:best+lrr")->missing_input(), "heddle best-swl"));
  EXPECT_TRUE(holds(parse_policy("ccws+daws-profiled")->missing_input(), "heddle profile"));
  EXPECT_EQ(parse_policy("swl:warps=3")->missing_input(), "");
  EXPECT_EQ(parse_policy("swl:best")->text(), "swl:best=auto");
  const TextFile file{limits().to_toml()};
  EXPECT_EQ(parse_policy("swl:best=" + file.path())->missing_input(), "");
  EXPECT_TRUE(holds(parse_policy("swl:best_per_kernel")->missing_input(), "best_per_kernel=FILE"));
  EXPECT_TRUE(holds(message_of([] { parse_policy("swl:best,best_per_kernel"); }), "exclude"));
  EXPECT_TRUE(holds(message_of([&] { parse_policy("daws-profiled:profile=" + file.path()); }),
                    "not \"load classification\"; heddle profile writes the needed file"));
}

template <class Record>
void check_damaged_files(const std::string& name) {
  std::map<std::size_t, Fnv64> parts;
  for_each_damage(read_file(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/hints/" + name),
                  [&](std::size_t line, const std::string& damaged) {
                    const TextFile file(damaged);
                    std::string meaning;
                    try {
                      meaning = Record::read(file.path()).to_toml();
                    } catch (const UserError& refusal) {
                      meaning = refusal.what();
                    }
                    parts[line / 10].add(without(meaning, file.path()));
                  });
  for (const auto& [part, hash] : parts)
    check_recorded_text("sched/recorded_files.txt", fmt::format("{} from line {}0", name, part),
                        fmt::format("{:016x}", hash.value()));
}

TEST(KernelFiles, DamagedOnesMeanWhatTheyDid) {
  check_damaged_files<LoadProfile>("profile.toml");
  check_damaged_files<StaticLimits>("limits.toml");
}

}  // namespace heddle::sched
