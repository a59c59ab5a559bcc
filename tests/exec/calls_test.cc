// Calls beyond a jump: recursion, calls through pointers, calls of the host's functions.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/services/device_services.h"
#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec::test {
namespace {

const std::string kHeader = ".version 7.3\n.target sm_75\n.address_size 64\n";
const std::string kRegisters = ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n";

// A kernel k(u64 out) with %r1 = %tid.x and %rd1 = out + 4 * %tid.x.
std::string kernel_text(const std::string& functions, const std::string& body) {
  return kHeader + functions + ".visible .entry k(.param .u64 out) {" + kRegisters +
         "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 "
         "%rd1, %rd1, %rd2;\n" +
         body + "\n}\n";
}

struct Ran {
  std::vector<std::uint32_t> out;
  std::string printed;
  std::uint64_t heap_used = 0;
  bool operator==(const Ran&) const = default;
};

Ran run(const std::string& text, bool by_steps, std::uint32_t stack_bytes = 1024) {
  GlobalMemory memory(1 << 20);
  const ptx::Module module = ptx::Module::parse(text, "t.ptx");
  ptx::SymbolAddresses addresses;
  for (const ptx::Variable& variable : module.variables()) {
    const Address at = memory.allocate(variable.bytes, variable.name);
    addresses[variable.name] = at;
    if (!variable.initial.empty())
      std::memcpy(memory.host(at), variable.initial.data(), variable.initial.size());
  }
  const ptx::Kernel kernel = module.lower("k", addresses);
  const Address out = memory.allocate(64 * 4, "out");
  DeviceServices services;
  services.heap.begin(memory.allocate(4096, "heap").value, 4096);
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = {1, 1, 1};
  launch.block = {64, 1, 1};
  launch.parameters.resize(8);
  launch.services = &services;
  launch.stack_bytes = stack_bytes;
  std::memcpy(launch.parameters.data(), &out.value, 8);
  if (by_steps)
    run_by_steps(launch, memory);
  else
    run_functionally(launch, memory, {});
  Ran result;
  result.out.resize(64);
  std::memcpy(result.out.data(), memory.host(out), 64 * 4);
  result.printed = services.printed.take();
  result.heap_used = services.heap.used_bytes();
  return result;
}

Ran both(const std::string& text) {
  const Ran direct = run(text, false), stepped = run(text, true);
  EXPECT_EQ(direct.out, stepped.out);
  EXPECT_EQ(direct.printed, stepped.printed);
  return direct;
}

const std::string kFib = R"(
.func (.param .b32 ret) fib(.param .b32 n) {
.reg .pred %p; .reg .b32 %r<9>;
ld.param.u32 %r1, [n];
setp.lt.u32 %p, %r1, 2;
@%p bra DONE;
{ .param .b32 a; .param .b32 b;
sub.u32 %r2, %r1, 1;
st.param.b32 [a], %r2;
call (b), fib, (a);
ld.param.b32 %r3, [b]; }
ld.param.u32 %r1, [n];
{ .param .b32 a; .param .b32 b;
sub.u32 %r2, %r1, 2;
st.param.b32 [a], %r2;
call (b), fib, (a);
ld.param.b32 %r4, [b]; }
add.u32 %r1, %r3, %r4;
DONE:
st.param.b32 [ret], %r1;
ret; }
)";
const std::string kCallFib = R"(
and.b32 %r2, %r1, 15;
{ .param .b32 a; .param .b32 b;
st.param.b32 [a], %r2;
call (b), fib, (a);
ld.param.b32 %r3, [b]; }
st.global.u32 [%rd1], %r3;
ret;)";

TEST(RecursiveCalls, LanesHaveDifferentDepths) {
  const Ran result = both(kernel_text(kFib, kCallFib));
  std::vector<std::uint32_t> fib{0, 1};
  while (fib.size() < 16) fib.push_back(fib[fib.size() - 1] + fib[fib.size() - 2]);
  for (std::size_t t = 0; t < 64; ++t) EXPECT_EQ(result.out[t], fib[t & 15]) << t;
}

TEST(RecursiveCalls, ALaneReturnsFromACallInWhichTheOthersEnd) {
  std::string fib = kFib, call = kCallFib;
  const std::string first = "ld.param.u32 %r1, [n];\n";
  const std::string end =
      "mov.u32 %r4, %tid.x;\nand.b32 %r4, %r4, 31;\nsetp.ne.u32 %p, %r4, 0;\n@%p exit;\n";
  fib.insert(fib.find(first), end);
  call.replace(call.find("and.b32 %r2, %r1, 15;"), 21, "mov.u32 %r2, 8;");
  const Ran result = both(kernel_text(fib, call));
  EXPECT_EQ(result.out[0], 21u);
  EXPECT_EQ(result.out[32], 21u);
}

TEST(RecursiveCalls, StackOverflowIsAFault) {
  try {
    run(kernel_text(kFib, kCallFib), false, 64);
    FAIL() << "15 levels do not fit 64 bytes";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), KernelFault::Kind::stack_overflow);
    EXPECT_NE(std::string(fault.what()).find("stack overflow: 64 bytes per thread"),
              std::string::npos);
    EXPECT_NE(std::string(fault.what()).find("cudaLimitStackSize"), std::string::npos);
  }
}

// walk(n, p): its frame holds n; adds the value at p, in the frame of the caller.
const std::string kWalk = R"(
.func (.param .b32 ret) walk(.param .b32 n, .param .b64 p) {
.local .align 16 .b8 frame[16]; .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u32 %r1, [n];
ld.param.u64 %rd1, [p];
mov.u64 %rd2, frame;
st.local.u32 [%rd2+4], %r1;
cvta.local.u64 %rd3, frame;
mov.u32 %r3, 0;
setp.eq.u32 %p, %r1, 0;
@%p bra DONE;
{ .param .b32 a; .param .b64 c; .param .b32 b;
sub.u32 %r2, %r1, 1;
st.param.b32 [a], %r2;
st.param.b64 [c], %rd3;
call (b), walk, (a, c);
ld.param.b32 %r3, [b]; }
DONE:
ld.u32 %r4, [%rd1+4];
ld.local.u32 %r5, [frame+4];
mad.lo.u32 %r4, %r4, 100, %r5;
add.u32 %r3, %r3, %r4;
st.param.b32 [ret], %r3;
ret; }
)";

TEST(RecursiveCalls, EachCallHasItsOwnLocalVariables) {
  const Ran result = both(kernel_text(kWalk, R"(
.local .align 16 .b8 first[16];
mov.u64 %rd3, first;
st.local.u32 [%rd3+4], 50;
cvta.local.u64 %rd3, %rd3;
and.b32 %r2, %r1, 7;
{ .param .b32 a; .param .b64 c; .param .b32 b;
st.param.b32 [a], %r2;
st.param.b64 [c], %rd3;
call (b), walk, (a, c);
ld.param.b32 %r3, [b]; }
st.global.u32 [%rd1], %r3;
ret;)"));
  for (std::uint32_t t = 0; t < 64; ++t) {
    std::uint32_t expected = 50 * 100, n = t & 7;
    for (std::uint32_t i = 0; i <= n; ++i) expected += i + (i < n ? 100 * (i + 1) : 0);
    EXPECT_EQ(result.out[t], expected) << t;
  }
}

const std::string kTable = R"(
.func (.param .b32 ret) plus(.param .b32 x) {
   .reg .b32 %r; ld.param.u32 %r, [x]; add.u32 %r, %r, 1000; st.param.b32 [ret], %r; ret; }
.func (.param .b32 ret) times(.param .b32 x) {
   .reg .b32 %r; ld.param.u32 %r, [x]; mul.lo.u32 %r, %r, 3; st.param.b32 [ret], %r; ret; }
.func (.param .b32 ret) early(.param .b32 x) {
   .reg .pred %p; .reg .b32 %r; ld.param.u32 %r, [x]; st.param.b32 [ret], %r;
setp.gt.u32 %p, %r, 20; @%p ret; st.param.b32 [ret], 7; ret; }
.global .u64 table[3] = {plus, times, early};
)";
const std::string kCallTable = R"(
rem.u32 %r2, %r1, 3;
mul.wide.u32 %rd2, %r2, 8;
mov.u64 %rd3, table;
add.u64 %rd3, %rd3, %rd2;
ld.global.u64 %rd4, [%rd3];
{ .param .b32 a; .param .b32 b;
st.param.b32 [a], %r1;
proto : .callprototype (.param .b32 _) _ (.param .b32 _);
call (b), %rd4, (a), proto;
ld.param.b32 %r3, [b]; }
activemask.b32 %r4;
setp.eq.u32 %p1, %r4, -1;
@!%p1 mov.u32 %r3, 0;
st.global.u32 [%rd1], %r3;
ret;)";

TEST(CallsThroughPointers, LanesCallDifferentFunctionsAndReconverge) {
  const Ran result = both(kernel_text(kTable, kCallTable));
  for (std::uint32_t t = 0; t < 64; ++t) {
    const std::uint32_t expected = t % 3 == 0 ? t + 1000 : t % 3 == 1 ? 3 * t : t > 20 ? t : 7;
    EXPECT_EQ(result.out[t], expected) << t;
  }
}

TEST(CallsThroughPointers, ToNoFunctionAreFaults) {
  std::string text = kernel_text(kTable, kCallTable);
  text.replace(text.find("ld.global.u64 %rd4"), 18, "mov.u64 %rd4, 16; ld.global.u64 %rd5");
  try {
    run(text, false);
    FAIL() << "there is no function at 16";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), KernelFault::Kind::illegal_call);
    EXPECT_NE(std::string(fault.what()).find("call of 0x10, which is no function's address"),
              std::string::npos);
  }
}

TEST(IndexedBranches, OfAFunctionHaveATableOfTheirOwn) {
  const std::string function = R"(
.func (.param .b32 ret) pick(.param .b32 n) {
.reg .b32 %r<9>;
ld.param.u32 %r1, [n];
TABLE: .branchtargets FIVE, SIX;
brx.idx %r1, TABLE;
FIVE: mov.u32 %r2, 5;
bra END;
SIX: mov.u32 %r2, 6;
END: st.param.b32 [ret], %r2;
ret; }
)";
  const std::string body = R"(
and.b32 %r2, %r1, 1;
OWN: .branchtargets EVEN, ODD;
brx.idx %r2, OWN;
EVEN: mov.u32 %r3, 100;
bra CALL;
ODD: mov.u32 %r3, 200;
CALL:
{ .param .b32 a; .param .b32 b;
st.param.b32 [a], %r2;
call (b), pick, (a);
ld.param.b32 %r4, [b]; }
add.u32 %r3, %r3, %r4;
st.global.u32 [%rd1], %r3;
ret;)";
  const Ran result = both(kernel_text(function, body));
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(result.out[t], t % 2 ? 206u : 105u) << t;
}

TEST(Alloca, AllocatesUntilTheFunctionReturns) {
  const std::string functions = R"(
.func (.param .b32 ret) sum(.param .b32 n) {
.reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u32 %r1, [n];
mul.wide.u32 %rd1, %r1, 4;
alloca.u64 %rd2, %rd1, 16;
mov.u64 %rd3, %rd2;
mov.u32 %r2, 0;
FILL:
st.local.u32 [%rd3], %r2;
add.u64 %rd3, %rd3, 4;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p, %r2, %r1;
@%p bra FILL;
ld.local.u32 %r3, [%rd3+-4];
cvt.u32.u64 %r4, %rd2;
mad.lo.u32 %r3, %r4, 1000, %r3;
st.param.b32 [ret], %r3;
ret; }
)";
  const std::string call =
      "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], %r2;\ncall (b), sum, (a);\nld.param.b32 "
      "%r3, [b]; }\n";
  const Ran result = both(kernel_text(
      functions, "add.u32 %r2, %r1, 1;\n" + call + call + "st.global.u32 [%rd1], %r3;\nret;"));
  for (std::uint32_t t = 0; t < 64; ++t)
    EXPECT_EQ(result.out[t], 16 * 1000 + t) << t;  // after one return address
}

const std::string kPrint = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .b8 format[14] = {37,100,32,60,37,53,46,50,102,62,37,37,10,0};
)";

TEST(Printf, LanesPrintInOrder) {
  const Ran result = both(kernel_text(kPrint, R"(
.local .align 8 .b8 buffer[16];
setp.ge.u32 %p1, %r1, 35;
@%p1 ret;
setp.lt.u32 %p1, %r1, 30;
@%p1 ret;
st.local.u32 [buffer], %r1;
cvt.rn.f64.u32 %rd5, %r1;
st.local.b64 [buffer+8], %rd5;
mov.u64 %rd3, format;
mov.u64 %rd4, buffer;
cvta.local.u64 %rd4, %rd4;
{ .param .b64 f; .param .b64 a; .param .b32 r;
st.param.b64 [f], %rd3;
st.param.b64 [a], %rd4;
call (r), vprintf, (f, a);
ld.param.b32 %r3, [r]; }
st.global.u32 [%rd1], %r3;
ret;)"));
  EXPECT_EQ(result.printed, "30 <30.00>%\n31 <31.00>%\n32 <32.00>%\n33 <33.00>%\n34 <34.00>%\n");
  EXPECT_EQ(result.out[31], 2u);
}

TEST(Malloc, AllocatesUntilTheHeapIsFull) {
  const std::string text = kernel_text(
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n",
      R"(
mov.u32 %r3, 7;
setp.ge.u32 %p1, %r1, 48;
@%p1 bra STORE;
{ .param .b64 n; .param .b64 r;
st.param.b64 [n], 100;
call (r), malloc, (n);
ld.param.b64 %rd3, [r]; }
setp.ne.u64 %p2, %rd3, 0;
selp.u32 %r3, 1, 0, %p2;
@%p2 st.u32 [%rd3+96], %r1;
and.b32 %r4, %r1, 1;
setp.eq.u32 %p1, %r4, 1;
@%p1 bra STORE;
{ .param .b64 p;
st.param.b64 [p], %rd3;
call free, (p); }
STORE:
st.global.u32 [%rd1], %r3;
ret;)");
  const Ran stepped = run(text, true), direct = run(text, false);
  // 4096 bytes hold 36 blocks of 112. The second warp gets the blocks that the even lanes of the
  // first have freed, unless it allocates before.
  for (const Ran* ran : {&stepped, &direct}) {
    std::uint64_t got = 0, kept = 0;
    for (std::size_t i = 0; i < 48; ++i)
      got += ran->out[i] == 1, kept += ran->out[i] == 1 && i % 2 == 1;
    EXPECT_GE(got, 36u);
    EXPECT_EQ(ran->heap_used, kept * 112);
  }
  EXPECT_EQ(run(text, true), stepped);
}

TEST(DeviceHeap, ARestoredHeapContinuesAsTheOriginal) {
  DeviceHeap heap;
  heap.begin(0x1000, 256);
  const auto first = heap.allocate(16), second = heap.allocate(32), third = heap.allocate(64);
  ASSERT_TRUE(heap.free(second));
  DeviceHeap copy;
  ASSERT_TRUE(copy.restore(heap.state()));
  EXPECT_EQ(copy.used_bytes(), heap.used_bytes());
  for (const std::uint64_t bytes : {16, 100, 16, 16}) {
    const auto expected = heap.allocate(bytes);
    EXPECT_EQ(copy.allocate(bytes), expected);
  }
  EXPECT_TRUE(copy.free(first));
  EXPECT_TRUE(copy.free(third));
}

TEST(DeviceHeap, BlocksOutsideOfTheHeapAreRefused) {
  const auto restores = [](const DeviceHeap::State& state) { return DeviceHeap().restore(state); };
  EXPECT_TRUE(restores({0x1000, 64, {{0x1000, 16}, {0x1030, 16}}}));
  EXPECT_FALSE(restores({0x1000, 64, {{0x0ff0, 16}}}));
  EXPECT_FALSE(restores({0x1000, 64, {{0x1030, 32}}}));
  EXPECT_FALSE(restores({0x1000, 64, {{0x1000, 32}, {0x1010, 16}}}));
}

TEST(DeviceHeap, MergesAdjacentHoles) {
  DeviceHeap heap;
  heap.begin(4096, 160);
  const std::uint64_t a = heap.allocate(33), b = heap.allocate(48), c = heap.allocate(64);
  EXPECT_EQ(a, 4096u);
  EXPECT_EQ(c, 4096u + 96);
  EXPECT_EQ(heap.allocate(1), 0u);
  EXPECT_TRUE(heap.free(a));
  EXPECT_FALSE(heap.free(a));
  EXPECT_TRUE(heap.free(c));
  EXPECT_EQ(heap.allocate(70), 0u);
  EXPECT_TRUE(heap.free(b));
  EXPECT_EQ(heap.used_bytes(), 0u);
  EXPECT_EQ(heap.allocate(160), 4096u);
}

}  // namespace
}  // namespace heddle::exec::test
