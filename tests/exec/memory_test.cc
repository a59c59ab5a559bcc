#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <numeric>

#include "base/diagnostics.h"
#include "exec/state/store_log.h"
#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec::test {
namespace {

TEST(GlobalMemory, PlacesAllocationsOneAfterTheOther) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(100, "first"), b = m.allocate(300, "second");
  EXPECT_EQ(a.value, kHeapBase);
  EXPECT_EQ(b.value, kHeapBase + 256);
  EXPECT_EQ(m.used_bytes(), 256u + 512u);
  EXPECT_EQ(m.allocate(1 << 20, "too much"), Address{0});
}

// Under `ulimit -v` and valgrind the address space is smaller than the preferred size of shared
// memory.
TEST(GlobalMemoryDeathTest, ReservesLessWhenAddressSpaceIsLimited) {
  const auto in = [](std::uint64_t bytes) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    try {
      GlobalMemory m(1 << 20);
      std::exit(m.allocate(100, "first").value == kHeapBase ? 0 : 1);
    } catch (const UserError&) {
      std::exit(2);
    }
  };
  EXPECT_EXIT(in(std::uint64_t{8} << 30), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(in(std::uint64_t{1} << 30), testing::ExitedWithCode(2), "");  // less than the minimum
}

TEST(GlobalMemory, ChecksBoundsToTheByte) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(256, "first"), b = m.allocate(300, "second");
  EXPECT_TRUE(m.valid(a, 256));
  EXPECT_FALSE(m.valid(a, 257));  // although the next byte is in another allocation
  EXPECT_TRUE(m.valid(b + 256, 44));
  EXPECT_FALSE(m.valid(b + 296, 8));
  EXPECT_TRUE(m.valid(b, 300));
  EXPECT_FALSE(m.valid(Address{kHeapBase - 1}, 1));
  EXPECT_FALSE(m.valid(Address{0}, 4));
  EXPECT_FALSE(m.valid(a + 16, ~std::uint64_t{0} - 7));  // the end wraps around
}

TEST(GlobalMemory, HasAnImageThatIsNotSmallerThanItsHeap) {
  EXPECT_THROW(GlobalMemory(~std::uint64_t{0} - (std::uint64_t{64} << 30)), UserError);
  EXPECT_THROW(GlobalMemory(kMaxMemoryBytes + 1), UserError);
  GlobalMemory m(1 << 20);
  EXPECT_TRUE(m.in_image(Address{kHeapBase}, 1 << 20));
  EXPECT_FALSE(m.in_image(Address{kHeapBase - 1}, 1));
  EXPECT_FALSE(m.in_image(Address{kHeapBase}, std::uint64_t{1} << 40));
  EXPECT_FALSE(m.in_image(Address{kHeapBase + 16}, ~std::uint64_t{0} - 7));
}

constexpr std::uint64_t kMap = kMappedPageBytes;

TEST(GlobalMemory, IsValidWhereMemoryIsMappedAndAccessIsAllowed) {
  GlobalMemory m(8 * kMap);
  const Address at = m.reserve(4 * kMap, 0);
  ASSERT_NE(at, Address{0});
  EXPECT_EQ(at.value % kMap, 0u);
  EXPECT_EQ(m.used_bytes(), 0u);  // address ranges take no memory
  EXPECT_FALSE(m.valid(at, 4));
  const auto one = m.create(kMap), two = m.create(2 * kMap);
  EXPECT_EQ(m.used_bytes(), 3 * kMap);
  EXPECT_TRUE(m.map(at, kMap, one, 0));
  EXPECT_FALSE(m.map(at, kMap, two, 0));                 // in use
  EXPECT_FALSE(m.map(at + 3 * kMap, 2 * kMap, two, 0));  // past the reservation
  EXPECT_FALSE(m.map(at + kMap, 2 * kMap, one, 0));      // more than the memory has
  EXPECT_TRUE(m.map(at + kMap, 2 * kMap, two, 0));
  EXPECT_FALSE(m.valid(at, 4));               // mapped, but access is not allowed yet
  EXPECT_FALSE(m.allow(at, 4 * kMap, true));  // the last part is not mapped
  EXPECT_TRUE(m.allow(at, 3 * kMap, true));
  EXPECT_TRUE(m.valid(at, 3 * kMap));  // adjacent mappings are one memory
  EXPECT_FALSE(m.valid(at, 3 * kMap + 1));
  EXPECT_FALSE(m.free(at));
  EXPECT_FALSE(m.release(at, 4 * kMap));  // memory is still mapped
  EXPECT_FALSE(m.unmap(at, kMap + 256));
  EXPECT_TRUE(m.unmap(at, 3 * kMap));
  EXPECT_FALSE(m.valid(at, 4));
  EXPECT_EQ(m.describe(at + 8).substr(0, 25), "inside reserved addresses");
  EXPECT_TRUE(m.release(at, 4 * kMap));
}

TEST(GlobalMemory, KeepsMemoryWhileAMappingRefersToIt) {
  GlobalMemory m(8 * kMap);
  const Address low = m.reserve(kMap, 0), high = m.reserve(2 * kMap, 4 * kMap);
  EXPECT_EQ(high.value % (4 * kMap), 0u);
  auto memory = m.create(kMap);
  ASSERT_TRUE(m.map(low, kMap, memory, 0) && m.allow(low, kMap, true));
  *m.host(low + 100) = 7;
  ASSERT_TRUE(m.map(high + kMap, kMap, memory, 0) && m.allow(high + kMap, kMap, true));
  EXPECT_EQ(*m.host(high + kMap + 100), 7);  // two addresses of the same memory
  *m.host(high + kMap + 100) = 8;
  EXPECT_EQ(*m.host(low + 100), 8);
  EXPECT_EQ(m.mapping(high).memory, nullptr);
  EXPECT_EQ(m.mapping(high + kMap + 5).memory, memory);
  memory.reset();
  EXPECT_TRUE(m.unmap(low, kMap));
  EXPECT_EQ(*m.host(high + kMap + 100), 8);
  EXPECT_EQ(m.used_bytes(), kMap);
  EXPECT_TRUE(m.unmap(high + kMap, kMap));
  EXPECT_EQ(m.used_bytes(), 0u);  // no reference is left
  EXPECT_EQ(m.create(9 * kMap), nullptr);
  const auto fresh = m.create(8 * kMap);
  ASSERT_TRUE(m.map(low, kMap, fresh, 0) && m.allow(low, kMap, true));
  EXPECT_EQ(*m.host(low + 100), 0);
}

TEST(GlobalMemory, KnowsThePagesThatAGpuMaps) {
  GlobalMemory m(8 * kMappedPageBytes);
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase}, 4));  // nothing is allocated
  const Address a = m.allocate(100, "first"), b = m.allocate(kMappedPageBytes, "second");
  EXPECT_TRUE(m.in_mapped_page(a + 100, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase - 4}, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase - kMappedPageBytes}, 4));
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase - kMappedPageBytes - 4}, 4));
  EXPECT_TRUE(m.in_mapped_page(Address{kHeapBase + 2 * kMappedPageBytes - 4},
                               4));  // the page in which the second allocation ends
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase + 2 * kMappedPageBytes - 4}, 8));
  EXPECT_FALSE(m.in_mapped_page(Address{0}, 4));
  m.free(b);
  EXPECT_FALSE(m.in_mapped_page(b + 8, 4));  // freed
  EXPECT_FALSE(m.in_mapped_page(Address{kHeapBase + kMappedPageBytes + 4096}, 4));
}

// Compilers keep pointers to constants in 32 bits.
TEST(GlobalMemory, ConstantsLieBelow4GiBHoweverMuchIsAllocated) {
  GlobalMemory m(std::uint64_t{8} << 30);
  const Address first = m.allocate_constant(64, "variable first");
  EXPECT_EQ(first.value, kHeapBase);  // in the heap while there is room
  const Address large = m.allocate(std::uint64_t{5} << 30, "large");
  EXPECT_EQ(large.value, kHeapBase + 256);
  const Address second = m.allocate_constant(300, "variable second"),
                third = m.allocate_constant(8, "variable third");
  EXPECT_EQ(second.value, kConstantsBase);
  EXPECT_EQ(third.value, kConstantsBase + 512);
  EXPECT_TRUE(m.valid(second, 300));
  EXPECT_FALSE(m.valid(second + 300, 1));
  EXPECT_FALSE(m.valid(Address{kConstantsBase - 1}, 1));
  EXPECT_EQ(m.find(second + 299)->what, "variable second");
  m.host(second)[299] = 7;
  EXPECT_EQ(m.host(second + 299)[0], 7);
  EXPECT_GT(m.allocate_variable(64, "variable of .global").value, kShortPointerEnd);
  EXPECT_EQ(m.used_bytes(), large.value - first.value + (std::uint64_t{5} << 30) + 256);
  EXPECT_FALSE(m.free(second));  // variables stay
  EXPECT_TRUE(m.free(large));
  EXPECT_EQ(m.allocate_constant(64, "variable fourth"), large);
}

TEST(GlobalMemory, TheRangeOfConstantsIsBounded) {
  GlobalMemory m(std::uint64_t{2} << 30);
  ASSERT_NE(m.allocate((std::uint64_t{1} << 30) + 256, "large"), Address{0});
  EXPECT_EQ(m.allocate_constant(kConstantsBytes + 1, "variable too_large"), Address{0});
  EXPECT_EQ(m.allocate_constant(kConstantsBytes, "variable table").value, kConstantsBase);
  EXPECT_EQ(m.allocate_constant(1, "variable next"), Address{0});
}

TEST(GlobalMemory, ZeroesReusedHolesAndRemembersFreedBlocks) {
  GlobalMemory m(1 << 20);
  const Address a = m.allocate(1000, "cudaMalloc #1");
  m.allocate(10, "cudaMalloc #2");
  *m.host(a) = 1;
  EXPECT_TRUE(m.free(a));
  EXPECT_FALSE(m.free(a));
  EXPECT_FALSE(m.valid(a, 1));
  EXPECT_EQ(m.describe(a + 4), "4 bytes into freed cudaMalloc #1 (0xc0000000, 1000 bytes)");
  EXPECT_EQ(m.allocate(500, "cudaMalloc #3"), a);
  EXPECT_EQ(*m.host(a), 0);
  EXPECT_EQ(m.describe(a + 500), "0 bytes after the end of cudaMalloc #3 (0xc0000000, 500 bytes)");
}

TEST(GlobalMemory, CallsTheFirst4KiBANullPointer) {
  const GlobalMemory m(1 << 20);
  EXPECT_EQ(m.describe(Address{0}), "a null pointer");
  EXPECT_EQ(m.describe(Address{8}), "8 bytes into a null pointer");
  EXPECT_EQ(m.describe(Address{4096}), "nothing is allocated");
}

TEST(GlobalMemory, APageBehindAnAllocationThatFillsItsPageIsNotMapped) {
  GlobalMemory m(8 * kMappedPageBytes);
  const Address a = m.allocate(kMappedPageBytes, "a page");
  EXPECT_TRUE(m.in_mapped_page(a + (kMappedPageBytes - 4), 4));
  EXPECT_FALSE(m.in_mapped_page(a + kMappedPageBytes, 4));
}

TEST(GlobalMemory, AdjacentFreedAllocationsBecomeOneHole) {
  for (const bool from_the_front : {false, true}) {
    GlobalMemory m(1 << 20);
    const Address a = m.allocate(256, "a"), b = m.allocate(256, "b");
    m.allocate(256, "c");
    m.free(from_the_front ? a : b);
    m.free(from_the_front ? b : a);
    EXPECT_EQ(m.allocate(512, "both"), a);
  }
}

TEST(StoreLog, ALoadFindsTheStoresToEveryLine) {
  StoreLog log;
  constexpr std::uint64_t kLines = 200;
  const auto address = [](std::uint64_t line) { return kHeapBase + line * 7 * 128; };
  for (std::uint64_t line = 0; line < kLines; ++line) log.store(address(line), &line, 8);
  for (std::uint64_t line = 0; line < kLines; ++line) {
    std::uint64_t found = ~std::uint64_t{0};
    log.patch(address(line), &found, 8);
    EXPECT_EQ(found, line);
  }
}

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
    try {
      run_functionally(launch, bench.memory, {});
    } catch (const KernelFault& fault) {
      return std::string(fault.what());
    }
    return std::string();
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

}  // namespace
}  // namespace heddle::exec::test
