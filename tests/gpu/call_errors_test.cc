#include "gpu/nested/call_errors.h"

#include <gtest/gtest.h>

#include "tests/gpu/device_call_bench.h"

namespace heddle::gpu {
namespace {

using Then = CallErrors::Then;
constexpr auto kPeek = ptx::RuntimeCall::peek_last_error;

TEST(CallErrors, AreKeptForEachThreadUntilTheyAreReset) {
  exec::GlobalMemory memory(1 << 20);
  CallErrors errors(memory);
  test::DeviceCallBench bench;
  EXPECT_EQ(errors.answer(bench.call(kPeek), 9), 9u);
  EXPECT_EQ(errors.answer(bench.call(kPeek), 0), 0u);  // success replaces no error
  bench.thread = 1;
  EXPECT_EQ(errors.last(bench.call(kPeek), Then::keep), 0u);
  bench.thread = 0;
  EXPECT_EQ(errors.last(bench.call(kPeek), Then::keep), 9u);
  EXPECT_EQ(errors.last(bench.call(kPeek), Then::reset), 9u);
  EXPECT_EQ(errors.last(bench.call(kPeek), Then::reset), 0u);
}

TEST(CallErrors, OfAGridEndWithIt) {
  exec::GlobalMemory memory(1 << 20);
  CallErrors errors(memory);
  test::DeviceCallBench first(1), second(2);
  first.cta = 7;
  errors.answer(first.call(kPeek), 1);
  errors.answer(second.call(kPeek), 2);
  errors.forget(1);
  EXPECT_EQ(errors.last(first.call(kPeek), Then::keep), 0u);
  EXPECT_EQ(errors.last(second.call(kPeek), Then::keep), 2u);
}

TEST(CallErrors, ATextKeepsItsAddressAlsoWhenRestored) {
  exec::GlobalMemory memory(1 << 20);
  CallErrors errors(memory), restored(memory);
  const std::uint64_t address = errors.address_of_text(9, true, "invalid");
  EXPECT_STREQ(reinterpret_cast<const char*>(memory.host(Address{address})), "invalid");
  EXPECT_EQ(errors.address_of_text(9, true, "invalid"), address);
  EXPECT_NE(errors.address_of_text(9, false, "text"), address);
  DeviceRuntimeState state;
  errors.save(state);
  restored.restore(state);
  EXPECT_EQ(restored.address_of_text(9, true, "invalid"), address);
}

}  // namespace
}  // namespace heddle::gpu
