// Asynchronous copies: groups, waits and deferred mbarrier arrivals.
#include "sm/warp/async_copies.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::CopyStep;
using isa::OpClass;
using isa::Space;

// Two groups of one copy each, then a wait that allows `allowed` groups. Returns the cycles from
// the wait to the next instruction.
std::uint64_t wait_for_copies(std::uint32_t allowed, bool all, bool commit_last,
                              std::uint32_t between) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  const auto form = [](OpClass c, CopyStep step) {
    isa::Instruction i = c == OpClass::load ? memory(c, Space::global, {1, 2}, {}) : make(c);
    i.copy = step;
    if (c == OpClass::load) i.cache = isa::CacheOperator::cg;
    return i;
  };
  std::vector<isa::Instruction> code{form(OpClass::load, CopyStep::start),
                                     form(OpClass::alu, CopyStep::commit)};
  for (std::uint32_t n = 0; n < between; ++n) {
    code.push_back(make(OpClass::int_div, {5}, {5}));
  }
  code.push_back(form(OpClass::load, CopyStep::start));
  code.push_back(form(OpClass::alu, commit_last ? CopyStep::commit : CopyStep::none));
  code.push_back(form(OpClass::memory_barrier, CopyStep::wait));
  code.back().groups_left = allowed;
  code.back().waits_for_all_copies = all;
  const int wait = static_cast<int>(code.size()) - 1;
  code.push_back(make(OpClass::alu));
  code.push_back(exit());
  Bench b(code, {}, g, 400);
  b.run();
  return b.source.gap(wait, wait + 1);
}

TEST(Sm, CpAsyncWaitWaitsForTheCopiesOfItsGroups) {
  const std::uint64_t none = wait_for_copies(2, false, true, 3),
                      older = wait_for_copies(1, false, true, 3),
                      both = wait_for_copies(0, false, true, 3);
  EXPECT_LT(none, 10u);
  EXPECT_GT(older, 10u);
  EXPECT_GT(both, older + 50);  // the divisions between the copies
  EXPECT_EQ(wait_for_copies(0, true, true, 3), both);
  // A copy that is not committed is in no group, but wait_all waits for it.
  EXPECT_EQ(wait_for_copies(0, false, false, 3), older);
  EXPECT_EQ(wait_for_copies(0, true, false, 3), both);
}

// Three products of 64 cycles on one unit, of which two are committed; then a wait that allows
// `allowed` groups. Returns the cycles from the first product to the instruction after the wait.
std::uint64_t wait_for_products(std::uint32_t allowed) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.units.tensor = 1;
  g.sm.issue_latches.tensor = g.sm.dispatch_latches.tensor = 1;
  g.sm.tensor_latency = g.sm.tensor_interval = 64;
  const auto form = [](OpClass c, CopyStep step) {
    isa::Instruction i = make(c);
    i.copy = step;
    return i;
  };
  isa::Instruction product = form(OpClass::tensor, CopyStep::product);
  product.matrix_work = 2 * 16 * 16 * 16 * 16;
  isa::Instruction wait = form(OpClass::memory_barrier, CopyStep::wait_for_products);
  wait.groups_left = allowed;
  Bench b(
      {product, form(OpClass::alu, CopyStep::commit_products), product,
       form(OpClass::alu, CopyStep::commit_products), product, wait, make(OpClass::alu), exit()},
      {}, g, 1000);
  b.run();
  return b.source.gap(0, 6);
}

TEST(Sm, AWaitForProductsWaitsForThoseOfItsGroups) {
  const std::uint64_t none = wait_for_products(2), first = wait_for_products(1),
                      both = wait_for_products(0);
  EXPECT_LT(none, 64u);
  EXPECT_GE(first, 64u);
  EXPECT_LT(first, 128u);
  EXPECT_GE(both, 128u);
  EXPECT_LT(both, 192u) << "the last product is in no group";
}

TEST(AsyncCopies, AGroupIsPendingUntilItAndAllEarlierGroupsAreComplete) {
  AsyncCopies copies;
  const WarpSlot w(5);
  const auto finish = [&](std::uint32_t group, std::uint64_t sequence) {
    copies.finish(w, group, sequence, [](std::uint32_t) { FAIL(); });
  };
  EXPECT_FALSE(copies.pending(w));
  copies.commit(w);  // before the first copy
  EXPECT_FALSE(copies.pending(w, 0));
  const std::uint32_t first = copies.start(w);
  EXPECT_EQ(copies.start(w), first);
  EXPECT_FALSE(copies.pending(w, 0));
  EXPECT_TRUE(copies.pending(w));
  copies.commit(w);
  copies.commit(w);  // an empty group
  const std::uint32_t third = copies.start(w);
  copies.commit(w);
  EXPECT_TRUE(copies.pending(w, 2));
  EXPECT_FALSE(copies.pending(w, 3));
  finish(third, 9);  // out of order
  EXPECT_TRUE(copies.pending(w, 0));
  finish(first, 7);
  EXPECT_TRUE(copies.pending(w, 2));
  finish(first, 7);
  EXPECT_FALSE(copies.pending(w, 0));
  EXPECT_FALSE(copies.pending(WarpSlot(6)));
}

TEST(AsyncCopies, AnArrivalIsDeferredUntilTheCopiesStartedBeforeItAreComplete) {
  AsyncCopies copies;
  const WarpSlot w(5);
  EXPECT_FALSE(copies.defer_arrival(w, 70, 1)) << "no copy is in flight";
  std::vector<std::uint32_t> acted;
  const auto finish = [&](std::uint32_t group, std::uint64_t sequence) {
    copies.finish(w, group, sequence, [&](std::uint32_t handle) { acted.push_back(handle); });
  };
  const std::uint32_t group = copies.start(w);  // 2
  copies.start(w);                              // 3
  EXPECT_TRUE(copies.defer_arrival(w, 71, 4));
  copies.start(w);  // 5
  EXPECT_TRUE(copies.defer_arrival(w, 72, 6));
  finish(group, 5);
  finish(group, 2);
  EXPECT_TRUE(acted.empty());
  finish(group, 3);
  EXPECT_EQ(acted, (std::vector<std::uint32_t>{71, 72}));
  EXPECT_FALSE(copies.defer_arrival(w, 73, 7));
}

}  // namespace
}  // namespace heddle::sm::test
