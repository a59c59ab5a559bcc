#include "mem/mshr.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace heddle::mem {
namespace {

TEST(Mshrs, AnEntryIsFreeWhenItsRequestsHaveBeenServed) {
  MshrTable table(1, 2);
  const std::uint32_t entry = table.open(0x40);
  EXPECT_TRUE(table.full());
  table.merge(entry, {7, PacketKind::read});
  table.merge(entry, {8, PacketKind::write});
  EXPECT_FALSE(table.can_merge(entry));
  table.complete(entry);
  EXPECT_EQ(table.find(0x40), kNoMshr);
  EXPECT_EQ(table.pop_ready().tag, 7u);
  EXPECT_TRUE(table.full());
  EXPECT_EQ(table.pop_ready().kind, PacketKind::write);
  EXPECT_TRUE(table.empty());
  table.check_conservation();
}

TEST(Mshrs, AnEntryThatMergesWhileDrainingIsFoundUntilItIsFree) {
  MshrTable table(1, 2, true);
  const std::uint32_t entry = table.open(0x40);
  table.merge(entry, {7, PacketKind::read});
  table.merge(entry, {8, PacketKind::read});
  table.complete(entry);
  EXPECT_EQ(table.find(0x40), entry);
  EXPECT_FALSE(table.can_merge(entry));
  EXPECT_EQ(table.pop_ready().tag, 7u);
  table.merge(entry, {9, PacketKind::read});  // the place of the served request
  EXPECT_EQ(table.pop_ready().tag, 8u);
  EXPECT_EQ(table.find(0x40), entry);
  EXPECT_EQ(table.pop_ready().tag, 9u);
  EXPECT_EQ(table.find(0x40), kNoMshr);
  EXPECT_TRUE(table.empty());
  table.check_conservation();
}

TEST(Mshrs, AFetchWithoutRequestsIsFreeWhenItIsComplete) {
  MshrTable table(1, 1);
  table.complete(table.open(0x40));
  EXPECT_FALSE(table.has_ready());
  EXPECT_TRUE(table.empty());
}

TEST(Mshrs, ATableHasEntriesThatHoldRequests) {
  EXPECT_THROW(MshrTable(0, 1), UserError);
  EXPECT_THROW(MshrTable(1, 0), UserError);
}

TEST(Mshrs, FindEntriesAsAMapDoesAndServeInOrder) {
  std::mt19937 draw(3);
  for (int round = 0; round < 30; ++round) {
    const auto entries = 1 + static_cast<std::uint32_t>(draw() % 40),
               merges = 1 + static_cast<std::uint32_t>(draw() % 5);
    MshrTable table(entries, merges);
    std::map<std::uint64_t, std::pair<std::uint32_t, std::deque<std::uint32_t>>>
        open;  // key: entry, waiting
    std::deque<std::uint32_t> ready;
    std::uint32_t tag = 0, held = 0;  // held: in entries of completed fetches
    std::deque<std::size_t> ready_of_fetch;
    for (int step = 0; step < 3000; ++step) {
      const std::uint64_t key = draw() % 64 * 32 << (draw() % 2 * 20);
      const auto fetch = open.find(key);
      ASSERT_EQ(table.find(key), fetch == open.end() ? kNoMshr : fetch->second.first);
      ASSERT_EQ(table.full(), open.size() + held == entries);
      ASSERT_EQ(table.used(), open.size() + held);
      ASSERT_EQ(table.has_ready(), !ready.empty());
      switch (draw() % 4) {
        case 0:
          if (fetch == open.end() && !table.full()) open[key] = {table.open(key), {}};
          break;
        case 1:
          if (fetch == open.end()) break;
          ASSERT_EQ(table.can_merge(fetch->second.first), fetch->second.second.size() < merges);
          if (fetch->second.second.size() == merges) break;
          table.merge(fetch->second.first, {++tag, PacketKind::read});
          fetch->second.second.push_back(tag);
          break;
        case 2:
          if (fetch == open.end()) break;
          table.complete(fetch->second.first);
          if (!fetch->second.second.empty())
            ready_of_fetch.push_back(fetch->second.second.size()), ++held;
          ready.insert(ready.end(), fetch->second.second.begin(), fetch->second.second.end());
          open.erase(fetch);
          break;
        default:
          if (ready.empty()) break;
          ASSERT_EQ(table.pop_ready().tag, ready.front());
          ready.pop_front();
          if (--ready_of_fetch.front() == 0) ready_of_fetch.pop_front(), --held;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::mem
