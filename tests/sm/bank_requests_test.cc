#include <gtest/gtest.h>

#include <vector>

#include "sm/issue/bank_requests.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kAllBanks = ~std::uint64_t{0};

std::uint64_t all(std::size_t, std::uint64_t banks) { return banks; }
std::uint64_t lowest(std::size_t, std::uint64_t banks) { return banks & (~banks + 1); }

class BankRequestsTest : public testing::Test {
 protected:
  void enter(std::size_t collector, const std::vector<std::uint16_t>& banks) {
    requests.enter(collector, banks, [](std::uint16_t bank) { return bank; });
  }
  template <class Choose>
  std::uint32_t serve(std::uint64_t open, Choose choose) {
    done.clear();
    return requests.serve(open, choose, [&](std::size_t c) { done.push_back(c); });
  }
  using Collectors = std::vector<std::size_t>;

  BankRequests requests{64, 3};
  Collectors done;
};

TEST_F(BankRequestsTest, ServesTheCollectorsOfABankInTheirOrder) {
  enter(7, {2});
  enter(5, {2});
  enter(9, {0});
  EXPECT_EQ(serve(kAllBanks, all), 1u);  // bank 2 has another request
  EXPECT_EQ(done, (Collectors{7, 9}));
  EXPECT_EQ(serve(kAllBanks, all), 0u);
  EXPECT_EQ(done, Collectors{5});
}

TEST_F(BankRequestsTest, NamesTheBanksWithARequest) {
  EXPECT_EQ(requests.banks(), 0u);
  enter(1, {63, 63, 0});  // an operand that is listed twice
  EXPECT_EQ(requests.banks(), (std::uint64_t{1} << 63) | 1);
  EXPECT_EQ(serve(kAllBanks, all), 1u);
  EXPECT_EQ(requests.banks(), std::uint64_t{1} << 63);
  EXPECT_EQ(done, Collectors{});
  EXPECT_EQ(serve(kAllBanks, all), 0u);
  EXPECT_EQ(requests.banks(), 0u);
  EXPECT_EQ(done, Collectors{1});
}

TEST_F(BankRequestsTest, ServesEachOfSeveralOperandsOfOneBankAlone) {
  enter(3, {4, 4, 4});
  enter(6, {4});
  for (const std::size_t step : {1, 2}) {
    EXPECT_EQ(serve(kAllBanks, all), 1u) << step;
    EXPECT_EQ(done, Collectors{}) << step;
  }
  EXPECT_EQ(serve(kAllBanks, all), 1u);
  EXPECT_EQ(done, Collectors{3});
  EXPECT_EQ(serve(kAllBanks, all), 0u);
  EXPECT_EQ(done, Collectors{6});
}

TEST_F(BankRequestsTest, KeepsTheOrderWhileABankIsClosed) {
  enter(3, {4});
  enter(6, {4, 5});
  EXPECT_EQ(serve(kAllBanks & ~(std::uint64_t{1} << 4), all), 0u);
  EXPECT_EQ(serve(kAllBanks, all), 1u);
  EXPECT_EQ(done, Collectors{3});
  EXPECT_EQ(serve(kAllBanks, all), 0u);
  EXPECT_EQ(done, Collectors{6});
}

// The banks whose request is not accepted do not serve the collectors behind it.
TEST_F(BankRequestsTest, ACollectorThatAcceptsOneOperandHoldsTheOtherBanks) {
  enter(3, {1, 2});
  enter(6, {2});
  EXPECT_EQ(serve(kAllBanks, lowest), 1u);
  EXPECT_EQ(done, Collectors{});
  EXPECT_EQ(serve(kAllBanks, lowest), 1u);
  EXPECT_EQ(done, Collectors{3});
  EXPECT_EQ(serve(kAllBanks, lowest), 0u);
  EXPECT_EQ(done, Collectors{6});
}

}  // namespace
}  // namespace heddle::sm
