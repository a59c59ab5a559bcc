#include "cuda/capture/captured_kernels.h"

#include <gtest/gtest.h>

#include "cuda/capture/record_sink.h"
#include "tests/cuda/recorded_file.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

const std::string kTwoKernels =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 counter;\n"
    ".visible .entry first()\n{\n  ret;\n}\n.visible .entry second()\n{\n  ret;\n}\n";

class Captured : public testing::Test {
 protected:
  Captured() {
    RecordSink sink(file.path);
    const auto* const text = reinterpret_cast<const std::uint8_t*>(kTwoKernels.data());
    module.texts = {{"a (PTX)", sink.store(text, kTwoKernels.size())}};
    module.addresses = {{"counter", Address{0x1000}}};
    module.kernels = {"first", "second"};
    sink.finish(RecordedFile::info());
    capture.emplace(file.path);
  }
  const CaptureFile::Content& content() const { return capture->content(); }

  RecordedFile file;
  LoadModule module;
  std::optional<CaptureFile> capture;
  CapturedKernels kernels;
};

TEST_F(Captured, AKernelIsLoweredOnceForAllPlayers) {
  LoadModule again = module;
  kernels.add(0, module);
  const isa::Kernel* const first = kernels.kernel(content(), 0, "first");
  EXPECT_EQ(first->name, "first");
  kernels.add(0, again);  // the next player
  EXPECT_EQ(kernels.kernel(content(), 0, "first"), first);
  EXPECT_NE(kernels.kernel(content(), 0, "second"), first);
  EXPECT_EQ(kernels.target_of(*first), 75);
}

TEST_F(Captured, AKernelOfAnotherProgramHasNoTargetAndFindsNoKernel) {
  kernels.add(0, module);
  const isa::Kernel stranger{};
  EXPECT_EQ(kernels.target_of(stranger), 0);
  EXPECT_EQ(kernels.kernel_at(content(), stranger, 0x1000), nullptr);
}

TEST_F(Captured, AModuleNeedsTheAddressesOfItsVariables) {
  module.addresses.clear();
  kernels.add(0, module);
  EXPECT_EQ(message_of([&] { kernels.kernel(content(), 0, "first"); }),
            "the module a (PTX) has no address for counter");
}

}  // namespace
}  // namespace heddle::cuda
