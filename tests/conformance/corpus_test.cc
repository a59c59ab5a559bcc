// Every case of the corpus on Heddle, compared with the reference result.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "exec/state/launch.h"
#include "ptx/module.h"
#include "tests/conformance/images.h"
#include "tests/conformance/results.h"

namespace heddle::conformance {
namespace {

const std::string kFolder = std::string(HEDDLE_SOURCE_DIR) + "/tests/conformance/corpus";

Results run_on_heddle(const std::vector<Case>& cases, bool compiled = false) {
  const ptx::Module module = ptx::Module::parse(module_text(cases), "corpus.ptx");
  exec::GlobalMemory memory{std::uint64_t{16} << 20};
  const Address in = memory.allocate(4 * kVectors * 8, "operands"),
                out = memory.allocate(kVectors * 8, "results");
  Results results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto operands = operand_vectors(cases[i]);
    for (std::size_t o = 0; o < operands.size(); ++o)
      std::memcpy(memory.host(in) + o * kVectors * 8, operands[o].data(), kVectors * 8);
    const ptx::Kernel kernel = module.lower("case_" + std::to_string(i), {});
    exec::Launch launch;
    launch.kernel = &kernel;
    launch.grid = {static_cast<std::uint32_t>(kVectors / 128), 1, 1};
    launch.block = {128, 1, 1};
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &in.value, 8);
    std::memcpy(launch.parameters.data() + 8, &out.value, 8);
    launch.host.compile_after = compiled ? 0 : ~std::uint64_t{0};
    exec::run_functionally(launch, memory, {});
    results.emplace_back(kVectors);
    std::memcpy(results.back().data(), memory.host(out), kVectors * 8);
  }
  return results;
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, AgreesWithTheManual) {
  const std::vector<Case> cases = read_corpus(kFolder, GetParam());
  ASSERT_FALSE(cases.empty());
  RecordProperty("cases", static_cast<int>(cases.size()));
  const Results results = run_on_heddle(cases);
  EXPECT_EQ(differences(cases, results), "");
  EXPECT_TRUE(run_on_heddle(cases, true) == results);
}
INSTANTIATE_TEST_SUITE_P(Families, Corpus, testing::ValuesIn(families()),
                         [](const auto& family) { return family.param; });

TEST(Families, HaveTheirNumberOfCasesOnThePage) {
  std::stringstream page;
  page << std::ifstream(std::string(HEDDLE_SOURCE_DIR) + "/docs/conformance.md").rdbuf();
  const auto check_row = [&](const std::string& family, std::size_t cases) {
    const std::string row = "\n| " + family + " | " + std::to_string(cases) + " |";
    EXPECT_NE(page.str().find(row), std::string::npos) << "docs/conformance.md lacks" << row;
  };
  for (const std::string& family : families())
    check_row(family, read_corpus(kFolder, family).size());
  for (const std::string& family : image_families())
    check_row(family, read_images(kFolder + "/../images", family).size());
}

TEST(CorpusFile, ExpandsChoices) {
  const auto cases = expand_line("{u16,s32} = 2 : {add,sub}.%T %d, %a, %b;", "here");
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[3].statements, "sub.s32 %d, %a, %b;");
  EXPECT_EQ(cases[3].key, "sub.s32");
  EXPECT_EQ(expand_line("u32 = 1 : {a,b}.x; {a,b}c.y; | k.{a,b}", "here").size(), 2u);
  EXPECT_EQ(expand_line("u32 = 1 : f.{a,b}.{a,b} %d, {%a, %a};", "here").size(), 4u);
}

TEST(CorpusFile, AWrongResultIsDetected) {
  std::vector<Case> cases = expand_line("u32 = 2 : add.u32 %d, %a, %b;", "here");
  Results results = run_on_heddle(cases);
  EXPECT_EQ(differences(cases, results), "");
  results[0][77] ^= 1;
  EXPECT_NE(differences(cases, results).find("(1 of "), std::string::npos);
  cases[0].key = "nonsense.u32";
  EXPECT_NE(differences(cases, results), "");
}

}  // namespace
}  // namespace heddle::conformance
