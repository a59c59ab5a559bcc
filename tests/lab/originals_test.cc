// Original programs of suites: recipes, builds from a checkout, and their use in studies. The suite
// of these tests is made up.
#include "lab/originals/build.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lab/originals/manifest.h"
#include "lab/originals/recipes.h"
#include "lab/process.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecipeHead = "title = \"Small\"\nmarks = [\"src/one.cu\"]\n";
constexpr const char* kOneRecipe =
    "[[program]]\nname = \"one\"\nfolder = \"src\"\nsources = [\"one.cu\"]\n";

class Originals : public ::testing::Test {
 protected:
  SuiteRecipe read(const std::string& text) {
    write_file_atomically(folder_.file("recipes/small.toml"), text);
    return read_suite(folder_.file("recipes"), "small");
  }
  std::string mistake(const std::string& text) {
    return message_of([&] { read(text); });
  }
  TemporaryFolder folder_;
};

TEST_F(Originals, MistakesInARecipeAreNamedWithTheirLines) {
  EXPECT_EQ(read(std::string(kRecipeHead) + kOneRecipe).programs.size(), 1u);
  EXPECT_NE(mistake(kRecipeHead).find("there is no [[program]]"), std::string::npos);
  EXPECT_NE(mistake(std::string("title = \"Small\"\n") + kOneRecipe).find("marks is missing"),
            std::string::npos);
  EXPECT_NE(
      mistake(std::string(kRecipeHead) + kOneRecipe + "flags = [\"-O1\"]\n").find("small.toml:7"),
      std::string::npos);
  EXPECT_NE(mistake(std::string(kRecipeHead) + kOneRecipe + kOneRecipe).find("two programs one"),
            std::string::npos);
  EXPECT_NE(mistake(std::string(kRecipeHead) + "[[program]]\nname = \"one\"\nfolder = \"src\"\n")
                .find("sources is missing"),
            std::string::npos);
  EXPECT_NE(message_of([&] { read_suite(folder_.file("recipes"), "large"); }).find("suites: small"),
            std::string::npos);
}

TEST_F(Originals, AFolderWithoutTheMarksIsRefused) {
  const SuiteRecipe suite = read(std::string(kRecipeHead) + kOneRecipe);
  SuiteBuildOptions options;
  options.out = folder_.file("out");
  options.from = folder_.file("nothing");
  const auto build = [&] { build_suite(suite, options, [](const BuiltOriginal&) {}); };
  EXPECT_NE(message_of(build).find("there is no such folder"), std::string::npos);
  options.from = folder_.file("recipes");
  EXPECT_NE(message_of(build).find("is not a checkout of Small: it has no src/one.cu"),
            std::string::npos);
  write_file_atomically(folder_.file("recipes/src/one.cu"), "");
  options.programs = {"two"};
  EXPECT_NE(message_of(build).find("Small has no program two; programs: one"), std::string::npos);
}

TEST_F(Originals, AreNotBuiltIntoAFolderOfTheUser) {
  const SuiteRecipe suite = read(std::string(kRecipeHead) + kOneRecipe);
  write_file_atomically(folder_.file("recipes/src/one.cu"), "");
  write_file_atomically(folder_.file("out/small/thesis.txt"), "precious");
  SuiteBuildOptions options;
  options.out = folder_.file("out");
  options.from = folder_.file("recipes");
  EXPECT_NE(message_of([&] {
              build_suite(suite, options, [](const BuiltOriginal&) {});
            }).find("out/small: this folder has files and was not made by heddle suite build"),
            std::string::npos);
  EXPECT_EQ(read_file(folder_.file("out/small/thesis.txt")), "precious");
}

TEST_F(Originals, AListOfOtherTypesIsRefusedWithItsPlace) {
  const std::string file = folder_.file("out/small/originals.json");
  const auto message = [&](const std::string& list) {
    write_file_atomically(file, list);
    return message_of([&] { read_originals(folder_.file("out")); });
  };
  EXPECT_EQ(message(R"({"format":1})"), file + ": /suite is missing");
  EXPECT_EQ(message(R"({"format":1,"suite":"small","programs":[]})"),
            file + ": /programs must be an object, but is a list");
  EXPECT_EQ(message(R"({"format":1,"suite":"s","programs":{"one":{"ours":1,"arguments":{}}}})"),
            file + ": /programs/one/ours must be a text, but is a number");
  EXPECT_EQ(message(R"({"format":1,"suite":"s","programs":{"../x":{"ours":"","arguments":{}}}})"),
            file + ": the program '../x' is not in the folder of the suite");
  EXPECT_EQ(message("{\n\"format\": 1,,"), file + ":2: this is not JSON");
  EXPECT_NE(message("{}").find("build the suite again"), std::string::npos);
}

TEST_F(Originals, AStudyRunsThemInPlaceOfTheProgramsThatTheyStandFor) {
  SuiteBuild build;
  build.suite = read(std::string(kRecipeHead) + kOneRecipe +
                     "ours = \"rodinia/one\"\nsmall = [\"8\", \"{from}/data\"]\n" +
                     "[[program]]\nname = \"two\"\nunsupported = \"it needs a library\"\n");
  build.from = "/checkout";
  build.folder = folder_.file("out/small");
  build.programs = {{build.suite.programs[0], OriginalState::built, "", "", "x"},
                    {build.suite.programs[1], OriginalState::unsupported, "", "", ""}};
  write_manifest(build);
  EXPECT_TRUE(read_originals(folder_.file("out")).empty());  // the executable is missing
  write_file_atomically(folder_.file("out/small/one"), "");
  ASSERT_TRUE(has_originals(folder_.file("out")));
  const auto originals = read_originals(folder_.file("out"));
  ASSERT_EQ(originals.size(), 1u);

  Study study;
  study.name = "runs";
  study.cases.resize(2);
  study.cases[0].workload = "ONE";
  study.cases[0].run.program = {"rodinia/one", "small"};
  study.cases[1].workload = "BFS";
  study.cases[1].run.program = {"bfs", "small"};
  Study paper = study;
  const auto used = use_originals(study, originals, "small");
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[0].original, "small/one");
  EXPECT_EQ(used[1].original, "");
  EXPECT_EQ(study.name, "runs-originals");
  EXPECT_EQ(study.cases[0].run.program,
            (std::vector<std::string>{folder_.file("out/small/one"), "8", "/checkout/data"}));
  EXPECT_EQ(study.cases[1].run.program, (std::vector<std::string>{"bfs", "small"}));
  // Arguments that the case gives replace those of the recipe, at size small.
  Study given = paper;
  given.cases[0].original = {"small/one", "16"};
  given.cases[1].original = {"small/none", "4"};
  EXPECT_EQ(use_originals(given, originals, "small")[1].original, "");
  EXPECT_EQ(given.cases[0].run.program,
            (std::vector<std::string>{folder_.file("out/small/one"), "16"}));
  EXPECT_EQ(given.cases[1].run.program, (std::vector<std::string>{"bfs", "small"}));
  given.cases[0].run.program = {"rodinia/one", "small"};
  EXPECT_EQ(use_originals(given, originals, "paper")[0].original, "");
  // Without arguments of the size, Heddle's program runs.
  EXPECT_EQ(use_originals(paper, originals, "paper")[0].original, "");
}

TEST_F(Originals, AProgramThatNoLongerBuildsIsTakenFromTheList) {
  SuiteBuild build;
  build.suite = read(std::string(kRecipeHead) + kOneRecipe);
  build.folder = folder_.file("out/small");
  build.programs = {{build.suite.programs[0], OriginalState::built, "", "", "x"}};
  write_manifest(build);
  write_file_atomically(folder_.file("out/small/one"), "");
  EXPECT_EQ(read_originals(folder_.file("out")).size(), 1u);
  build.programs[0].state = OriginalState::failed;
  write_manifest(build);
  EXPECT_TRUE(read_originals(folder_.file("out")).empty());
}

// The recipes that Heddle comes with can be read, and what they stand for is in the catalogue.
TEST(Recipes, OfTheSuitesAreWellFormed) {
  const std::string recipes = HEDDLE_SOURCE_DIR "/workloads/originals";
  EXPECT_EQ(list_suites(recipes),
            (std::vector<std::string>{"ispass", "parboil", "polybench", "rodinia", "shoc"}));
  for (const std::string& name : list_suites(recipes)) {
    for (const OriginalRecipe& program : read_suite(recipes, name).programs) {
      const fs::path ours = fs::path(HEDDLE_SOURCE_DIR "/workloads") / (program.ours + ".cu");
      EXPECT_TRUE(program.ours.empty() || fs::exists(ours)) << name << ": " << program.name;
    }
  }
}

}  // namespace
}  // namespace heddle::lab
