#include "ptx/flow/liveness.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle::ptx {

namespace {

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers) : words_((registers + 63) / 64, 0) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool test(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void merge(const RegisterSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  // this |= use | (out & ~def); true when it grew
  bool transfer(const RegisterSet& use, const RegisterSet& out, const RegisterSet& def) {
    std::uint64_t grown = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      const std::uint64_t before = words_[w];
      words_[w] |= use.words_[w] | (out.words_[w] & ~def.words_[w]);
      grown |= before ^ words_[w];
    }
    return grown != 0;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest; rest &= rest - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct BlockSets {
  RegisterSet use, def, in, out;
};

using Accumulators = std::span<const std::vector<Operand>>;

template <class F>
void for_each_read(const Instruction& i, Accumulators accumulators, F&& f) {
  for (std::uint16_t r : std::span(i.reads.data(), i.read_count)) f(r);
  if (i.opcode != Opcode::wgmma) return;
  for (const Operand& operand : accumulators[i.as<Wgmma>().accumulators]) f(operand.reg);
}
std::span<const std::uint16_t> writes(const Instruction& i) {
  return {i.writes.data(), i.write_count};
}

BlockSets local_sets(std::span<const Instruction> code, const BasicBlock& block, std::uint16_t base,
                     std::size_t count, Accumulators accumulators) {
  BlockSets sets{RegisterSet(count), RegisterSet(count), RegisterSet(count), RegisterSet(count)};
  for (Pc pc = block.first; pc < block.end; ++pc) {
    for_each_read(code[pc], accumulators, [&](std::uint16_t r) {
      if (!sets.def.test(r - base)) sets.use.set(r - base);
    });
    if (code[pc].guard) continue;  // a lane whose guard is false keeps the old value
    for (std::uint16_t r : writes(code[pc])) sets.def.set(r - base);
  }
  return sets;
}

void solve(const Cfg& cfg, std::vector<BlockSets>& sets) {
  std::vector<std::uint32_t> work(cfg.blocks.size());
  std::vector<char> queued(cfg.blocks.size(), 1);
  std::iota(work.begin(), work.end(), 0u);  // the last block comes first
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    queued[b] = 0;
    for (std::uint32_t s : cfg.blocks[b].successors) sets[b].out.merge(sets[s].in);
    if (!sets[b].in.transfer(sets[b].use, sets[b].out, sets[b].def)) continue;
    for (std::uint32_t p : cfg.blocks[b].predecessors) {
      if (!queued[p]) queued[p] = 1, work.push_back(p);
    }
  }
}

}  // namespace

Liveness find_liveness(std::span<const Instruction> code, const Cfg& cfg, std::uint16_t base,
                       std::span<const std::uint8_t> words, Accumulators accumulators) {
  Liveness result;
  result.ranges.resize(words.size());
  result.demand.resize(code.size());
  result.demand_after.resize(code.size());
  std::vector<BlockSets> sets;
  for (const BasicBlock& block : cfg.blocks)
    sets.push_back(local_sets(code, block, base, words.size(), accumulators));
  solve(cfg, sets);

  for (std::size_t b = 0; b < cfg.blocks.size(); ++b) {
    const BasicBlock& block = cfg.blocks[b];
    RegisterSet live = sets[b].out;
    std::uint32_t demand = 0;
    live.for_each(
        [&](std::size_t r) { demand += words[r], result.ranges[r].extend(block.end - 1); });
    sets[b].in.for_each([&](std::size_t r) { result.ranges[r].extend(block.first); });
    for (Pc pc = block.end; pc-- > block.first;) {
      result.demand_after[pc] = demand;
      std::uint32_t dead_writes = 0;
      for (std::uint16_t r : writes(code[pc])) {
        result.ranges[r - base].extend(pc);
        if (!live.test(r - base))
          dead_writes += words[r - base];
        else if (!code[pc].guard)
          live.reset(r - base), demand -= words[r - base];
      }
      const std::uint32_t during = result.demand_after[pc] + dead_writes;
      for_each_read(code[pc], accumulators, [&](std::uint16_t r) {
        result.ranges[r - base].extend(pc);
        if (!live.test(r - base)) live.set(r - base), demand += words[r - base];
      });
      result.demand[pc] = std::max(during, demand);
    }
  }
  return result;
}

RowAssignment assign_rows(std::span<const RowRequest> requests) {
  RowAssignment result;
  result.first_row.assign(requests.size(), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < requests.size(); ++i)
    if (requests[i].range.used()) order.push_back(i);
  const auto start = [&](std::uint32_t i) {
    return requests[i].exclusive ? Pc{0} : requests[i].range.first;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return start(a) < start(b); });

  std::vector<Pc> busy_until;  // by row: first pc at which it is free again
  // By row: its layout. The lanes of a divergent warp may hold different registers in one row at
  // the same time, so all registers of a row must have the same layout: a 64-bit register never
  // shares rows with a 32-bit one.
  enum class Use : std::uint8_t { single, low, high };
  std::vector<Use> use;
  for (std::uint32_t i : order) {
    const RowRequest& request = requests[i];
    std::uint32_t row = 0;
    const auto free_as = [&](std::uint32_t r, Use wanted) {
      return r >= use.size() || (use[r] == wanted && busy_until[r] <= start(i));
    };
    const bool pair = request.rows == 2;
    while (!free_as(row, pair ? Use::low : Use::single) || (pair && !free_as(row + 1, Use::high)))
      ++row;
    if (row == use.size()) {
      busy_until.resize(row + request.rows, 0);
      if (pair)
        use.insert(use.end(), {Use::low, Use::high});
      else
        use.push_back(Use::single);
    }
    for (std::uint32_t r = row; r < row + request.rows; ++r)
      busy_until[r] = request.exclusive ? kNoPc : request.range.last + 1;
    result.first_row[i] = row;
  }
  result.rows = static_cast<std::uint32_t>(busy_until.size());
  for (Use u : use) result.pairs.push_back(u == Use::low);
  return result;
}

}  // namespace heddle::ptx
