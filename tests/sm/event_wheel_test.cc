#include "sm/issue/event_wheel.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

std::vector<int> taken(EventWheel<int>& wheel, std::uint64_t cycle) {
  std::vector<int> events;
  wheel.take(Cycle{cycle}, [&](int event) { events.push_back(event); });
  return events;
}

TEST(EventWheel, GivesTheEventsOfACycleInTheOrderInWhichTheyWereAdded) {
  EventWheel<int> wheel(20);
  wheel.add(Cycle{105}, 1);
  wheel.add(Cycle{103}, 2);
  wheel.add(Cycle{105}, 3);
  EXPECT_EQ(taken(wheel, 103), (std::vector{2}));
  EXPECT_TRUE(taken(wheel, 104).empty());
  EXPECT_EQ(taken(wheel, 105), (std::vector{1, 3}));
  EXPECT_TRUE(taken(wheel, 105).empty());
  wheel.add(Cycle{105 + 64}, 4);
  EXPECT_EQ(taken(wheel, 105 + 64), (std::vector{4}));
}

TEST(EventWheel, FindsTheNextEventFromAnyCycle) {
  EventWheel<int> wheel(100);  // 128 places
  EXPECT_EQ(wheel.next(Cycle{7}), Cycle::never());
  for (const std::uint64_t from : {0u, 63u, 64u, 100u, 127u, 1000u})
    for (const std::uint64_t ahead : {0u, 1u, 27u, 64u, 99u}) {
      wheel.add(Cycle{from + ahead}, 1);
      EXPECT_EQ(wheel.next(Cycle{from}), Cycle{from + ahead});
      EXPECT_EQ(taken(wheel, from + ahead).size(), 1u);
    }
}

}  // namespace
}  // namespace heddle::sm
