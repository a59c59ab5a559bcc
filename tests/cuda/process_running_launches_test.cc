#include "cuda/process/running_launches.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

TEST(RunningLaunches, AreNamedWhileTheDeviceSimulates) {
  isa::Kernel spmv, scan;
  spmv.name = "_Z4spmvPi";
  scan.name = "scan";
  RunningLaunches running;
  running.begin(4, &scan);
  running.begin(3, &spmv);
  EXPECT_EQ(running.text(), "");  // the host runs
  running.set_simulates(true);
  EXPECT_EQ(running.text(), "launch 3 (spmv), launch 4 (scan)");
  EXPECT_TRUE(running.end(3));
  EXPECT_FALSE(running.end(5));  // the end of a graph
  EXPECT_EQ(running.text(), "launch 4 (scan)");
  running.clear();
  EXPECT_EQ(running.text(), "");
}

}  // namespace
}  // namespace heddle::cuda
