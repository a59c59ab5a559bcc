#include "cuda/process/run_results.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/input_file.h"
#include "config/config.h"

namespace heddle::cuda {
namespace {

class Results : public testing::Test {
 protected:
  Results() {
    spec.gpu = config::load_gpu("gtx480");
    spec.result_path = testing::TempDir() + "heddle_results_" + std::to_string(::getpid());
  }
  void TearDown() override { std::filesystem::remove(spec.result_path); }

  config::RunSpec spec;
  RunResults results;
};

TEST_F(Results, AreWantedOnlyWhereTheSpecificationNamesAFile) {
  EXPECT_FALSE(results.wanted());  // there is no device
  results.begin(spec);
  EXPECT_TRUE(results.wanted());
  EXPECT_TRUE(results.unwritten());
  config::RunSpec none = spec;
  none.result_path.clear();
  results.begin(none);
  EXPECT_FALSE(results.wanted());
}

TEST_F(Results, SayHowTheRunEnded) {
  gpu::Device device(spec);
  results.begin(spec);
  results.write(device, nullptr, "interrupted", "interrupted before the first launch", 7);
  const auto json = nlohmann::json::parse(read_file(spec.result_path));
  EXPECT_EQ(json.at("status"), "interrupted");
  EXPECT_EQ(json.at("diagnostic"), "interrupted before the first launch");
  EXPECT_EQ(json.at("elapsed_times"), 7);
  EXPECT_EQ(results.launches(), 0u);
}

}  // namespace
}  // namespace heddle::cuda
