#include "mem/access_plan.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

using config::CacheSpec;
using config::Filling;
using config::LineAllocation;
using config::WriteAllocation;
using config::WritePolicy;
using Found = AccessPlan::Found;

// One set of two ways with sectors, which a test fills by hand.
class PlanBench {
 public:
  PlanBench(WritePolicy write, WriteAllocation allocation) : state(spec(write, allocation)) {}
  static CacheSpec spec(WritePolicy write, WriteAllocation allocation) {
    CacheSpec spec;
    spec.size_bytes = 2 * kLineBytes;
    spec.ways = 2;
    spec.filling = Filling::sectors;
    spec.allocation = LineAllocation::on_miss;
    spec.write = write;
    spec.write_allocation = allocation;
    spec.mshr_entries = spec.mshr_merges = 2;
    spec.miss_queue = 4;
    return spec;
  }
  AccessPlan plan(PacketKind kind, std::uint64_t address, std::uint32_t bytes = 32,
                  Client client = Client::l1d) {
    Request request;
    request.address = Address{address};
    request.bytes = bytes;
    request.kind = kind;
    request.client = client;
    if (kind == PacketKind::write) request.mask.set(offset_in_line(request.address), bytes);
    return plan_access(state, request, state.tags.find(Address{address}));
  }
  // Line `address` has its first sector.
  void load(std::uint64_t address) {
    const std::uint32_t at = state.tags.empty_line(Address{address});
    state.tags.assign(at, Address{address}, {{1, WarpSlot(4)}, 9});
    state.tags.fill(at, 0b0001, 0);
  }
  // Its first sector is being fetched.
  void reserve(std::uint64_t address) {
    const std::uint32_t at = state.tags.empty_line(Address{address});
    state.tags.assign(at, Address{address}, {});
    state.tags.reserve(at, 0b0001);
  }
  void wait(std::size_t misses) {
    for (std::size_t i = 0; i < misses; ++i) state.misses.push({});
  }

  CacheState state;
};

PlanBench l1() { return PlanBench(WritePolicy::write_evict, WriteAllocation::none); }
PlanBench l2() { return PlanBench(WritePolicy::write_back, WriteAllocation::lazy_fetch_on_read); }

// GPGPU-Sim 3.2.2 probes the tags first, which have no place for a line.
TEST(AccessPlan, AStoreThatAllocatesNothingMayStillNeedAWay) {
  for (const auto allocation : {WriteAllocation::none, WriteAllocation::none_with_way}) {
    const bool needs_way = allocation == WriteAllocation::none_with_way;
    PlanBench b(WritePolicy::write_evict, allocation);
    b.reserve(0);
    EXPECT_TRUE(b.plan(PacketKind::write, 2 * kLineBytes).forward);
    b.reserve(kLineBytes);
    EXPECT_TRUE(b.plan(PacketKind::write, 0).forward);  // its own line
    const AccessPlan other = b.plan(PacketKind::write, 2 * kLineBytes);
    EXPECT_EQ(other.forward, !needs_way);
    EXPECT_FALSE(other.allocate);
    if (needs_way) EXPECT_EQ(other.access.cause, FailCause::no_replaceable_way);
  }
}

TEST(AccessPlan, AReadOfASectorThatIsThereHits) {
  PlanBench b = l1();
  b.load(0);
  const AccessPlan plan = b.plan(PacketKind::read, 0);
  EXPECT_EQ(plan.found, Found::hit);
  EXPECT_EQ(plan.access.answer, Answer::now);
  EXPECT_EQ(plan.access.owner.warp, WarpSlot(4));
  EXPECT_FALSE(plan.fetch || plan.allocate || plan.written || plan.drop || plan.forward);
}

TEST(AccessPlan, AReadOfAnotherSectorFetchesIntoTheSameLine) {
  PlanBench b = l1();
  b.load(0);
  const AccessPlan plan = b.plan(PacketKind::read, 32);
  EXPECT_EQ(plan.found, Found::sector_missing);
  EXPECT_EQ(plan.access.outcome, Outcome::miss);
  EXPECT_TRUE(plan.fetch && plan.waits);
  EXPECT_NE(plan.line, kNoLine);
  EXPECT_EQ(plan.victim, kNoLine);
}

TEST(AccessPlan, AReadOfASectorOnItsWayMerges) {
  PlanBench b = l1();
  b.reserve(0);
  const std::uint32_t fetch = b.state.mshrs.open(0);
  b.state.mshrs.merge(fetch, {});
  EXPECT_EQ(b.plan(PacketKind::read, 0).mshr, fetch);
  EXPECT_EQ(b.plan(PacketKind::read, 0).access.outcome, Outcome::pending_hit);
  b.state.mshrs.merge(fetch, {});
  EXPECT_EQ(b.plan(PacketKind::read, 0).access.cause, FailCause::merge_full);
}

TEST(AccessPlan, RefusalsNameTheFirstResourceThatIsMissing) {
  PlanBench b = l1();
  b.state.mshrs.open(0x1000);
  b.state.mshrs.open(0x2000);
  EXPECT_EQ(b.plan(PacketKind::read, 0).access.cause, FailCause::mshr_full);
  b.wait(3);  // a read needs a second entry, for a write-back
  EXPECT_EQ(b.plan(PacketKind::read, 0).access.cause, FailCause::miss_queue_full);
  for (const std::uint64_t line : {0x3000, 0x4000}) b.reserve(line);
  EXPECT_EQ(b.plan(PacketKind::read, 0).access.cause, FailCause::no_replaceable_way);
}

TEST(AccessPlan, AWriteHitIsForwardedUnlessTheCacheWritesBack) {
  PlanBench evicts = l1(), back = l2();
  evicts.load(0);
  back.load(0);
  const AccessPlan forwarded = evicts.plan(PacketKind::write, 0),
                   kept = back.plan(PacketKind::write, 0);
  EXPECT_TRUE(forwarded.forward && forwarded.drop && !forwarded.written);
  EXPECT_EQ(forwarded.access.answer, Answer::from_below);
  EXPECT_TRUE(!kept.forward && !kept.drop && kept.written);
  EXPECT_EQ(kept.access.answer, Answer::now);
}

TEST(AccessPlan, LocalWritesStayWhereGlobalWritesAreForwarded) {
  PlanBench b(WritePolicy::local_back_global_through, WriteAllocation::none);
  b.load(0);
  EXPECT_FALSE(b.plan(PacketKind::write, 0, 32, Client::local).forward);
  EXPECT_TRUE(b.plan(PacketKind::write, 0, 32, Client::l1d).forward);
}

TEST(AccessPlan, FetchOnWriteFetchesForAPartOfASectorOnly) {
  PlanBench b(WritePolicy::write_back, WriteAllocation::fetch_on_write);
  EXPECT_TRUE(b.plan(PacketKind::write, 0, 16).fetch);
  const AccessPlan whole = b.plan(PacketKind::write, 0, 32);
  EXPECT_TRUE(!whole.fetch && whole.allocate && whole.written);
}

TEST(AccessPlan, AMergedStoreIsForwardedAndWaitsForTheFetchOfItsLine) {
  for (const auto allocation : {WriteAllocation::allocate, WriteAllocation::allocate_merged}) {
    PlanBench b(WritePolicy::write_back, allocation);
    const AccessPlan plan = b.plan(PacketKind::write, 0, 16);
    EXPECT_TRUE(plan.forward && plan.fetch);
    EXPECT_EQ(plan.waits, allocation == WriteAllocation::allocate_merged);
    EXPECT_EQ(plan.access.answer, Answer::from_below);
  }
}

TEST(AccessPlan, AnAtomicHitWritesTheLineOfACacheThatWritesBack) {
  PlanBench b = l2();
  b.load(0);
  EXPECT_TRUE(b.plan(PacketKind::atomic, 0).written);
  EXPECT_FALSE(b.plan(PacketKind::read, 0).written);
}

TEST(AccessPlan, CountsWhatItWasFoundToBe) {
  PlanBench b = l1();
  b.load(0);
  CacheStats stats;
  Request read;
  read.origin.warp = WarpSlot(5);
  b.plan(PacketKind::read, 0).count(read, stats);
  b.plan(PacketKind::read, 32).count(read, stats);
  b.wait(4);
  b.plan(PacketKind::read, 64).count(read, stats);
  EXPECT_EQ(stats.accesses, 2u);
  EXPECT_EQ(stats.hits_other_warp, 1u);
  EXPECT_EQ(stats.sector_misses, 1u);
  EXPECT_EQ(stats.reservation_fails[static_cast<std::size_t>(FailCause::miss_queue_full)], 1u);
  stats.check_conservation();
}

}  // namespace
}  // namespace heddle::mem
