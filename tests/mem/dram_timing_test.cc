#include "mem/dram/dram_timing.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::mem {
namespace {

// Four banks in two groups; every parameter differs.
config::DramSpec spec() {
  config::DramSpec s;
  s.banks = 4;
  s.bank_groups = 2;
  s.burst = 8, s.ratio = 4;  // two cycles of data
  s.ccd = 2, s.ccdl = 3, s.rrd = 6, s.rcd = 12, s.ras = 28, s.rp = 11, s.rc = 40;
  s.cl = 13, s.wl = 4, s.cdlr = 5, s.wr = 10, s.rtpl = 7, s.faw = 30;
  return s;
}

TEST(DramTiming, ABankIsReadAfterItsRowIsActive) {
  DramTiming t(spec());
  EXPECT_FALSE(t.is_active(0));
  EXPECT_EQ(t.activate(0, 9, 100), 112u);
  EXPECT_TRUE(t.is_open(0, 9));
  EXPECT_FALSE(t.is_open(0, 8));
  EXPECT_EQ(t.next_access(0, false), 112u);
  EXPECT_EQ(t.next_access(0, true), 107u);  // rcd - (wl + 1)
  EXPECT_EQ(t.next_precharge(0), 128u);
  EXPECT_EQ(t.access(0, false, 112), 125u);
}

TEST(DramTiming, AClosedBankKeepsTheNumberOfItsRow) {
  DramTiming t(spec());
  t.activate(0, 9, 100);
  EXPECT_EQ(t.precharge(0, 128), 140u);  // rc after the activate
  EXPECT_FALSE(t.is_active(0));
  EXPECT_EQ(t.row(0), 9u);
  EXPECT_EQ(t.next_activate(0), 140u);
}

TEST(DramTiming, ALatePrechargeDelaysTheNextActivate) {
  DramTiming t(spec());
  t.activate(0, 9, 100);
  EXPECT_EQ(t.precharge(0, 135), 146u);  // rp
}

TEST(DramTiming, AccessesToOneGroupAreFurtherApart) {
  DramTiming t(spec());
  for (const std::uint32_t bank : {0u, 1u, 2u, 3u}) t.activate(bank, 1, 0);
  t.access(0, false, 200);
  const std::uint32_t other =
      spec().bank_group_bits == config::BankGroupBits::low ? 1 : 2;  // in the other group
  EXPECT_EQ(t.next_access(other, false), 202u);
  EXPECT_EQ(t.next_access(0, false), 203u);
}

TEST(DramTiming, ReadsAndWritesTurnTheBusAround) {
  DramTiming t(spec());
  t.activate(0, 1, 0);
  EXPECT_EQ(t.access(0, false, 100), 113u);
  EXPECT_EQ(t.next_access(0, true), 100u + 13 + 2 + 2 - 4);  // cl + burst + 2 - wl
  EXPECT_EQ(t.access(0, true, 150), 154u);
  EXPECT_EQ(t.next_access(0, false), 150u + 4 + 2 + 5);  // wl + burst + cdlr
}

TEST(DramTiming, APrechargeWaitsForTheDataOfTheBank) {
  DramTiming t(spec());
  t.activate(0, 1, 0);
  t.access(0, true, 100);
  EXPECT_EQ(t.next_precharge(0), 100u + 4 + 2 + 10);  // wl + burst + wr
  DramTiming reads(spec());
  reads.activate(0, 1, 0);
  reads.access(0, false, 100);
  EXPECT_EQ(reads.next_precharge(0), 107u);  // rtpl, of the group
}

TEST(DramTiming, FourActivatesFitIntoAWindow) {
  DramTiming t(spec());
  t.activate(0, 1, 0);
  EXPECT_EQ(t.next_activate(1), 6u);  // rrd
  t.activate(1, 1, 6);
  t.activate(2, 1, 12);
  t.activate(3, 1, 18);
  t.precharge(0, 0);
  EXPECT_EQ(t.next_activate(0), 40u);  // rc of the bank
  DramTiming free(spec());
  for (const std::uint64_t cycle : {100u, 106u, 112u, 118u}) free.activate(0, 1, cycle);
  EXPECT_EQ(free.next_activate(1), 130u);  // faw after the first
}

TEST(DramTiming, RefusesBanksAndGroupsThatAreNoPowersOfTwo) {
  for (const auto [banks, groups] : {std::pair{3u, 1u}, {4u, 3u}, {4u, 8u}}) {
    config::DramSpec s = spec();
    s.banks = banks;
    s.bank_groups = groups;
    EXPECT_THROW(DramTiming{s}, UserError);
  }
}

}  // namespace
}  // namespace heddle::mem
