#include <gtest/gtest.h>

#include <numeric>

#include "ptx/module.h"
#include "tests/error_message.h"
#include "tests/exec/stepping.h"

namespace heddle::exec::test {
namespace {

// Lane 0 copies nothing: it is inactive, or its source has no bytes. The other lanes copy four.
void copy_beside_lane_0(const std::string& copy) {
  const ptx::Module module = ptx::Module::parse(
      ".version 7.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param "
      ".u64 "
      "out) {\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\n"
      ".shared .align 4 .b8 tile[128];\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd4, %rd1, %rd3;\n"
      "add.u64 %rd5, %rd2, %rd3;\nsetp.ne.u32 %p1, %r1, 0;\nselp.b64 %rd4, %rd4, 0, %p1;\n"
      "selp.b32 %r5, 4, 0, %p1;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 4, %r2;\n" +
          copy +
          "\ncp.async.wait_all;\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%rd5], %r4;\nret;\n}\n",
      "copy.ptx");
  Bench bench;
  std::vector<std::uint32_t> words(32);
  std::iota(words.begin(), words.end(), 100);
  bench.array(words);
  const Address out = bench.array(std::vector<std::uint32_t>(32));
  bench.run(module.lower("k", {}), {1, 1, 1}, {32, 1, 1});
  words[0] = 0;
  EXPECT_EQ(bench.read<std::uint32_t>(out, 32), words) << copy;
}

TEST(AsynchronousCopies, ALaneThatCopiesNothingMayHaveAnySourceAddress) {
  copy_beside_lane_0("@%p1 cp.async.ca.shared.global [%r3], [%rd4], 4;");
  copy_beside_lane_0("cp.async.ca.shared.global [%r3], [%rd4], 4, %r5;");
}

KernelFault fault_of(Bench& bench, const ptx::Kernel& kernel, Dim3 block = {32, 1, 1}) {
  try {
    bench.run(kernel, {1, 1, 1}, block);
  } catch (const KernelFault& fault) {
    return fault;
  }
  return KernelFault(KernelFault::Kind::trap, "no fault");
}

TEST(Faults, OfMisalignedAccessesNameTheRequiredAlignment) {
  Bench bench;
  bench.array(std::vector<float>(64));
  Builder b;
  const Operand at = b.element_address(0, 4), v = b.reg64();
  b.ld(Space::global, Type::u64, v, at);
  b.ret();
  const KernelFault fault = fault_of(bench, b.kernel);
  EXPECT_EQ(fault.kind(), KernelFault::Kind::misaligned_address);
  EXPECT_NE(std::string(fault.what()).find("misaligned load of 8 bytes"), std::string::npos);
  EXPECT_NE(std::string(fault.what()).find("thread   (1,0,0)"), std::string::npos);
  EXPECT_NE(std::string(fault.what()).find("0xc0000004, which is not a multiple of 8"),
            std::string::npos);
}

TEST(Faults, UseAfterFreeNamesTheAllocation) {
  Bench bench;
  const Address a = bench.array(std::vector<float>(64));
  bench.memory.free(a);
  Builder b;
  b.st(Space::global, Type::u32, b.element_address(0, 4), b.imm32(1));
  b.ret();
  EXPECT_NE(std::string(fault_of(bench, b.kernel).what()).find("0 bytes into freed cudaMalloc #1"),
            std::string::npos);
}

TEST(Faults, OutOfBoundsSharedAccessIsReported) {
  Bench bench;
  Builder b;
  b.kernel.shared_bytes = 64;
  const Operand at = b.reg32();
  b.emit(Opcode::shl, Type::b32, {at}, {b.special(SpecialRegister::tid_x), b.imm32(2)});
  b.ld(Space::shared, Type::u32, b.reg32(), at);
  b.ret();
  const std::string text = fault_of(bench, b.kernel).what();
  EXPECT_NE(text.find("thread   (16,0,0)"), std::string::npos) << text;
  EXPECT_NE(text.find("offset 0x40 in the shared memory of the CTA, which has 64 bytes"),
            std::string::npos)
      << text;
}

// Lanes whose value is unused may load past the end of a small array.
TEST(Faults, SharedMemoryIsValidUpToTheEndOfItsAllocationUnit) {
  const auto fault_at = [](std::int64_t offset, bool store) {
    Bench bench;
    Builder b;
    b.kernel.shared_bytes = 32;
    if (store)
      b.st(Space::shared, Type::u32, {}, b.imm32(1), offset);
    else
      b.ld(Space::shared, Type::u32, b.reg32(), {}, offset);
    b.ret();
    Launch launch = bench.launch(b.kernel, {1, 1, 1}, {32, 1, 1});
    launch.shared_unit_bytes = 128;
    return message_of<KernelFault>([&] { run_functionally(launch, bench.memory, {}); }, "");
  };
  for (const bool store : {false, true}) {
    EXPECT_EQ(fault_at(32, store), "");
    EXPECT_EQ(fault_at(124, store), "");
    EXPECT_NE(fault_at(128, store).find("which has 128 bytes"), std::string::npos);
  }
}

TEST(Faults, DynamicSharedMemoryFollowsTheStaticMemoryAtAMultipleOf16Bytes) {
  for (const std::uint32_t dynamic : {0u, 8u}) {
    Bench bench;
    Builder b;
    b.kernel.shared_bytes = 20;
    b.ld(Space::shared, Type::u32, b.reg32(), {}, 40);
    b.ret();
    Launch launch = bench.launch(b.kernel, {1, 1, 1}, {32, 1, 1});
    launch.dynamic_shared_bytes = dynamic;
    std::string text;
    try {
      run_functionally(launch, bench.memory, {});
    } catch (const KernelFault& fault) {
      text = fault.what();
    }
    EXPECT_NE(text.find(dynamic ? "which has 40 bytes" : "which has 20 bytes"), std::string::npos)
        << text;
  }
}

TEST(Faults, WarpsAtDifferentBarriersAreADeadlock) {
  Bench bench;
  Builder b;
  const Operand p = b.pred();
  b.setp(Compare::lt, Type::u32, p, b.special(SpecialRegister::tid_x), b.imm32(32));
  const Pc skip = b.bra(p);
  b.bar(1);
  b.bind(skip, b.here(), b.here());
  b.bar(2);
  b.ret();
  const KernelFault fault = fault_of(bench, b.kernel, {64, 1, 1});
  EXPECT_EQ(fault.kind(), KernelFault::Kind::deadlock);
  EXPECT_NE(std::string(fault.what()).find("waits at barrier 1"), std::string::npos);
  EXPECT_NE(std::string(fault.what()).find("waits at barrier 2"), std::string::npos);
}

TEST(Memory, GenericAddressesMayMixSpacesInOneWarp) {
  Bench bench;
  std::vector<std::uint32_t> input(32);
  for (std::uint32_t i = 0; i < 32; ++i) input[i] = 1000 + i;
  bench.array(input);
  const Address out = bench.array(std::vector<std::uint32_t>(32));
  Builder b;
  b.kernel.shared_bytes = 256;
  b.kernel.local_bytes = 16;
  const Operand global = b.element_address(0, 4), to = b.element_address(1, 4),
                tid = b.special(SpecialRegister::tid_x);
  const Operand at = b.reg32(), wide = b.reg64(), shared = b.reg64(), local = b.reg64(),
                address = b.reg64(), p = b.pred(), q = b.pred(), v = b.reg32(), third = b.reg32();
  b.emit(Opcode::shl, Type::b32, {at}, {tid, b.imm32(2)});
  b.st(Space::shared, Type::u32, at, tid);
  b.emit(Opcode::add, Type::u32, {v}, {tid, b.imm32(500)});
  b.st(Space::local, Type::u32, {}, v, 8);
  Instruction& widen = b.emit(Opcode::cvt, Type::u64, {wide}, {at});
  widen.source_type = Type::u32;
  Instruction& s = b.emit(Opcode::cvta, Type::u64, {shared}, {wide});
  s.space = Space::shared, s.to_generic = true;
  Instruction& l = b.emit(Opcode::cvta, Type::u64, {local}, {b.imm64(8)});
  l.space = Space::local, l.to_generic = true;
  b.emit(Opcode::rem, Type::u32, {third}, {tid, b.imm32(3)});
  b.setp(Compare::eq, Type::u32, p, third, b.imm32(0));
  b.setp(Compare::eq, Type::u32, q, third, b.imm32(1));
  b.emit(Opcode::selp, Type::b64, {address}, {shared, local, q});
  b.emit(Opcode::selp, Type::b64, {address}, {global, address, p});
  b.ld(Space::generic, Type::u32, v, address);
  b.st(Space::global, Type::u32, to, v);
  b.ret();
  bench.run(b.kernel, {1, 1, 1}, {32, 1, 1});
  const auto results = bench.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(results[i], i % 3 == 0 ? 1000 + i : i % 3 == 1 ? i : 500 + i);
}

TEST(Memory, VectorsAndNarrowElementsExtend) {
  Bench bench;
  std::vector<std::int16_t> input(128);
  for (int i = 0; i < 128; ++i)
    input[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i * 300 - 20000);
  bench.array(input);
  const Address out = bench.array(std::vector<std::int64_t>(128));
  Builder b;
  const Operand from = b.element_address(0, 8), to = b.element_address(1, 32);
  const Operand v[4] = {b.reg64(), b.reg64(), b.reg64(), b.reg64()};
  Instruction& load = b.ld(Space::global, Type::s16, v[0], from);
  load.vector = 4;
  for (std::size_t i = 0; i < 4; ++i) load.dst[i] = v[i];
  for (int half = 0; half < 2; ++half) {
    Instruction& store = b.st(Space::global, Type::u64, to, v[2 * half], 16 * half);
    store.vector = 2;
    store.src[2] = v[2 * half + 1];
  }
  b.ret();
  bench.run(b.kernel, {1, 1, 1}, {32, 1, 1});
  const auto results = bench.read<std::int64_t>(out, 128);
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(results[i], input[i]);
}

// Every thread applies the atomic to one word. Returns {final value, sum of old values}.
std::pair<std::uint32_t, std::uint64_t> atomic_on_one_word(Space space, ptx::AtomicOp op, Type type,
                                                           std::uint32_t start, bool by_steps) {
  Bench bench;
  const Address word = bench.array(std::vector<std::uint32_t>{start}),
                olds = bench.array(std::vector<std::uint32_t>(64)),
                last = bench.array(std::vector<std::uint32_t>(64));
  Builder b;
  b.kernel.shared_bytes = 16;
  const Operand old_at = b.element_address(1, 4), last_at = b.element_address(2, 4),
                tid = b.special(SpecialRegister::tid_x);
  const Operand global = b.reg64(), old = b.reg32(), v = b.reg32(), operand = b.reg32();
  b.ld(Space::param, Type::u64, global, {}, 0);
  b.st(Space::shared, Type::u32, b.imm32(0), b.imm32(start));
  b.bar();
  if (type == Type::f32)
    b.emit(Opcode::mov, Type::b32, {operand}, {b.immf(0.5f)});
  else
    b.emit(Opcode::add, Type::u32, {operand}, {tid, b.imm32(1)});
  Instruction& a =
      b.emit(Opcode::atom, type, {old}, {space == Space::shared ? b.imm32(0) : global, operand});
  if (op == ptx::AtomicOp::cas) a.src[2] = tid;
  a.space = space, a.atomic = op, a.op_class = ptx::OpClass::atomic, a.access_bytes = 4;
  b.st(Space::global, Type::u32, old_at, old);
  b.bar();
  b.ld(Space::shared, Type::u32, v, b.imm32(0));
  b.st(Space::global, Type::u32, last_at, v);
  b.ret();
  const Launch launch = bench.launch(b.kernel, {1, 1, 1}, {64, 1, 1});
  if (by_steps)
    run_by_steps(launch, bench.memory);
  else
    run_functionally(launch, bench.memory, {});
  std::uint64_t sum = 0;
  for (const std::uint32_t o : bench.read<std::uint32_t>(olds, 64)) sum += o;
  return {bench.read<std::uint32_t>(space == Space::shared ? last : word, 1)[0], sum};
}

TEST(Atomics, ActOnSharedAndGlobalMemoryAlike) {
  for (const Space space : {Space::shared, Space::global}) {
    for (const bool steps : {false, true}) {
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::add, Type::u32, 5, steps).first,
                5u + 64 * 65 / 2);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::max, Type::s32, 5, steps).first, 64u);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::min, Type::s32, 0x80000005, steps).first,
                0x80000005u);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::and_, Type::b32, 0xff00, steps).first, 0u);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::or_, Type::b32, 0xff00, steps).first,
                0xff7fu);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::add, Type::f32,
                                   std::bit_cast<std::uint32_t>(1.0f), steps)
                    .first,
                std::bit_cast<std::uint32_t>(33.0f));
      // Every stored value except the last is the old value of another thread.
      const auto [last, sum] = atomic_on_one_word(space, ptx::AtomicOp::exch, Type::b32, 5, steps);
      EXPECT_EQ(last + sum, 5u + 64 * 65 / 2);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::inc, Type::u32, 0, steps).first > 0, true);
      EXPECT_EQ(atomic_on_one_word(space, ptx::AtomicOp::cas, Type::b32, 7, steps).first,
                6u);  // thread 6 compares with 7
    }
  }
}

TEST(Loads, AreExtendedToTheirRegister) {
  struct Row {
    const char* type;
    std::uint64_t wide, word;  // in a register of 64 and of 32 bits
  };
  const Row rows[] = {{"u8", 0x88, 0x88},
                      {"s8", 0xffffffffffffff88, 0xffffff88},
                      {"b8", 0x88, 0x88},
                      {"u16", 0x8788, 0x8788},
                      {"s16", 0xffffffffffff8788, 0xffff8788},
                      {"u32", 0x85868788, 0x85868788},
                      {"s32", 0xffffffff85868788, 0x85868788},
                      {"b32", 0x85868788, 0x85868788}};
  struct Place {
    std::string space, set_address, address;
  };
  const Place places[] = {{"global", "mov.u64 %rd2, %rd1;", "[%rd2]"},
                          {"shared", "mov.u32 %r2, shared;", "[%r2]"},
                          {"shared", "mov.u64 %rd2, shared;", "[%rd2]"},
                          {"local", "mov.u64 %rd2, local;", "[%rd2]"}};
  for (const auto& [space, set_address, address] : places)
    for (const Row& row : rows) {
      const std::string load = "ld." + space + "." + row.type;
      const ptx::Module module = ptx::Module::parse(
          ".version 7.3\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
          ".reg .b32 %r<3>; .reg .b64 %rd<4>; .shared .align 8 .b8 shared[8]; .local .align 8 .b8 "
          "local[8];\nld.param.u64 %rd1, [out]; " +
              set_address + " st." + space + ".u64 " + address + ", 0x8182838485868788;\n" + load +
              " %r1, " + address + "; " + load + " %rd3, " + address +
              ";\nst.global.u64 [%rd1], %rd3; st.global.u32 [%rd1+8], %r1; ret;\n}\n",
          "loads.ptx");
      const ptx::Kernel kernel = module.lower("k", {});
      Bench bench;
      const Address out = bench.array(std::vector<std::uint64_t>(2));
      run_functionally(bench.launch(kernel, {1, 1, 1}, {1, 1, 1}), bench.memory, {});
      EXPECT_EQ(bench.read<std::uint64_t>(out, 2), (std::vector{row.wide, row.word}))
          << load << " of " << address;
    }
}

}  // namespace
}  // namespace heddle::exec::test
