#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "mem/dram_channel.h"

namespace heddle::mem {
namespace {

// One slice, no delay before the queue; times are DRAM cycles.
class DramBench {
 public:
  explicit DramBench(const config::DramSpec& s = {})
      : spec(s), slice(256, 256), channel(s, {&slice}, edges, 0, false) {}
  void read(std::uint32_t bank, std::uint32_t row, std::uint32_t tag = 0,
            std::uint32_t bytes = 32) {
    push(bank, row, tag, bytes, false);
  }
  void write(std::uint32_t bank, std::uint32_t row, std::uint32_t tag = 0) {
    push(bank, row, tag, 32, true);
  }
  // Runs to the end; done[i] = cycle in which the i-th completed request returned to the slice.
  void run() {
    while (!channel.idle() || !slice.requests.empty()) {
      channel.cycle(now, now);
      while (!slice.returns.empty()) {
        tags.push_back(slice.returns.pop().tag);
        done.push_back(now);
      }
      ++now;
      if (now > 100000) FAIL() << "DRAM never finished";
    }
  }
  std::uint64_t gap(std::size_t i) const { return done[i + 1] - done[i]; }

  config::DramSpec spec;
  DramEdges edges{Clocks({}), {}};
  SliceToDram slice;
  DramChannel channel;
  std::uint64_t now = 1;
  std::vector<std::uint32_t> tags;
  std::vector<std::uint64_t> done;

 private:
  void push(std::uint32_t bank, std::uint32_t row, std::uint32_t tag, std::uint32_t bytes,
            bool write) {
    DramRequest r;
    r.bank = static_cast<std::uint16_t>(bank);
    r.row = row;
    r.tag = tag;
    r.bytes = bytes;
    r.write = write;
    slice.requests.push(r);
  }
};

// The queue of replies of the slice has a place, which the first read takes.
TEST(Dram, ASliceWithAFullQueueOfRepliesSendsNothingWhereDramArbitratesAsGpgpuSim) {
  for (const bool gpgpusim : {false, true}) {
    const DramEdges edges(Clocks({}), {});
    SliceToDram slice(4, 1);
    DramChannel channel({}, {&slice}, edges, 0, gpgpusim);
    std::uint64_t now = 1;
    const auto read_and_run = [&] {
      DramRequest read;
      read.bytes = 32;
      read.wants_reply = true;
      slice.requests.push(read);
      for (int i = 0; i < 100; ++i, ++now) channel.cycle(now, now);
    };
    read_and_run();
    EXPECT_TRUE(slice.returns.full());
    read_and_run();
    EXPECT_EQ(slice.requests.empty(), !gpgpusim);
    slice.returns.pop();
    channel.cycle(now, now);
    EXPECT_TRUE(slice.requests.empty());
  }
}

// The data of a read issued at c return to the slice at c + CL + 1, so the gaps between returns are
// those between commands.

TEST(Dram, AClosedBankNeedsActivateThenReadAfterRcd) {
  DramBench open, closed;
  open.read(0, 1);
  open.run();
  open.done.clear();
  const std::uint64_t start = open.now;
  open.read(0, 1);
  open.run();
  const std::uint64_t hit = open.done[0] - start;
  closed.read(0, 1);
  closed.run();
  EXPECT_EQ(closed.done[0] - 1 - hit, closed.spec.rcd);
  EXPECT_EQ(open.channel.stats().row_hits, 1u);
  EXPECT_EQ(open.channel.stats().row_misses, 1u);
}

TEST(Dram, CountsReadsAmongTheRequests) {
  DramBench b;
  b.read(0, 1);
  b.write(0, 1);
  b.read(1, 1);
  b.run();
  EXPECT_EQ(b.channel.stats().requests, 3u);
  EXPECT_EQ(b.channel.stats().read_requests, 2u);
}

// From the cycle in which a request enters the queue: a bank gets it in the next one, and
// activates.
TEST(Dram, CountsTheCyclesOfReadsAndOfAllRequests) {
  DramBench read, write;
  read.read(0, 1);
  read.run();
  const std::uint64_t cycles = 1 + read.spec.rcd + read.spec.cl;
  EXPECT_EQ(read.channel.stats().request_cycles, cycles);
  EXPECT_EQ(read.channel.stats().read_request_cycles, cycles);
  write.write(0, 1);
  write.run();
  EXPECT_EQ(write.channel.stats().request_cycles,
            1 + (write.spec.rcd - (write.spec.wl + 1)) + write.spec.wl);
  EXPECT_EQ(write.channel.stats().read_request_cycles, 0u);
}

TEST(Dram, ReadsOfOneBankGroupAreCcdlApart) {
  DramBench b;  // 4 groups: banks 0 and 4 are in the same group
  for (int i = 0; i < 4; ++i) b.read(0, 1), b.read(4, 1);
  b.run();
  for (std::size_t i = 3; i < 7; ++i) EXPECT_EQ(b.gap(i), b.spec.ccdl);
}

TEST(Dram, ReadsOfDifferentBankGroupsAreCcdApart) {
  config::DramSpec spec;
  spec.rrd = 1;
  DramBench b(spec);
  for (int i = 0; i < 8; ++i)
    for (std::uint32_t bank : {0u, 1u, 2u, 3u}) b.read(bank, 1);
  b.run();
  for (std::size_t i = 20; i < 30; ++i) EXPECT_EQ(b.gap(i), spec.ccd);
}

TEST(Dram, TheHighBitsOfABankMaySelectItsGroup) {
  config::DramSpec spec;
  spec.rrd = 1;
  spec.bank_group_bits = config::BankGroupBits::high;
  DramBench neighbours(spec), distant(spec);  // 16 banks in 4 groups: 0 to 3 are in one
  for (int i = 0; i < 8; ++i)
    for (std::uint32_t bank = 0; bank < 4; ++bank)
      neighbours.read(bank, 1), distant.read(4 * bank, 1);
  neighbours.run();
  distant.run();
  for (std::size_t i = 20; i < 30; ++i) {
    EXPECT_EQ(neighbours.gap(i), spec.ccdl);
    EXPECT_EQ(distant.gap(i), spec.ccd);
  }
}

TEST(Dram, AnotherRowOfTheSameBankWaitsForRasAndRpAndRc) {
  DramBench b;
  b.read(0, 1);
  b.read(0, 2);
  b.run();
  // Activates are max(RC, RAS + RP) apart, and so are the reads after them.
  EXPECT_EQ(b.gap(0), std::max(b.spec.rc, b.spec.ras + b.spec.rp));
  config::DramSpec slow;
  slow.rp = 20;
  DramBench c(slow);
  c.read(0, 1);
  c.read(0, 2);
  c.run();
  EXPECT_EQ(c.gap(0), slow.ras + slow.rp);
  EXPECT_EQ(c.channel.stats().precharges, 1u);
  EXPECT_EQ(c.channel.stats().activates, 2u);
}

TEST(Dram, ActivatesOfDifferentBanksAreRrdApart) {
  DramBench b;
  b.read(0, 1);
  b.read(4, 1);
  b.run();
  EXPECT_EQ(b.gap(0), b.spec.rrd);
}

TEST(Dram, AFifthActivateWaitsUntilTheFirstOfTheFourBeforeItIsFawOld) {
  config::DramSpec spec;
  spec.rrd = 5;  // no read is in the cycle of an activate
  DramBench free(spec);
  spec.faw = 40;
  DramBench limited(spec);
  for (DramBench* b : {&limited, &free}) {
    for (std::uint32_t bank = 0; bank < 9; ++bank) b->read(bank, 1);
    b->run();
  }
  // One read follows each activate, so the gaps between returns are those between activates.
  EXPECT_EQ(limited.done[3] - limited.done[0], 3 * spec.rrd);
  EXPECT_EQ(limited.done[4] - limited.done[0], spec.faw);
  EXPECT_EQ(limited.done[8] - limited.done[4], spec.faw);
  EXPECT_EQ(free.done[8] - free.done[0], 8 * spec.rrd);
}

TEST(Dram, AReadAfterAWriteWaitsForTheDataAndTheTurnaround) {
  config::DramSpec spec;
  DramBench b(spec);
  b.read(0, 1);  // opens the row
  b.run();
  b.done.clear();
  b.write(0, 1, 1);
  b.read(0, 1, 2);
  b.run();
  // Write at w returns at w + WL + 1, read at w + WL + burst + CDLR returns CL + 1 later.
  const std::uint64_t burst = spec.burst / spec.ratio;
  EXPECT_EQ(b.gap(0), (spec.wl + burst + spec.cdlr + spec.cl) - spec.wl);
}

TEST(Dram, AWriteAfterAReadKeepsTheBusFree) {
  config::DramSpec spec;
  DramBench b(spec);
  b.read(0, 1);
  b.run();
  b.done.clear();
  b.read(0, 1, 1);
  b.write(0, 1, 2);
  b.run();
  const std::uint64_t read_to_write = spec.cl + spec.burst / spec.ratio + 2 - spec.wl;
  EXPECT_EQ(b.gap(0), read_to_write + spec.wl - spec.cl);
}

TEST(Dram, APrechargeAfterAWriteWaitsForTheWriteRecovery) {
  config::DramSpec spec;
  spec.rc = spec.ras = 1;
  DramBench b(spec);
  b.read(0, 1);
  b.run();
  b.done.clear();
  b.write(0, 1, 1);
  b.read(0, 2, 2);
  b.run();
  const std::uint64_t to_precharge = spec.wl + spec.burst / spec.ratio + spec.wr;
  EXPECT_EQ(b.gap(0), to_precharge + spec.rp + spec.rcd + spec.cl - spec.wl);
}

TEST(Dram, PrefersRowHitsOverOlderRequests) {
  DramBench b;
  b.read(0, 1, 1);
  b.read(0, 2, 2);
  b.read(0, 1, 3);
  b.read(0, 1, 4);
  b.run();
  EXPECT_EQ(b.tags, (std::vector<std::uint32_t>{1, 3, 4, 2}));
  EXPECT_EQ(b.channel.stats().row_hits, 2u);
  EXPECT_EQ(b.channel.stats().row_misses, 2u);
}

TEST(Dram, RowHitsOvertakeTheOldestRequestNoMoreOftenThanAllowed) {
  config::DramSpec spec;
  spec.frfcfs_passes = 2;
  DramBench b(spec);
  b.read(0, 1, 1);
  b.read(0, 2, 2);
  for (std::uint32_t tag = 3; tag <= 6; ++tag) b.read(0, 1, tag);
  b.run();
  EXPECT_EQ(b.tags, (std::vector<std::uint32_t>{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(b.channel.stats().row_misses, 3u);
}

TEST(Dram, AStreamOfRowHitsStarvesAnotherRowUnlessItsPassesAreBounded) {
  const auto place_of_other_row = [](std::uint32_t passes) {
    config::DramSpec spec;
    spec.frfcfs_passes = passes;
    DramBench b(spec);
    b.read(0, 1);
    b.read(0, 2, 7);
    for (int i = 0; i < 200; ++i) b.read(0, 1);
    b.run();
    return std::find(b.tags.begin(), b.tags.end(), 7u) - b.tags.begin();
  };
  EXPECT_EQ(place_of_other_row(0), 201);
  EXPECT_EQ(place_of_other_row(16), 17);
}

TEST(Dram, WithoutRowHitsServesTheOldestRequestOfABank) {
  DramBench b;
  for (std::uint32_t i = 1; i <= 4; ++i) b.read(0, i, i);
  b.run();
  EXPECT_EQ(b.tags, (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST(Dram, ARequestLargerThanAnAtomTakesSeveralBurstsAndReturnsOnce) {
  DramBench b;
  b.read(0, 1, 9, 128);
  b.run();
  EXPECT_EQ(b.tags, std::vector<std::uint32_t>{9});
  EXPECT_EQ(b.channel.stats().reads, 2u);
}

TEST(Dram, SkippingQuietCyclesChangesNothing) {
  DramBench all, few;
  for (DramBench* b : {&all, &few})
    for (std::uint32_t i = 0; i < 40; ++i) b->read(i % 3, i % 5, i);
  all.run();
  std::vector<std::uint64_t> done;
  while (!few.channel.idle() || !few.slice.requests.empty()) {
    few.channel.cycle(few.now, few.now);
    while (!few.slice.returns.empty()) few.slice.returns.pop(), done.push_back(few.now);
    const std::uint64_t next = std::min(few.channel.quiet_until(), few.channel.first_delayed());
    if (!few.channel.idle()) few.now = std::max(few.now + 1, next);
    ASSERT_LT(few.now, 100000u);
  }
  EXPECT_EQ(done, all.done);
  EXPECT_EQ(few.channel.stats().active_cycles, all.channel.stats().active_cycles);
  EXPECT_EQ(few.channel.stats().busy_bank_cycles, all.channel.stats().busy_bank_cycles);
}

TEST(Dram, BankParallelismCountsBusyBanksInActiveCycles) {
  DramBench b;
  b.read(0, 1);
  b.read(4, 1);
  b.run();
  const DramStats& s = b.channel.stats();
  EXPECT_GT(s.busy_bank_cycles, s.active_cycles / 2);
  EXPECT_LE(s.busy_bank_cycles, 2 * s.active_cycles);
}

TEST(Dram, SeparateWritesWaitForTheHighWatermarkOrUntilNoReadWaits) {
  config::DramSpec spec;
  spec.separate_writes = true;
  DramBench b(spec);
  b.write(0, 1, 100);
  for (std::uint32_t i = 0; i < 6; ++i) b.read(0, 2, i);
  b.run();
  EXPECT_EQ(b.tags.size(), 7u);
}

TEST(Dram, ADualCommandBusActivatesWhileItReads) {
  config::DramSpec spec;  // one burst per cycle, as HBM
  spec.burst = spec.ratio = 2;
  spec.bus_bytes = 16;
  spec.chips = 1;
  spec.ccd = spec.ccdl = spec.rrd = 1;
  const auto cycles = [](const config::DramSpec& s) {
    DramBench b(s);
    for (std::uint32_t row = 0; row < 4; ++row)
      for (std::uint32_t bank = 0; bank < 16; ++bank)
        for (int i = 0; i < 2; ++i) b.read(bank, row);
    b.run();
    return b.now;
  };
  config::DramSpec dual = spec;
  dual.dual_command_bus = true;
  EXPECT_LT(cycles(dual), cycles(spec));
}

}  // namespace
}  // namespace heddle::mem
