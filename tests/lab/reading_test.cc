// Registered readings: what they change, and what not.
#include "lab/reproduction/reading.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

OpenParameter parameter_of(const std::string& value) {
  const toml::table table = parse_toml(
      "name = \"P\"\ndefault = \"d\"\nsource = \"s\"\n[[value]]\nname = \"other\"\n"
      "text = \"t\"\nsource = \"s\"\n" +
          value,
      "paper.toml");
  return read_parameter(table, "paper.toml");
}

Study runs_of(const std::string& schedulers, const std::string& rest = {}) {
  return read_study("runs.toml", "title = \"T\"\ngpus = [\"ipaws\"]\nschedulers = [" + schedulers +
                                     "]\n" + rest +
                                     "[[case]]\nname = \"A\"\nprogram = [\"bfs\", \"small\"]\n"
                                     "registers = [\"k=20\"]\n");
}

TEST(Readings, ChangeMachineAndProgramsOfAllRuns) {
  const OpenParameter parameter = parameter_of(
      "set = [\"sm.l1i.size=2KiB\"]\ngpus = {ipaws = \"ipaws_hash\"}\n"
      "programs = {A = [\"bfs\", \"64\"]}\nfull = {A = [\"bfs\", \"999\"]}\nregisters = {A = "
      "[\"k=32\"]}\n");
  Study study = runs_of("\"gto\"");
  PaperReading({parameter}, "other").apply_to(study);
  EXPECT_EQ(study.name, "runs@other");
  EXPECT_EQ(study.cases[0].run.gpu, "ipaws_hash");
  EXPECT_EQ(study.cases[0].run.overrides, std::vector<std::string>{"sm.l1i.size=2KiB"});
  EXPECT_EQ(study.cases[0].run.program, (std::vector<std::string>{"bfs", "64"}));
  EXPECT_EQ(study.cases[0].run.registers, std::vector<std::string>{"k=32"});
  Study large = runs_of("\"gto\"");
  PaperReading({parameter}, "other").apply_to(large, true);
  EXPECT_EQ(large.cases[0].run.program, (std::vector<std::string>{"bfs", "999"}));
  EXPECT_EQ(study.schedulers_of("gto"), std::vector<std::string>{"gto"});
}

TEST(Readings, OptionsRunUnderTheNamesOfTheRows) {
  const OpenParameter parameter = parameter_of("options = {ipaws = \"stall_of=each_passed\"}\n");
  Study study = runs_of(
      "\"gto\", \"ipaws\", \"ipaws:recover=no\", \"ipaws:stall_of=oldest_ready\", "
      "\"swl:warps=4+ipaws\"",
      "[best_of]\nbest = [\"ipaws:greedy=ccws\", \"gto\"]\n");
  PaperReading({parameter}, "other").apply_to(study);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(study.schedulers_of("gto"), Texts{"gto"});
  EXPECT_EQ(study.schedulers_of("ipaws"), Texts{"ipaws:stall_of=each_passed"});
  EXPECT_EQ(study.schedulers_of("ipaws:recover=no"),
            Texts{"ipaws:stall_of=each_passed,recover=no"});
  EXPECT_EQ(study.schedulers_of("ipaws:stall_of=oldest_ready"),
            Texts{"ipaws:stall_of=oldest_ready"});
  EXPECT_EQ(study.schedulers_of("swl:warps=4+ipaws"),
            Texts{"swl:warps=4+ipaws:stall_of=each_passed"});
  EXPECT_EQ(study.schedulers_of("best"), (Texts{"ipaws:stall_of=each_passed,greedy=ccws", "gto"}));
  EXPECT_EQ(study.cases[0].schedulers.at(1), "ipaws:stall_of=each_passed");
}

TEST(Readings, ChangeStatisticsOfClaims) {
  Measure measure;
  measure.gpu = "ipaws";
  measure.statistic = "first_warp.l1d.hits / first_warp.l1d.accesses";
  PaperReading({parameter_of("statistics = {\"first_warp.\" = \"\"}\n")}, "other")
      .apply_to(measure);
  EXPECT_EQ(measure.statistic, "l1d.hits / l1d.accesses");
  EXPECT_EQ(measure.gpu, "ipaws");
}

TEST(Readings, ThatAreNotRegisteredAreErrors) {
  const OpenParameter parameter = parameter_of("");
  EXPECT_TRUE(PaperReading({parameter}, "").is_default());
  EXPECT_FALSE(PaperReading({parameter}, "other").is_default());
  EXPECT_THROW(PaperReading({parameter}, "other+none"), UserError);
  EXPECT_THROW(parse_toml("name = ", "f"), UserError);
}

}  // namespace
}  // namespace heddle::lab
