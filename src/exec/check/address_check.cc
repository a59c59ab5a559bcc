#include "exec/check/address_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "exec/isa/memory_access.h"

namespace heddle::exec {

AddressCheck::AddressCheck(const Launch& launch)
    : kernel_(ptx::as_ptx(*launch.kernel)),
      block_(launch.block),
      entry_end_(kernel_.functions.size() > 1 ? kernel_.functions[1].entry
                                              : static_cast<Pc>(kernel_.code.size())),
      forms_(kernel_, {launch.grid, launch.block, launch.parameters}) {
  point_.iterations.resize(kernel_.loops.size());
}

void AddressCheck::compare(const Warp& w, const DecodedInstruction& r, std::uint32_t mask,
                           const std::vector<std::int64_t>& iterations) {
  std::array<std::uint64_t, kWarpSize> actual;
  raw_addresses(w, r, actual);
  point_.cta = {w.cta->x, w.cta->y, w.cta->z};
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t thread = w.warp_in_cta * kWarpSize + lane;
    point_.thread = {thread % block_.x, thread / block_.x % block_.y, thread / block_.x / block_.y};
    for (std::size_t l = 0; l < point_.iterations.size(); ++l)
      point_.iterations[l] = iterations[l * kWarpSize + lane];
    ++compared_;
    if (forms_.is_unreached(w.pc))
      report(
          w, w.pc, lane,
          fmt::format("accesses {:#x}, but the analysis says that no thread does", actual[lane]));
    if (const std::uint64_t expected = forms_.address(w.pc, point_); expected != actual[lane])
      report(w, w.pc, lane,
             fmt::format("accesses {:#x}, but its affine form {} gives {:#x}", actual[lane],
                         forms_.text(w.pc), expected));
    if (const std::string condition = forms_.forbidden(w.pc, point_); !condition.empty())
      report(w, w.pc, lane,
             fmt::format("accesses {:#x}, but the analysis restricts the access to {}",
                         actual[lane], condition));
  }
}

void AddressCheck::report(const Warp&, Pc pc, std::uint32_t, const std::string& what) const {
  const ptx::Instruction& i = kernel_.code[pc];
  const ptx::SourceLine& line = kernel_.source_lines[i.source];
  std::string iterations;
  for (std::int64_t n : point_.iterations)
    iterations += (iterations.empty() ? ", iterations " : ",") + std::to_string(n);
  throw UserError(fmt::format(
      "the address analysis is wrong: kernel '{}', {}, PTX line {}: thread ({},{},{}) of CTA "
      "({},{},{}){} {}. This is a defect of Heddle: report it with the program",
      plain_name(kernel_.name),
      line.line ? line.file + " line " + std::to_string(line.line) : std::string("unknown line"),
      i.ptx_line, point_.thread.x, point_.thread.y, point_.thread.z, point_.cta.x, point_.cta.y,
      point_.cta.z, iterations, what));
}

CtaAddressCheck::CtaAddressCheck(AddressCheck& check, std::size_t warps)
    : check_(check), loops_(check.kernel().loops.size()) {
  const auto& loops = check.kernel().loops;
  contains_.assign(loops_ + 1, std::vector<char>(loops_, 0));
  for (std::size_t l = 0; l < loops_; ++l)
    for (auto outer = static_cast<std::uint16_t>(l); outer != ptx::Loop::kNone;
         outer = loops[outer].parent)
      contains_[l + 1][outer] = 1;
  if (loops_ > 0) inside_.assign(warps, std::vector<std::uint32_t>(loops_, 0));
  iterations_.assign(warps, std::vector<std::int64_t>(loops_ * kWarpSize, 0));
}

void CtaAddressCheck::start() {
  for (auto& lanes : inside_) std::fill(lanes.begin(), lanes.end(), 0);
}

void CtaAddressCheck::count_iterations(const Warp& w, const DecodedInstruction& r) {
  const std::uint32_t active = w.stack.active();
  const std::uint16_t loop = r.instruction->loop;
  const std::vector<char>& around = contains_[loop == ptx::Loop::kNone ? 0 : loop + 1u];
  std::vector<std::uint32_t>& inside = inside_[w.warp_in_cta];
  for (std::size_t l = 0; l < loops_; ++l)
    if (!around[l]) inside[l] &= ~active;
  if (!ptx_of(r).loop_header) return;
  std::int64_t* const count = &iterations_[w.warp_in_cta][std::size_t{loop} * kWarpSize];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    count[lane] = inside[loop] >> lane & 1 ? count[lane] + 1 : 0;
  }
  inside[loop] |= active;
}

}  // namespace heddle::exec
