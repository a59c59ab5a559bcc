#include "exec/check/checker.h"

#include <algorithm>
#include <utility>

#include "exec/check/guard.h"
#include "sass/kernel.h"

namespace heddle::exec {
namespace {

using ptx::OpClass;
using ptx::Opcode;

const char* name_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared: return "shared";
    case ptx::Space::local: return "local";
    case ptx::Space::none: return "";
    default: return "global";
  }
}

// Instructions whose memory accesses CtaCheck does not check. Images count as written, so texture
// fetches and surface accesses have no effect on the check.
bool is_unknown_transfer(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::mbarrier:
    case Opcode::mbarrier_count:
    case Opcode::ld_wide:
    case Opcode::st_wide:
    case Opcode::atom_wide:
    case Opcode::prefetch:
    case Opcode::cp_async:
    case Opcode::cp_async_arrive:
    case Opcode::bulk_load:
    case Opcode::bulk_store:
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return false;
    default:
      return i.op_class == OpClass::load || i.op_class == OpClass::store ||
             i.op_class == OpClass::atomic;
  }
}

}  // namespace

Checker::Checker(const config::CheckSpec& spec, GlobalMemory& memory)
    : spec_(spec), memory_(memory) {
  memory_.keep_apart(kGuardBytes);
}

void Checker::begin(const Launch& launch, std::span<const DecodedInstruction> code) {
  if (std::exchange(running_, true)) outer_.push_back(std::exchange(current_, {}));
  current_.launch = launch;
  current_.code = code;
  current_.stamp = static_cast<std::uint32_t>(++launches_);
  current_.order.begin();
  const auto has = [&](auto holds) {
    return std::any_of(code.begin(), code.end(),
                       [&](const DecodedInstruction& r) { return holds(ptx_of(r)); });
  };
  current_.fences = has([](const ptx::Instruction& i) { return i.opcode == Opcode::membar; });
  current_.blind = has(is_unknown_transfer);
}

void Checker::end() {
  current_.accesses.clear();
  if (current_.blind) unwritten_.clear_all();
  running_ = !outer_.empty();
  if (!running_) return;
  current_ = std::move(outer_.back());
  outer_.pop_back();
}

void Checker::find_leaks() {
  for (const auto& [base, allocation] : memory_.live()) {
    if (allocation.what.find('#') == std::string::npos) continue;  // allocated by the loader
    if (findings_.size() >= spec_.limit) {
      ++unreported_;
      continue;
    }
    Finding leak;
    leak.what = "memory that is not freed";
    leak.space = "global";
    leak.address = base;
    leak.nearest = memory_.describe(Address{base});
    findings_.push_back(std::move(leak));
  }
}

ThreadId Checker::thread_id(std::uint64_t cta, std::uint32_t thread) const {
  const auto split = [](std::uint64_t n, const Dim3& size) {
    return Dim3{static_cast<std::uint32_t>(n % size.x),
                static_cast<std::uint32_t>(n / size.x % size.y),
                static_cast<std::uint32_t>(n / size.x / size.y)};
  };
  return {split(cta, current_.launch.grid), split(thread, current_.launch.block)};
}

Place Checker::place(Pc pc) const {
  const isa::Kernel& kernel = *current_.launch.kernel;
  if (pc >= current_.code.size()) return {};
  const ptx::Instruction& i = ptx_of(current_.code[pc]);
  Place at{{}, 0, kernel.module, i.ptx_line};
  if (i.source < kernel.source_lines.size())
    at.file = kernel.source_lines[i.source].file, at.line = kernel.source_lines[i.source].line;
  return at;
}

bool Checker::same_line(Pc a, Pc b) const {
  const Place first = place(a), second = place(b);
  // A compiler copies instructions; without lines of the source the copies are not known.
  if (first.file.empty() && dynamic_cast<const sass::Kernel*>(current_.launch.kernel)) return true;
  return a == b || (!first.file.empty() && first.file == second.file && first.line == second.line);
}

// The two instructions of a finding in either order are the same finding.
Checker::Key Checker::key_of(const Detail& d) const {
  return {current_.launch.kernel->name, d.kind, std::min(d.pc, d.other_pc),
          std::max(d.pc, d.other_pc)};
}

bool Checker::known(const Detail& d) {
  const auto found = by_place_.find(key_of(d));
  if (found == by_place_.end()) return false;
  if (found->second < findings_.size()) ++findings_[found->second].count;
  return true;
}

void Checker::add(const Detail& d) {
  if (known(d)) return;
  const bool is_reported = findings_.size() < spec_.limit;
  by_place_.emplace(key_of(d), is_reported ? findings_.size() : ~std::size_t{0});
  if (!is_reported) {
    ++unreported_;
    return;
  }
  Finding f;
  f.tool = d.tool;
  f.what = d.what;
  f.note = d.note;
  f.kernel = current_.launch.kernel->name;
  f.grid = current_.launch.grid_id;
  f.place = place(d.pc);
  f.who = d.who;
  f.space = name_of(d.space);
  f.address = d.address;
  if (f.space == "global") f.nearest = memory_.describe(Address{d.address});
  if (d.other_act) f.other = Finding::Other{d.other_act, d.other, place(d.other_pc)};
  findings_.push_back(std::move(f));
}

}  // namespace heddle::exec
