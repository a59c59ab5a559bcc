#include <gtest/gtest.h>

#include "sm/issue/bank_requests.h"

namespace heddle::sm {
namespace {

TEST(BankRequests, ServesTheCollectorsOfABankInTheirOrder) {
  BankRequests requests(4, 3);
  requests.push(2, 7);
  requests.push(2, 5);
  requests.push(0, 9);
  EXPECT_EQ(requests.front(2), 7);
  requests.pop(2);
  EXPECT_EQ(requests.front(2), 5);
  EXPECT_EQ(requests.front(0), 9);
}

TEST(BankRequests, NamesTheBanksWithARequest) {
  BankRequests requests(64, 2);
  EXPECT_EQ(requests.banks(), 0u);
  requests.push(63, 1);
  requests.push(63, 1);  // an operand that is listed twice
  requests.push(0, 1);
  EXPECT_EQ(requests.banks(), (std::uint64_t{1} << 63) | 1);
  requests.pop(63);
  EXPECT_EQ(requests.banks(), (std::uint64_t{1} << 63) | 1);
  requests.pop(63);
  EXPECT_EQ(requests.banks(), 1u);
}

// 5 requests in a ring of 8 begin at every place of it.
TEST(BankRequests, KeepsTheOrderAcrossTheEndOfItsRing) {
  BankRequests requests(1, 5);
  std::uint8_t next = 0, served = 0;
  for (; next < 5; ++next) requests.push(0, next);
  for (; served < 100; ++served, ++next) {
    EXPECT_EQ(requests.front(0), served);
    requests.pop(0);
    requests.push(0, next);
  }
}

}  // namespace
}  // namespace heddle::sm
