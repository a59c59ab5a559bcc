// One instruction of machine code on the registers of a warp, without a kernel.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "exec/machine_code/handlers.h"
#include "exec/state/registers.h"
#include "sass/encoding/table.h"
#include "tests/exec/edge_values.h"

namespace heddle::exec::machine_test {

inline std::uint64_t word(std::uint64_t x) { return x & 0xffffffff; }

using MachineHandler = Handler (*)(const sass::Instruction&, DecodedInstruction&);

// What one lane reads, and what it should write. Values of two registers are of 64 bits.
struct LaneValues {
  std::array<std::uint64_t, 5> in{};
  std::array<bool, 5> in_predicate{};
  std::uint64_t out = 0;
  std::array<bool, 2> out_predicate{};
  int lane = 0;
};

// The first form of the encoding tables with a name, an opcode and a modifier. Its operands are
// registers of their own, except for constants and immediates, which have the value that the lane
// would read.
class MachineCode {
 public:
  explicit MachineCode(std::string_view name, int code = 0,
                       sass::ModifierKind with = sass::ModifierKind::flag) {
    for (const sass::EncodingForm& form : sass::all_forms()) {
      if (form.name != name || (code != 0 && form.code != code)) continue;
      if (with != sass::ModifierKind::flag &&
          std::none_of(form.modifiers.begin(), form.modifiers.end(),
                       [with](const sass::ModifierForm& m) { return m.kind == with; }))
        continue;
      instruction.form = &form;
      break;
    }
    if (instruction.form == nullptr) throw std::invalid_argument("no form " + std::string(name));
    instruction.opcode = instruction.form->opcode;
    std::uint8_t next = 1, next_predicate = 0, next_uniform = 1;
    for (std::size_t k = 0; k < instruction.form->operands.size(); ++k) {
      sass::Operand& o = instruction.operands[k];
      o.kind = instruction.form->operands[k].kind;
      if (o.kind == sass::OperandKind::predicate || o.kind == sass::OperandKind::uniform_predicate)
        o.index = next_predicate++ % 7;
      if (o.kind == sass::OperandKind::reg) o.index = next, next += 16;
      if (o.kind == sass::OperandKind::uniform) o.index = next_uniform, next_uniform += 8;
    }
  }
  template <class Modifier>
  MachineCode& set(Modifier value, int which = 0) {
    return set(sass::kKindOf<Modifier>, {}, static_cast<std::uint8_t>(value), which);
  }
  MachineCode& flag(std::string_view name) { return set(sass::ModifierKind::flag, name, 1, 0); }
  MachineCode& immediate(int k, std::int64_t value) {
    sass::Operand& o = operand(false, k);
    o.kind = sass::OperandKind::immediate, o.value = value;
    return *this;
  }
  // The k-th source that is no predicate, or destination.
  sass::Operand& source(int k) { return operand(false, k); }
  sass::Operand& predicate(bool written, int k) {
    for (std::size_t n = 0; n < instruction.form->operands.size(); ++n)
      if (instruction.form->operands[n].written == written && is_predicate(n) && k-- == 0)
        return instruction.operands[n];
    throw std::out_of_range("no such predicate");
  }
  bool is_predicate(std::size_t n) const {
    const sass::OperandKind kind = instruction.operands[n].kind;
    return kind == sass::OperandKind::predicate || kind == sass::OperandKind::uniform_predicate;
  }

  sass::Instruction instruction;

 private:
  MachineCode& set(sass::ModifierKind kind, std::string_view name, std::uint8_t value, int which) {
    for (std::size_t n = 0; n < instruction.form->modifiers.size(); ++n) {
      const sass::ModifierForm& form = instruction.form->modifiers[n];
      if (form.kind != kind || (!name.empty() && form.name != name) || which-- != 0) continue;
      instruction.modifiers[n] = value;
      return *this;
    }
    throw std::out_of_range("no such modifier");
  }
  sass::Operand& operand(bool written, int k) {
    for (std::size_t n = 0; n < instruction.form->operands.size(); ++n)
      if (instruction.form->operands[n].written == written && !is_predicate(n) &&
          instruction.operands[n].kind != sass::OperandKind::text && k-- == 0)
        return instruction.operands[n];
    throw std::out_of_range("no such operand");
  }
};

// Binds operands as handlers.h says.
class MachineBench {
 public:
  static constexpr std::uint32_t kRowBytes = 128, kUniform = 256, kZero = 330, kSink = 346,
                                 kNumbers = 362, kRows = 380;
  MachineBench() {
    warp.bases = {rows_->data(), rows_->data()};
    warp.predicates = predicates_.data();
    predicates_[kTrue] = ~0u;
  }
  DecodedInstruction bind(const sass::Instruction& i) {
    DecodedInstruction r;
    std::size_t src = 0, dst = 0, src_predicate = 0, dst_predicate = 0;
    for (std::size_t n = 0; n < i.form->operands.size(); ++n) {
      const sass::Operand& o = i.operands[n];
      const bool written = i.form->operands[n].written;
      switch (o.kind) {
        case sass::OperandKind::predicate:
        case sass::OperandKind::uniform_predicate:
          if (written)
            r.dst_predicate[dst_predicate++] = o.index == 7 ? kNobody : std::uint16_t{o.index};
          else
            r.src_predicate[src_predicate++] = {o.index == 7 ? kTrue : std::uint16_t{o.index},
                                                o.negated ? ~0u : 0};
          break;
        case sass::OperandKind::reg:
        case sass::OperandKind::uniform:
        case sass::OperandKind::immediate:
        case sass::OperandKind::constant:
          if (written) {
            r.dst[dst++] = row_of(o, kSink, n) * kRowBytes;
          } else {
            r.src[src] = {row_of(o, kZero, n) * kRowBytes, 0, 4, true};
            r.src_flags = static_cast<std::uint16_t>(
                r.src_flags | (o.negated + 2 * o.absolute + 4 * o.inverted) << (3 * src));
            ++src;
          }
          break;
        default: break;
      }
      if (o.kind == sass::OperandKind::immediate) put(kNumbers + 2 * n, o.value);
    }
    for (std::size_t d = 0; d < dst; ++d)
      for (std::size_t s = 0; s < src; ++s)
        if (r.dst[d] != r.src[s].offset && r.dst[d] < r.src[s].offset + 16 * kRowBytes &&
            r.src[s].offset < r.dst[d] + 16 * kRowBytes)
          r.direct = 0;
    return r;
  }
  std::uint32_t& word(std::size_t row, int lane) {
    return reinterpret_cast<std::uint32_t*>(rows_->data() + row * kRowBytes)[lane];
  }
  std::uint32_t& predicate(int index) { return predicates_[static_cast<std::size_t>(index)]; }
  static std::uint32_t row_of(const sass::Operand& o, std::uint32_t none, std::size_t n) {
    if (o.kind == sass::OperandKind::immediate || o.kind == sass::OperandKind::constant)
      return static_cast<std::uint32_t>(kNumbers + 2 * n);
    if (o.kind == sass::OperandKind::uniform)
      return o.index == sass::kZeroUniformRegister ? none : kUniform + o.index;
    return o.index == sass::kZeroRegister ? none : o.index;
  }

  Warp warp;

 private:
  static constexpr std::uint16_t kTrue = 14, kNobody = 15;
  struct alignas(128) Rows : std::array<std::uint8_t, kRows * kRowBytes> {};
  void put(std::size_t row, std::int64_t value) {
    for (int l = 0; l < kWarpSize; ++l) {
      word(row, l) = static_cast<std::uint32_t>(value);
      word(row + 1, l) = static_cast<std::uint32_t>(value >> 32);
    }
  }
  std::unique_ptr<Rows> rows_ = std::make_unique<Rows>();
  std::array<std::uint32_t, 16> predicates_{};
};

// Values that reveal errors: small, extreme, random; of the k-th source.
using Values = std::function<std::uint64_t(int k, std::mt19937_64& random)>;
inline std::uint64_t any_integer(int, std::mt19937_64& random) {
  if (random() % 3 == 0) return kIntegerEdges[random() % std::size(kIntegerEdges)];
  return random() >> (random() % 2 ? 0 : random() % 64);
}
inline std::uint64_t any_float(int, std::mt19937_64& random) {
  if (random() % 3 == 0) return kFloatEdges[random() % std::size(kFloatEdges)];
  if (random() % 2) return random() & 0xffffffff;
  return std::bit_cast<std::uint32_t>(static_cast<float>(random() % 2000001) / 1000.0f - 1000.0f);
}

// The handler computes what `compute` does, for many values, with all lanes and with half of them.
// A handler of the uniform datapath writes all lanes.
inline void check_lanes(MachineHandler make, const MachineCode& code,
                        const std::function<void(LaneValues&)>& compute,
                        const Values& values = any_integer) {
  constexpr std::uint32_t kUntouched = 0x5a5a5a5a;
  const sass::Instruction& i = code.instruction;
  MachineBench bench;
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    DecodedInstruction r = bench.bind(i);
    std::array<LaneValues, kWarpSize> lanes;
    for (int l = 0; l < kWarpSize; ++l) lanes[static_cast<std::size_t>(l)].lane = l;
    for (int p = 0; p < 7; ++p) bench.predicate(p) = static_cast<std::uint32_t>(random());
    std::size_t k = 0, p = 0, wide = 0;
    bool uniform = false;
    std::uint32_t to = 0;
    std::vector<std::uint16_t> predicates;
    for (std::size_t n = 0; n < i.form->operands.size(); ++n) {
      const sass::Operand& o = i.operands[n];
      const bool pair = i.form->operands[n].registers == 2;
      if (i.form->operands[n].written) {
        if (code.is_predicate(n)) {
          predicates.push_back(r.dst_predicate[predicates.size()]);
          uniform = o.kind == sass::OperandKind::uniform_predicate;
        } else {
          to = MachineBench::row_of(o, MachineBench::kSink, n), wide = pair;
          uniform = o.kind == sass::OperandKind::uniform;
        }
      } else if (code.is_predicate(n)) {
        for (LaneValues& lane : lanes)
          lane.in_predicate[p] = exec::predicate(bench.warp, r.src_predicate[p]) >> lane.lane & 1;
        ++p;
      } else if (o.kind != sass::OperandKind::text) {
        const std::uint32_t from = MachineBench::row_of(o, MachineBench::kZero, n);
        const std::uint64_t same = values(static_cast<int>(k), random);
        for (LaneValues& lane : lanes) {
          auto value =
              o.kind == sass::OperandKind::immediate ? static_cast<std::uint64_t>(o.value)
              : o.kind == sass::OperandKind::uniform || o.kind == sass::OperandKind::constant
                  ? same
                  : values(static_cast<int>(k), random);
          if (from == MachineBench::kZero) value = 0;
          if (!pair) value &= 0xffffffff;
          lane.in[k] = value;
          bench.word(from, lane.lane) = static_cast<std::uint32_t>(value);
          if (pair) bench.word(from + 1, lane.lane) = static_cast<std::uint32_t>(value >> 32);
        }
        ++k;
      }
    }
    for (int l = 0; to != 0 && l < kWarpSize; ++l)
      bench.word(to, l) = bench.word(to + 1, l) = kUntouched;
    const Handler handler = make(i, r);
    ASSERT_NE(handler, nullptr) << i.form->name;
    const std::uint32_t mask = round % 2 ? 0x5555aaf0u : ~0u;
    std::vector<std::uint32_t> before;
    for (const std::uint16_t row : predicates) before.push_back(bench.warp.predicates[row]);
    for (LaneValues& lane : lanes) compute(lane);
    handler(bench.warp, r, mask);
    for (const LaneValues& lane : lanes) {
      const bool active = uniform || (mask >> lane.lane & 1);
      const std::uint64_t got = bench.word(to, lane.lane) |
                                (wide ? std::uint64_t{bench.word(to + 1, lane.lane)} << 32 : 0);
      const std::uint64_t kept = kUntouched | (wide ? std::uint64_t{kUntouched} << 32 : 0);
      if (to != 0)
        ASSERT_EQ(got, active ? lane.out : kept)
            << i.form->name << std::hex << " lane " << lane.lane << " of " << lane.in[0] << " "
            << lane.in[1] << " " << lane.in[2];
      for (std::size_t q = 0; q < predicates.size(); ++q) {
        if (predicates[q] >= 7) continue;
        ASSERT_EQ(bench.warp.predicates[predicates[q]] >> lane.lane & 1,
                  active ? lane.out_predicate[q] : before[q] >> lane.lane & 1)
            << i.form->name << std::hex << " predicate " << q << " of " << lane.in[0] << " "
            << lane.in[1] << " " << lane.in[2];
      }
    }
  }
}

}  // namespace heddle::exec::machine_test
