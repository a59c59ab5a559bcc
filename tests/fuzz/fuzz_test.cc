// Readers of bytes from outside survive damaged inputs. build/bin/fuzz runs the same for longer.
#include <gtest/gtest.h>

#include "tests/fuzz/runner.h"

namespace heddle::fuzz {
namespace {

class Readers : public testing::TestWithParam<const char*> {
 protected:
  static const Target& target() {
    static const auto targets = all_targets();
    const auto named = [](const auto& one) { return one->name() == GetParam(); };
    return **std::find_if(targets.begin(), targets.end(), named);
  }
};

TEST_P(Readers, AcceptTheirInitialInputs) {
  EXPECT_EQ(refused_inputs(target()), std::vector<std::string>{});
}

TEST_P(Readers, AcceptOrRefuseDamagedInputs) {
  const Report report = run(target(), {2026, 0, 300});
  EXPECT_EQ(report.findings, std::vector<std::string>{});
  EXPECT_EQ(report.accepted + report.refused + report.faulted + report.stopped, report.read);
  EXPECT_GT(report.refused, 30U);
}

INSTANTIATE_TEST_SUITE_P(Of, Readers,
                         testing::Values("modules", "fat_binaries", "cubins", "programs",
                                         "captures", "studies", "gpus", "hints", "kernels",
                                         "traces", "stores", "results", "originals", "timelines",
                                         "references", "options"),
                         [](const auto& named) { return std::string(named.param); });

// A reader that is at fault is found, whatever it does.
class Faulty final : public PlainTarget {
 public:
  Faulty() : PlainTarget({"input"}) {}
  std::string name() const override { return "faulty"; }
  std::string meaning() const override { return "a reader with every fault"; }
  std::string damaged(Random& random) const override { return std::to_string(random.below(4)); }
  void read(const std::string& path) const override;
};

void Faulty::read(const std::string& path) const {
  std::ifstream file(path);
  int which = 0;
  file >> which;
  if (which == 0) std::abort();
  if (which == 1) throw std::runtime_error("who?");
  if (which == 2) std::ofstream("other") << "x";
}

TEST(Runner, FindsAbortsAnonymousRefusalsAndOtherFiles) {
  const Report report = run(Faulty(), {1, 0, 40});
  const auto found = [&](const std::string& what) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const std::string& one) { return one.find(what) != std::string::npos; });
  };
  EXPECT_TRUE(found("Aborted"));
  EXPECT_TRUE(found("a refusal without the file: who?"));
  EXPECT_TRUE(found("it made "));
  EXPECT_EQ(report.accepted + report.findings.size(), 40U);
}

}  // namespace
}  // namespace heddle::fuzz
