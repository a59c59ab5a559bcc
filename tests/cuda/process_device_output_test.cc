#include "cuda/process/device_output.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace heddle::cuda {
namespace {

TEST(DeviceOutput, PrintsWhatCameBeforeAFaultAfterWhatTheDeviceHas) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  gpu::Device device(spec);
  DeviceOutput output;
  testing::internal::CaptureStdout();
  output.show_printed(device, "before the fault\n", 1024);
  output.show_printed(device, "", 1024);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before the fault\n");
}

TEST(DeviceOutput, ClearsOnlyAProgressLineThatIsVisible) {
  DeviceOutput output;
  testing::internal::CaptureStderr();
  output.clear_line();
  output.progress().begin(1);
  output.progress().show(gpu::KernelResult{});
  output.clear_line();
  output.clear_line();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.rfind("\r\033[K"), text.size() - 4) << text;
  EXPECT_EQ(text.find("\r\033[K"), text.rfind("\r\033[K"));
}

}  // namespace
}  // namespace heddle::cuda
