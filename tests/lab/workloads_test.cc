#include "lab/workloads.h"

#include <gtest/gtest.h>

namespace heddle::lab {
namespace {

TEST(Workloads, ThePaperIsFoundByItsNameInAnyCase) {
  Workload workload;
  workload.papers = {"iPAWS", "CTA mapping"};
  EXPECT_TRUE(is_measured_by(workload, "ipaws"));
  EXPECT_TRUE(is_measured_by(workload, "ctamap"));
  EXPECT_TRUE(is_measured_by(workload, "CTA mapping"));
  EXPECT_FALSE(is_measured_by(workload, "daws"));
  EXPECT_FALSE(is_measured_by(workload, ""));
}

}  // namespace
}  // namespace heddle::lab
