// Damaged PTX is accepted, or refused with file, line and column; the parser never crashes.
// tests/fuzz has all readers.
#include <gtest/gtest.h>

#include "tests/fuzz/ptx_mutator.h"
#include "tests/ptx/fuzz_texts.h"

namespace heddle::ptx {
namespace {

std::vector<std::string> texts() { return fuzzed_texts(); }

bool names_a_place(const std::string& message) {
  const std::size_t first = message.find("t.ptx:");
  return first != std::string::npos && first + 6 < message.size() && message[first + 6] >= '1' &&
         message[first + 6] <= '9';
}

TEST(Fuzz, TheInitialTextsAreAccepted) {
  for (const std::string& text : texts()) EXPECT_EQ(complaint(text), "");
}

TEST(Fuzz, EveryRefusalHasAPlace) {
  const fuzz::PtxMutator mutator(texts());
  fuzz::Random random(2026);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = mutator.next(random), message = complaint(text);
    if (message.empty()) continue;
    ++refused;
    ASSERT_TRUE(names_a_place(message)) << message << "\n" << text;
  }
  EXPECT_GT(refused, 2000);
}

TEST(Fuzz, ASurveyReportsTheFirstRefusalOfDamagedText) {
  const fuzz::PtxMutator mutator(texts());
  fuzz::Random random(7);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = mutator.next(random);
    std::vector<std::string> refusals;
    const Module module = Module::survey(text, "t.ptx", refusals);
    try {
      Module::parse(text, "t.ptx");
    } catch (const UserError& first) {
      ASSERT_FALSE(refusals.empty()) << first.what();
    }
    for (const std::string& kernel : module.kernel_names()) {
      try {
        module.lower(kernel, place(module));
      } catch (const UserError&) {}
    }
  }
}

TEST(Survey, ContinuesAfterARefusedStatement) {
  std::vector<std::string> refusals;
  const Module module = Module::survey(kernel_text("tcgen05.wait::ld.sync.aligned;\nadd.s32 "
                                                   "%r1, %r2, 3;\nwmma.load.a %r1;\nbra NOWHERE;"),
                                       "t.ptx", refusals);
  ASSERT_EQ(refusals.size(), 3u);
  EXPECT_TRUE(refusals[0].starts_with("t.ptx:10:1: unsupported instruction 'tcgen05"))
      << refusals[0];
  EXPECT_TRUE(refusals[1].starts_with("t.ptx:12:1:")) << refusals[1];
  EXPECT_EQ(module.kernel_names(), std::vector<std::string>{"k"});
}

}  // namespace
}  // namespace heddle::ptx
