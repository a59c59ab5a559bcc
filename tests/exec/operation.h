// Applies one instruction to arrays, lane by lane, with all lanes active or only some.
#pragma once

#include <functional>
#include <random>
#include <span>

#include "tests/exec/builder.h"
#include "tests/exec/edge_values.h"

namespace heddle::exec::test {

// Operands and results are 64-bit cells; `wide` says which registers have 64 bits. With `guarded`,
// odd threads are inactive and keep kUntouched.
inline constexpr std::uint64_t kUntouched = 0x5a5a5a5a5a5a5a5aull;

struct Shape {
  bool wide_result = false;
  std::vector<bool> wide_source;
};

inline std::vector<std::uint64_t> apply(const ptx::Instruction& form, const Shape& shape,
                                        const std::vector<std::vector<std::uint64_t>>& sources,
                                        bool guarded) {
  Builder b;
  Bench bench;
  const std::size_t n = sources[0].size();
  std::vector<Operand> src;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    bench.array(sources[s]);
    const Operand address = b.element_address(static_cast<std::uint32_t>(s), 8);
    src.push_back(shape.wide_source[s] ? b.reg64() : b.reg32());
    b.ld(Space::global, shape.wide_source[s] ? Type::u64 : Type::u32, src.back(), address);
  }
  const Address out = bench.array(std::vector<std::uint64_t>(n, 0));
  const Operand to = b.element_address(static_cast<std::uint32_t>(sources.size()), 8);
  const Operand result = shape.wide_result ? b.reg64() : b.reg32();
  b.emit(
      Opcode::mov, shape.wide_result ? Type::b64 : Type::b32, {result},
      {shape.wide_result ? b.imm64(kUntouched) : b.imm32(static_cast<std::uint32_t>(kUntouched))});
  const Operand odd = b.reg32(), even = b.pred();
  b.emit(Opcode::and_, Type::b32, {odd}, {b.thread(), b.imm32(1)});
  b.setp(Compare::eq, Type::u32, even, odd, b.imm32(0));
  ptx::Instruction i = form;
  i.dst[0] = result;
  for (std::size_t s = 0; s < src.size(); ++s) i.src[s] = src[s];
  if (guarded) i.guard = even;
  b.kernel.code.push_back(i);
  b.st(Space::global, shape.wide_result ? Type::u64 : Type::u32, to, result);
  b.ret();
  bench.run(b.kernel, {static_cast<std::uint32_t>(n / 64), 1, 1}, {64, 1, 1});
  return bench.read<std::uint64_t>(out, n);
}

// Values that reveal errors: a third are edges, the others come from `other`.
template <class T, class Other>
std::vector<std::uint64_t> values_with_edges(std::span<const T> edges, std::size_t n, unsigned seed,
                                             Other other) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> values(n);
  for (auto& v : values) v = random() % 3 == 0 ? edges[random() % edges.size()] : other(random);
  return values;
}
inline std::vector<std::uint64_t> integers(std::size_t n, unsigned seed) {
  return values_with_edges<std::uint64_t>(kIntegerEdges, n, seed, [](std::mt19937_64& random) {
    return random() >> (random() % 2 ? 0 : random() % 64);
  });
}
// Of floats and doubles half of the others are any bits, half are ordinary numbers.
inline double ordinary_number(std::mt19937_64& random) {
  return static_cast<double>(random() % 2000001) / 1000.0 - 1000.0;
}
inline std::vector<std::uint64_t> floats(std::size_t n, unsigned seed) {
  return values_with_edges<std::uint32_t>(kFloatEdges, n, seed, [](std::mt19937_64& random) {
    return random() % 2 ? random() & 0xffffffff
                        : std::bit_cast<std::uint32_t>(static_cast<float>(ordinary_number(random)));
  });
}
inline std::vector<std::uint64_t> doubles(std::size_t n, unsigned seed) {
  return values_with_edges<std::uint64_t>(kDoubleEdges, n, seed, [](std::mt19937_64& random) {
    return random() % 2 ? random() : std::bit_cast<std::uint64_t>(ordinary_number(random));
  });
}

}  // namespace heddle::exec::test
