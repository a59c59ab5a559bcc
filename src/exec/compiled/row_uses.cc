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

// Do lanes read and write the rows of their operands only?
bool has_known_operands(const DecodedInstruction& r) {
  using ptx::Opcode;
  switch (r.flow) {
    case Flow::plain:
    case Flow::converge: {
      const Opcode opcode = ptx_of(r).opcode;
      return opcode <= Opcode::testp || opcode == Opcode::atom || opcode == Opcode::red ||
             opcode == Opcode::bar || opcode == Opcode::membar || opcode == Opcode::nanosleep;
    }
    case Flow::barrier: return ptx_of(r).opcode == ptx::Opcode::bar;
    case Flow::branch: return !r.closes_spin_loop;  // it is found to spin by all its registers
    case Flow::return_:
    case Flow::exit:
    case Flow::clock:
    case Flow::trap: return true;
    default: return false;
  }
}

// Which rows may still be read, lane by lane. What lanes read of each other is always live, and all
// rows are in kernels with calls or with instructions whose operands are not known.
class Liveness {
 public:
  Liveness(const DecodedKernel& kernel, const std::vector<char>& leads)
      : kernel_(kernel),
        leads_(leads),
        always_(kernel.register_rows + kernel.scratch_rows, 0),
        live_(kernel.code.size()) {
    for (const DecodedInstruction& r : kernel.code) {
      if (!has_known_operands(r)) std::fill(always_.begin(), always_.end(), 1);
      if (r.flow != Flow::converge) continue;
      for (const RowSource& s : r.src)
        if (is_row(s)) for_each_row(s.offset, s.bytes, [&](std::size_t row) { always_[row] = 1; });
    }
    for (std::size_t pc = kernel.code.size(); pc-- > 0;)
      if (leads_[pc]) leaders_.push_back(pc), live_[pc] = always_;
    solve();
  }

  std::size_t rows() const { return always_.size(); }
  bool is_always_live(std::size_t row) const { return always_[row] != 0; }
  std::size_t end_of_block(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < kernel_.code.size() && !leads_[end]) ++end;
    return end;
  }
  bool reads_all(const DecodedInstruction& r) const { return r.flow == Flow::trap; }
  // Does the instruction write all lanes of its destinations?
  bool replaces(const DecodedInstruction& r) const {
    return r.flow != Flow::barrier && !is_guarded(r);
  }
  Rows live_behind(std::size_t end) const {
    Rows live = always_;
    for_each_successor(end - 1, [&](std::size_t to) {
      for (std::size_t n = 0; n < live.size(); ++n) live[n] |= live_[to][n];
    });
    return live;
  }

 private:
  bool is_guarded(const DecodedInstruction& r) const {
    return r.guard.row != kernel_.predicate_rows || r.guard.flip != 0;
  }
  template <class Act>
  void for_each_successor(std::size_t pc, Act act) const {
    const DecodedInstruction& r = kernel_.code[pc];
    const bool ends = r.flow == Flow::exit || r.flow == Flow::return_;
    if (r.flow == Flow::branch) act(std::size_t{r.instruction->target});
    if (!(ends || r.flow == Flow::branch) || is_guarded(r))
      if (pc + 1 < kernel_.code.size()) act(pc + 1);
  }
  void step_back(Rows& live, const DecodedInstruction& r) const {
    if (reads_all(r)) return std::fill(live.begin(), live.end(), 1), void();
    for (std::size_t n = 0; n < r.dst.size() && replaces(r); ++n)
      if (r.dst_bytes[n])
        for_each_row(r.dst[n], r.dst_bytes[n], [&](std::size_t row) { live[row] = always_[row]; });
    for (const RowSource& s : r.src)
      if (is_row(s)) for_each_row(s.offset, s.bytes, [&](std::size_t row) { live[row] = 1; });
  }
  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t first : leaders_) {
        const std::size_t end = end_of_block(first);
        Rows live = live_behind(end);
        for (std::size_t pc = end; pc-- > first;) step_back(live, kernel_.code[pc]);
        if (live != live_[first]) live_[first] = std::move(live), changed = true;
      }
    }
  }

  const DecodedKernel& kernel_;
  const std::vector<char>& leads_;
  Rows always_;
  std::vector<Rows> live_;            // at the starts of blocks, by pc
  std::vector<std::size_t> leaders_;  // descending
};

}  // namespace

RowUses::RowUses(const DecodedKernel& kernel, const std::vector<char>& leads)
    : next_(kernel.code.size()) {
  const Liveness liveness(kernel, leads);
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
    for (std::size_t n = end; n-- > first;) {
      const DecodedInstruction& r = kernel.code[n];
      const Pc pc = static_cast<Pc>(n);
      if (liveness.reads_all(r)) std::fill(reader.begin(), reader.end(), pc);
      // Results for some lanes keep what the others have.
      for (std::size_t d = 0; d < r.dst.size(); ++d)
        if (r.dst_bytes[d]) next_[pc].dst[d] = next_of(r.dst[d], r.dst_bytes[d]);
      for (std::size_t d = 0; d < r.dst.size(); ++d)
        if (r.dst_bytes[d])
          for_each_row(r.dst[d], r.dst_bytes[d], [&](std::size_t row) {
            reader[row] = !liveness.replaces(r)          ? pc
                          : liveness.is_always_live(row) ? kReadInOtherBlock
                                                         : kNeverRead;
          });
      for (std::size_t s = 0; s < r.src.size(); ++s)
        if (is_row(r.src[s])) next_[pc].src[s] = next_of(r.src[s].offset, r.src[s].bytes);
      for (const RowSource& s : r.src)
        if (is_row(s)) for_each_row(s.offset, s.bytes, [&](std::size_t row) { reader[row] = pc; });
    }
  }
}

}  // namespace heddle::exec
