#include "config/parameter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/config.h"
#include "tests/error_message.h"

namespace heddle::config {
namespace {

std::string value_of(const std::string& key, const GpuSpec& gpu) {
  const std::vector<GpuParameterInfo> all = list_parameters(gpu);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.key == key; });
  return found == all.end() ? "no such key" : found->value;
}

TEST(Parameter, WholeKibibytesAreWrittenWithTheLargestSuffix) {
  GpuSpec gpu = load_gpu("gtx480");
  const std::pair<std::uint64_t, const char*> rows[] = {
      {1, "1"},          {1000, "1000"},     {1023, "1023"},
      {1024, "1KiB"},    {1025, "1025"},     {1536, "1536"},
      {2048, "2KiB"},    {1 << 20, "1MiB"},  {3 << 19, "1536KiB"},
      {3 << 20, "3MiB"}, {1u << 30, "1GiB"}, {(1u << 30) + 1024, "1048577KiB"}};
  for (const auto& [bytes, text] : rows) {
    gpu.memory_bytes = bytes;
    EXPECT_EQ(value_of("memory_size", gpu), text);
  }
}

TEST(Parameter, SizesHaveASuffixOrNone) {
  for (const auto& [text, bytes] : {std::pair<const char*, std::uint64_t>{"2097152", 2u << 20},
                                    {"2048KiB", 2u << 20},
                                    {"2MiB", 2u << 20},
                                    {"1GiB", 1u << 30}})
    EXPECT_EQ(load_gpu("gtx480", {std::string("memory_size=") + text}).memory_bytes, bytes);
  for (const char* wrong : {"2.5MiB", "MiB", "-1", "2 TiB", "1023KiB", ""})
    EXPECT_NE(message_of([&] { load_gpu("gtx480", {std::string("memory_size=") + wrong}); }, ""),
              "")
        << wrong;
}

TEST(Parameter, ATruthHasFourWordsEach) {
  for (const char* yes : {"true", "yes", "on", "1"})
    EXPECT_EQ(value_of("memory.flush_l2_at_kernel_end",
                       load_gpu("gtx480", {std::string("memory.flush_l2_at_kernel_end=") + yes})),
              "true");
  for (const char* no : {"false", "no", "off", "0"})
    EXPECT_EQ(value_of("memory.flush_l2_at_kernel_end",
                       load_gpu("gtx480", {std::string("memory.flush_l2_at_kernel_end=") + no})),
              "false");
  EXPECT_NE(message_of([] { load_gpu("gtx480", {"memory.flush_l2_at_kernel_end=perhaps"}); }, ""),
            "");
}

}  // namespace
}  // namespace heddle::config
