#include "exec/compiled/row_uses.h"

#include <algorithm>

namespace heddle::exec {
namespace {

constexpr std::uint32_t kRowBytes = 128;

using Rows = std::vector<char>;  // by row: is it live?

template <class Act>
void for_each_row(std::uint32_t offset, int bytes, Act act) {
  for (std::uint32_t n = 0; n < (bytes > 4 ? static_cast<std::uint32_t>(bytes) / 4 : 1); ++n)
    act(std::size_t{offset / kRowBytes + n});
}

bool is_row(const RowSource& s) { return s.present && s.base == 0; }

// Liveness of rows, lane by lane: other lanes' values stay where they are.
class Liveness {
 public:
  Liveness(const DecodedKernel& kernel, const std::vector<char>& leads,
           const std::vector<char>* compiled)
      : kernel_(kernel),
        leads_(leads),
        compiled_(compiled),
        rows_(kernel.register_rows + kernel.scratch_rows) {
    // Loops that wait are interpreted, and found to wait by registers that do not change.
    if (std::any_of(kernel.code.begin(), kernel.code.end(),
                    [](const DecodedInstruction& r) { return r.closes_spin_loop; }))
      compiled_ = nullptr;
    if (compiled_) solve();
  }

  std::size_t rows() const { return rows_; }
  std::size_t end_of_block(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < kernel_.code.size() && !leads_[end]) ++end;
    return end;
  }
  bool reads_all(std::size_t pc) const {
    const DecodedInstruction& r = kernel_.code[pc];
    switch (r.flow) {
      case Flow::plain: return compiled_ && !(*compiled_)[pc];
      case Flow::branch:
      case Flow::exit: return false;
      case Flow::return_:
        return !static_cast<const ptx::Kernel&>(*kernel_.kernel).functions.empty();
      case Flow::barrier: return ptx_of(r).opcode != ptx::Opcode::bar;
      default: return true;
    }
  }
  bool is_guarded(const DecodedInstruction& r) const {
    return r.guard.row != kernel_.predicate_rows || r.guard.flip != 0;
  }
  // Does the instruction write all lanes of its destinations?
  bool replaces(const DecodedInstruction& r) const {
    return r.flow == Flow::plain && !is_guarded(r);
  }
  Rows live_behind(std::size_t end) const {
    if (!compiled_) return Rows(rows_, 1);
    Rows live(rows_, 0);
    for_each_successor(end - 1, [&](std::size_t to) {
      for (std::size_t n = 0; n < rows_; ++n) live[n] |= live_[to][n];
    });
    return live;
  }

 private:
  template <class Act>
  void for_each_successor(std::size_t pc, Act act) const {
    const DecodedInstruction& r = kernel_.code[pc];
    const bool ends = r.flow == Flow::exit || r.flow == Flow::return_;
    if (r.flow == Flow::branch) act(std::size_t{r.instruction->target});
    if (!(ends || r.flow == Flow::branch) || is_guarded(r))
      if (pc + 1 < kernel_.code.size()) act(pc + 1);
  }
  void step_back(Rows& live, std::size_t pc) const {
    const DecodedInstruction& r = kernel_.code[pc];
    if (reads_all(pc)) return std::fill(live.begin(), live.end(), 1), void();
    for (std::size_t n = 0; n < r.dst.size() && replaces(r); ++n)
      if (r.dst_bytes[n])
        for_each_row(r.dst[n], r.dst_bytes[n], [&](std::size_t row) { live[row] = 0; });
    for (const RowSource& s : r.src)
      if (is_row(s)) for_each_row(s.offset, s.bytes, [&](std::size_t row) { live[row] = 1; });
  }
  void solve() {
    live_.resize(kernel_.code.size());
    std::vector<std::size_t> leaders;
    for (std::size_t pc = kernel_.code.size(); pc-- > 0;)
      if (leads_[pc]) leaders.push_back(pc), live_[pc].assign(rows_, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t first : leaders) {
        const std::size_t end = end_of_block(first);
        Rows live = live_behind(end);
        for (std::size_t pc = end; pc-- > first;) step_back(live, pc);
        if (live != live_[first]) live_[first] = std::move(live), changed = true;
      }
    }
  }

  const DecodedKernel& kernel_;
  const std::vector<char>& leads_;
  const std::vector<char>* compiled_;
  std::size_t rows_;
  std::vector<Rows> live_;  // at the starts of blocks, by pc
};

}  // namespace

RowUses::RowUses(const DecodedKernel& kernel, const std::vector<char>& leads,
                 const std::vector<char>* compiled)
    : next_(kernel.code.size()) {
  const Liveness liveness(kernel, leads, compiled);
  std::vector<Pc> reader(liveness.rows());
  const auto next_of = [&](std::uint32_t offset, int bytes) {
    Pc next = kNeverRead;
    for_each_row(offset, bytes, [&](std::size_t row) { next = std::min(next, reader[row]); });
    return next;
  };
  for (std::size_t first = 0, end = 0; first < kernel.code.size(); first = end) {
    end = liveness.end_of_block(first);
    const Rows live = liveness.live_behind(end);
    for (std::size_t n = 0; n < reader.size(); ++n)
      reader[n] = live[n] ? kReadInOtherBlock : kNeverRead;
    for (std::size_t pc = end; pc-- > first;) {
      const DecodedInstruction& r = kernel.code[pc];
      const auto set = [&](std::uint32_t offset, int bytes, Pc to) {
        for_each_row(offset, bytes, [&](std::size_t row) { reader[row] = to; });
      };
      for (std::size_t n = 0; n < r.dst.size(); ++n)
        if (r.dst_bytes[n]) next_[pc].dst[n] = next_of(r.dst[n], r.dst_bytes[n]);
      for (std::size_t n = 0; n < r.dst.size(); ++n)
        if (r.dst_bytes[n] && liveness.replaces(r)) set(r.dst[n], r.dst_bytes[n], kNeverRead);
      for (std::size_t n = 0; n < r.src.size(); ++n)
        if (is_row(r.src[n])) next_[pc].src[n] = next_of(r.src[n].offset, r.src[n].bytes);
      // A result for some lanes keeps what the others have.
      for (std::size_t n = 0; n < r.dst.size(); ++n)
        if (r.dst_bytes[n] && !liveness.replaces(r))
          set(r.dst[n], r.dst_bytes[n], static_cast<Pc>(pc));
      for (const RowSource& s : r.src)
        if (is_row(s)) set(s.offset, s.bytes, static_cast<Pc>(pc));
      if (liveness.reads_all(pc)) std::fill(reader.begin(), reader.end(), static_cast<Pc>(pc));
    }
  }
}

}  // namespace heddle::exec
