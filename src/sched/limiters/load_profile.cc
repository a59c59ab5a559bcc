#include "sched/limiters/load_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "sched/framework/kernel_file.h"

namespace heddle::sched {
namespace {

constexpr const char* kProfileKind = "load classification";
constexpr std::int64_t kProfileVersion = 1, kMaxCount = std::int64_t{1} << 62, kMaxPc = 1 << 24;

ProfiledLoad read_load(const KernelFile& file, const toml::table& t) {
  ProfiledLoad load;
  load.pc = static_cast<Pc>(file.integer(t, "pc", 0, kMaxPc));
  load.ptx_line = static_cast<std::uint32_t>(file.integer(t, "ptx_line", 0, kMaxPc));
  load.diverged = file.boolean(t, "diverged");
  load.group = static_cast<std::uint32_t>(file.integer(t, "group", 0, kMaxPc));
  load.executions = static_cast<std::uint64_t>(file.integer(t, "executions", 0, kMaxCount));
  load.scattered = static_cast<std::uint64_t>(file.integer(t, "scattered", 0, kMaxCount));
  load.where = file.where(t);
  return load;
}

ProfiledLoop read_loop(const KernelFile& file, const toml::table& t) {
  ProfiledLoop loop;
  loop.pc = static_cast<Pc>(file.integer(t, "pc", 0, kMaxPc));
  loop.ptx_line = static_cast<std::uint32_t>(file.integer(t, "ptx_line", 0, kMaxPc));
  loop.source = file.text(t, "source");
  loop.local = file.boolean(t, "local");
  loop.accesses = static_cast<std::uint64_t>(file.integer(t, "accesses", 0, kMaxCount));
  loop.own = static_cast<std::uint64_t>(file.integer(t, "own", 0, kMaxCount));
  loop.where = file.where(t);
  for (const toml::node& one : file.tables(t, "load"))
    loop.loads.push_back(read_load(file, file.table(one)));
  return loop;
}

[[noreturn]] void mismatch(const SourceLocation& where, const isa::Kernel& kernel,
                           const std::string& difference) {
  throw UserError(where, fmt::format("the profile does not match kernel {}: {}; profile the "
                                     "program again (heddle profile)",
                                     plain_name(kernel.name), difference));
}

bool is_profiled(const isa::Instruction& i) { return i.is_l1_load() && i.loop != isa::Loop::kNone; }

void check(const ProfiledKernel& profile, const isa::Kernel& kernel) {
  if (profile.instructions != kernel.instructions.size())
    mismatch(profile.where, kernel,
             fmt::format("it has {} instructions, not {}", kernel.instructions.size(),
                         profile.instructions));
  for (const ProfiledLoop& loop : profile.loops) {
    const auto found = std::find_if(kernel.loops.begin(), kernel.loops.end(),
                                    [&](const isa::Loop& l) { return l.header == loop.pc; });
    if (found == kernel.loops.end() || kernel.instructions[loop.pc].ptx_line != loop.ptx_line)
      mismatch(
          loop.where, kernel,
          fmt::format("no loop begins at instruction {}, PTX line {}", loop.pc, loop.ptx_line));
    for (const ProfiledLoad& load : loop.loads) {
      const bool there = load.pc < kernel.instructions.size() &&
                         is_profiled(kernel.instructions[load.pc]) &&
                         kernel.instructions[load.pc].ptx_line == load.ptx_line &&
                         kernel.loops[kernel.instructions[load.pc].loop].header == loop.pc;
      if (!there)
        mismatch(load.where, kernel,
                 fmt::format("instruction {}, PTX line {}, is not a load of this loop", load.pc,
                             load.ptx_line));
    }
  }
}

}  // namespace

std::string LoadProfile::to_toml() const {
  std::string out = fmt::format(
      "# The load classification of one run, written by heddle profile for daws-profiled. A loop "
      "is\n"
      "# local when more than half of its accesses find a line that the same warp brought in. A "
      "load\n"
      "# is diverged when it ever took more than two accesses. Loads of a group touch the same "
      "lines.\n"
      "kind = {}\nversion = {}\nprogram = {}\narguments = {}\ngpu = {}\nscheduler = {}\n",
      quoted(kProfileKind), kProfileVersion, quoted(program), quoted(arguments), quoted(gpu),
      quoted(scheduler));
  for (const ProfiledKernel& kernel : kernels) {
    out += fmt::format("\n[[kernel]]  # {}\nname = {}\ninstructions = {}\n",
                       plain_name(kernel.name), quoted(kernel.name), kernel.instructions);
    for (const ProfiledLoop& loop : kernel.loops) {
      out += fmt::format(
          "\n  [[kernel.loop]]\n  pc = {}\n  ptx_line = {}\n  source = {}\n  local = {}\n  "
          "accesses = {}\n  own = {}\n",
          loop.pc, loop.ptx_line, quoted(loop.source), loop.local, loop.accesses, loop.own);
      for (const ProfiledLoad& load : loop.loads)
        out += fmt::format(
            "\n    [[kernel.loop.load]]\n    pc = {}\n    ptx_line = {}\n    diverged = {}\n    "
            "group = {}\n    executions = {}\n    scattered = {}\n",
            load.pc, load.ptx_line, load.diverged, load.group, load.executions, load.scattered);
    }
  }
  return out;
}

LoadProfile LoadProfile::read(const std::string& path) {
  const KernelFile file(path, kProfileKind, kProfileVersion, "profile");
  LoadProfile profile;
  profile.path = path;
  profile.program = file.text(file.top(), "program");
  profile.arguments = file.text(file.top(), "arguments");
  profile.gpu = file.text(file.top(), "gpu");
  profile.scheduler = file.text(file.top(), "scheduler");
  for (const toml::node& one : file.tables(file.top(), "kernel")) {
    const toml::table& t = file.table(one);
    ProfiledKernel kernel;
    kernel.name = file.text(t, "name");
    kernel.instructions = static_cast<std::uint64_t>(file.integer(t, "instructions", 0, kMaxPc));
    kernel.where = file.where(t);
    for (const toml::node& loop : file.tables(t, "loop"))
      kernel.loops.push_back(read_loop(file, file.table(loop)));
    profile.kernels.push_back(std::move(kernel));
  }
  return profile;
}

LoadTable LoadProfile::table_of(const isa::Kernel& kernel) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const ProfiledKernel& k) { return k.name == kernel.name; });
  if (found == kernels.end())
    throw UserError({path}, "has no entry for kernel " + plain_name(kernel.name) +
                                "; profile a run that launches it (heddle profile)");
  check(*found, kernel);
  LoadTable table(kernel.instructions.size());
  std::uint32_t first_group = 0;
  for (const ProfiledLoop& loop : found->loops) {
    std::uint32_t next = first_group;
    for (const ProfiledLoad& load : loop.loads) {
      if (loop.local) table.insert({load.pc, loop.pc, load.diverged, first_group + load.group, 0});
      next = std::max(next, first_group + load.group + 1);
    }
    first_group = next;
  }
  return table;
}

std::vector<Pc> repeated_loads(const isa::Kernel& kernel, std::uint32_t line_bytes) {
  std::vector<Pc> first(kernel.instructions.size(), kNoPc);
  const auto line = [line_bytes](const isa::Instruction& i) {
    const auto bytes = static_cast<std::int64_t>(line_bytes);
    return (i.address_offset >= 0 ? i.address_offset : i.address_offset - bytes + 1) / bytes;
  };
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const isa::Instruction& load = kernel.instructions[pc];
    if (!is_profiled(load)) continue;
    first[pc] = pc;
    for (Pc other = 0; other < pc && first[pc] == pc; ++other) {
      const isa::Instruction& before = kernel.instructions[other];
      if (first[other] == other && before.loop == load.loop &&
          before.base_register == load.base_register && line(before) == line(load))
        first[pc] = other;
    }
  }
  return first;
}

}  // namespace heddle::sched
