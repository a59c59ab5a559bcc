#include "cuda/capture/record_sink.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "tests/cuda/recorded_file.h"

namespace heddle::cuda {
namespace {

NotifyAllocation bytes_at(std::uint64_t address) { return {Address{address}, 0}; }

using RecordSinks = RecordingTest;

TEST_F(RecordSinks, EffectsBelongToTheOperationThatRuns) {
  sink.add(IssueOperation{1, {}, false, false, {}, {}, 0});
  sink.add(IssueOperation{2, {}, false, false, {}, {}, 0});
  sink.add_effect(bytes_at(1));
  sink.operation_begins(1);
  sink.add_effect(bytes_at(2));
  sink.operation_begins(2);
  sink.add_effect(bytes_at(3));
  sink.operation_ended({});
  sink.operation_ended({});
  const auto all = records();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(effect_of<NotifyAllocation>(all[2]).address.value, 1u);
  const auto& inner = std::get<RunOperation>(all[3]);
  const auto& outer = std::get<RunOperation>(all[4]);
  EXPECT_EQ(inner.id, 2u);
  EXPECT_EQ(std::get<NotifyAllocation>(inner.effects.at(0)).address.value, 3u);
  EXPECT_EQ(outer.id, 1u);
  EXPECT_EQ(std::get<NotifyAllocation>(outer.effects.at(0)).address.value, 2u);
}

TEST_F(RecordSinks, AnOperationWithoutEffectsIsRecordedOnlyForACopyEngine) {
  sink.add(IssueOperation{1, {}, false, false, {}, {}, 0});
  sink.operation_begins(1);
  sink.operation_ended({});
  sink.operation_begins(1);
  sink.operation_ended(gpu::CopyRequest{gpu::CopyRequest::Direction::from_device, 64, true});
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  const auto& run = std::get<RunOperation>(all[1]);
  ASSERT_TRUE(run.engine_copy);
  EXPECT_FALSE(run.engine_copy->to_device);
  EXPECT_TRUE(run.engine_copy->pageable);
  EXPECT_EQ(run.engine_copy->bytes, 64u);
}

TEST_F(RecordSinks, ReadsOfTheOutputThatFollowEachOtherAreOne) {
  sink.read_output();  // nothing has run
  sink.add_effect(bytes_at(1));
  sink.read_output();
  sink.read_output();
  sink.operation_begins(1);
  sink.read_output();  // not by the host
  sink.operation_ended({});
  EXPECT_EQ(records().size(), 2u);
}

TEST_F(RecordSinks, NothingIsRecordedWhileAHostFunctionRuns) {
  sink.set_in_host_function(true);
  sink.read_output();
  EXPECT_THROW(sink.add_effect(bytes_at(1)), UserError);
  sink.set_in_host_function(false);
  sink.add_effect(bytes_at(1));
  EXPECT_EQ(records().size(), 1u);
}

TEST_F(RecordSinks, AFileIsCompletedAgainOnlyAfterAChange) {
  EXPECT_EQ(records().size(), 0u);
  std::filesystem::remove(file.path);
  sink.finish(RecordedFile::info());
  EXPECT_FALSE(file.exists());
  sink.add_effect(bytes_at(1));
  EXPECT_EQ(records().size(), 1u);
}

}  // namespace
}  // namespace heddle::cuda
