#include "mem/growing_queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace heddle::mem {

TEST(GrowingQueue, KeepsTheOrderWhileItGrows) {
  GrowingQueue<int> queue(2);
  std::deque<int> model;
  std::mt19937 draw(1);
  for (int step = 0; step < 2000; ++step) {
    if (draw() % 5 < 3) {
      queue.push(step);
      model.push_back(step);
    } else if (!model.empty()) {
      queue.pop();
      model.pop_front();
    }
    ASSERT_EQ(queue.empty(), model.empty());
    if (!model.empty()) ASSERT_EQ(queue.front(), model.front());
  }
}

}  // namespace heddle::mem
