#include "cuda/replay/trace_player.h"

#include <gtest/gtest.h>

#include "config/config.h"
#include "tests/trace/trace_text.h"

namespace heddle::cuda {
namespace {

const trace::Lines kLines{"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7fb0fc400000 4 ",
                          "0010 ffffffff 1 R5 TEX 1 R4 0 ", "0020 ffffffff 0 EXIT 0 0 "};

std::string kernel_in_stream(int stream) {
  std::string head = trace::head(4);
  const std::string line = "cuda stream id = 0";
  head.replace(head.find(line), line.size(), fmt::format("cuda stream id = {}", stream));
  return head + trace::cta("0,0,0", trace::warp(0, kLines));
}

class PlayTraces : public testing::Test {
 protected:
  // Replays two kernels in these streams.
  void play(int first, int second) {
    trace::write_file(folder_.file("kernel-1.traceg"), kernel_in_stream(first));
    trace::write_file(folder_.file("kernel-2.traceg"), kernel_in_stream(second));
    const std::string list =
        trace::write_file(folder_.file("kernelslist.g"),
                          "MemcpyHtoD,0x00007fb0fc400000,4096\nkernel-1.traceg\nkernel-2.traceg\n");
    config::RunSpec spec;
    spec.gpu = config::load_gpu("rtx2060", {});
    spec.scheduler = "lrr";
    gpu::Device device(spec);
    TracePlayer player(list, device,
                       {[](const auto&) {}, [&](const std::string& w) { warnings_ += w; }});
    while (player.proceed() == ReplayedProgram::State::waits) {
      const gpu::Device::Finished finished = device.advance();
      for (const std::uint64_t copy : finished.copies) EXPECT_TRUE(player.copy_finished(copy));
      for (const std::uint64_t launch : finished.launches)
        EXPECT_TRUE(player.launch_finished(launch));
    }
    results_ = device.results();
    ASSERT_EQ(results_.size(), 2u);
  }

  TemporaryFolder folder_;
  std::vector<gpu::KernelResult> results_;
  std::string warnings_;
};

TEST_F(PlayTraces, KernelsOfOneStreamFollowEachOther) {
  play(0, 0);
  EXPECT_GE(results_[1].start, results_[0].start + results_[0].cycles);
}

TEST_F(PlayTraces, KernelsOfSeveralStreamsOverlap) {
  play(7, 8);
  EXPECT_LT(results_[1].start, results_[0].start + results_[0].cycles);
}

TEST_F(PlayTraces, AKernelThatReadsTexturesIsReportedOnce) {
  play(0, 0);
  EXPECT_EQ(warnings_.find("reads textures"), warnings_.rfind("reads textures"));
  EXPECT_NE(warnings_.find("reads textures"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cuda
