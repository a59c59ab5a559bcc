#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "report/page.h"
#include "report/page_details.h"
#include "report/page_template.h"
#include "report/run_page.h"
#include "report/study_page.h"
#include "sched/catalogue.h"
#include "tests/error_message.h"
#include "tests/lab/contestants.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

// The data inside a page, as a browser reads them.
ordered_json data_of(const std::string& html) {
  const std::string start = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = html.find(start) + start.size();
  return ordered_json::parse(html.substr(from, html.find("</script>", from) - from));
}

ordered_json statistic(const ordered_json& data, const std::string& key) {
  for (const ordered_json& one : data["statistics"])
    if (one["key"] == key) return one["values"];
  return nullptr;
}

PageRun run_with(const std::string& policy, const std::map<std::string, double>& values) {
  PageRun run;
  run.workload = "kmeans 34";
  run.gpu = "gtx480";
  run.policy = policy;
  run.values = values;
  return run;
}

ReportPage page_with(const std::vector<PageRun>& runs) {
  ReportPage page(ReportPage::Kind::study, "a study");
  page.declare_statistic("cycles", "cycles", "core cycles");
  page.declare_statistic("rare", "events", "an event of one policy");
  for (const PageRun& run : runs) page.add_run(run);
  return page;
}

TEST(ReportPage, KeepsTextsFromEndingTheScript) {
  ReportPage page(ReportPage::Kind::run, "</title><script>alert(1)</script> & more");
  page.add_finding("</script><!-- \"quoted\"");
  page.add_run(run_with("gto", {}));
  const std::string html = page.html();
  EXPECT_NE(html.find("<title>&lt;/title>&lt;script>alert(1)&lt;/script> &amp; more</title>"),
            std::string::npos);
  const ordered_json data = data_of(html);
  EXPECT_EQ(data["findings"][0], "</script><!-- \"quoted\"");
  EXPECT_EQ(data["title"], "</title><script>alert(1)</script> & more");
}

TEST(ReportPage, KeepsPagesValidWhenATextIsNotUtf8) {
  ReportPage page(ReportPage::Kind::run, "a run");
  page.add_finding("bad \xff byte");
  EXPECT_EQ(data_of(page.html())["findings"][0], "bad \xef\xbf\xbd byte");
}

TEST(ReportPage, MarksEstimatesAndHasTheirErrorBars) {
  PageRun sampled = run_with("gto", {{"cycles", 20}, {"rare", 1}});
  sampled.bars = {{"cycles", 2}};
  const ordered_json data = data_of(page_with({run_with("lrr", {{"cycles", 10}}), sampled}).html());
  EXPECT_EQ(data["statistics"][0]["bars"], ordered_json({nullptr, 2}));
  EXPECT_FALSE(data["statistics"][1].contains("bars"));
  const std::string mark = data["findings"][0];
  EXPECT_TRUE(mark.starts_with("Figures of 1 of 2 runs are estimates")) << mark;
  EXPECT_TRUE(data_of(page_with({run_with("lrr", {})}).html())["findings"].empty());
}

TEST(ReportPage, WritesEqualColumnsOnceAndRareValuesByRun) {
  const ordered_json data =
      data_of(page_with({run_with("lrr", {{"cycles", 10}}), run_with("gto", {{"cycles", 10}}),
                         run_with("ccws", {{"cycles", 10}, {"rare", 3}})})
                  .html());
  EXPECT_EQ(statistic(data, "cycles"), ordered_json({{"all", 10}}));
  EXPECT_EQ(statistic(data, "rare"), ordered_json::parse("{\"at\": [2], \"values\": [3]}"));
}

TEST(ReportPage, SharesOfIssueSlotsAddUpToOne) {
  const ordered_json data =
      data_of(page_with({run_with("lrr", {{"slots.issued", 1}, {"slots.idle", 3}}),
                         run_with("gto", {{"cycles", 10}}), run_with("srr", {{"slots.idle", 0}})})
                  .html());
  EXPECT_EQ(statistic(data, "slot_shares.issued"),
            ordered_json::parse("{\"at\": [0], \"values\": [0.25]}"));
  EXPECT_EQ(statistic(data, "slot_shares.idle"),
            ordered_json::parse("{\"at\": [0], \"values\": [0.75]}"));
}

TEST(ReportPage, RoundsFractionsToSevenDigitsAndKeepsIntegers) {
  const ordered_json data =
      data_of(page_with({run_with("lrr", {{"cycles", 123456789012}, {"rare", 1.0 / 3}}),
                         run_with("gto", {{"cycles", 5}, {"rare", 1}})})
                  .html());
  EXPECT_EQ(statistic(data, "cycles").dump(), "[123456789012,5]");
  EXPECT_EQ(statistic(data, "rare").dump(), "[0.3333333,1]");
}

TEST(ReportPage, OmitsStatisticsThatNoRunHas) {
  EXPECT_TRUE(
      statistic(data_of(page_with({run_with("lrr", {{"cycles", 1}})}).html()), "rare").is_null());
}

TEST(ReportPage, GivesRunsWithoutAParameterTheEmptyText) {
  PageRun with = run_with("gto", {});
  with.parameters = {{"sm.l1d.ways", "8"}};
  const ordered_json data = data_of(page_with({run_with("lrr", {}), with}).html());
  const ordered_json& ways = data["dimensions"][3];
  EXPECT_EQ(ways["key"], "sm.l1d.ways");
  EXPECT_EQ(ways["values"][ways["of"][0].get<std::size_t>()], "");
  EXPECT_EQ(ways["values"][ways["of"][1].get<std::size_t>()], "8");
}

TEST(ReportPage, RejectsReferencesThatNameWhatItDoesNotHave) {
  ReportPage page = page_with({run_with("lrr", {{"cycles", 1}})});
  page.set_references({"published.csv", "cycles", {"machine"}, {{{"a"}, 1.0}}});
  EXPECT_THROW(page.html(), UserError);
  page.set_references({"published.csv", "cyclse", {"policy"}, {{{"lrr"}, 1.0}}});
  EXPECT_THROW(page.html(), UserError);
  page.set_references({"published.csv", "cycles", {"policy"}, {{{"lrr"}, 2.0}}});
  EXPECT_EQ(data_of(page.html())["references"]["rows"], ordered_json::parse("[[\"lrr\", 2.0]]"));
}

TEST(ReportPage, UsesNoNetwork) {
  const std::string_view page = page_template();
  EXPECT_NE(page.find("default-src 'none'"), std::string_view::npos);
  for (const char* part : {"<link rel=\"stylesheet\"", "src=\"http", "import(", "@import"})
    EXPECT_EQ(page.find(part), std::string_view::npos) << part;
}

TEST(PageDetails, NamesEveryNumberOfTotalsByItsPath) {
  const std::map<std::string, double> expected{{"cycles", 5}, {"slots.issued", 2}};
  EXPECT_EQ(
      numbers_of({{"cycles", 5}, {"slots", {{"issued", 2}}}, {"lanes", {1, 2}}, {"name", "x"}}),
      expected);
}

TEST(RunPage, HasEveryContestantOfAComparison) {
  lab::Comparison comparison =
      lab::two(lab::contestant("lrr", {{"k", lab::figures(2000, 20, 900)}}),
               lab::contestant("gto", {{"k", lab::figures(1500, 60, 400)}}));
  comparison.request.gpu = "gtx480";
  comparison.request.program = {"folder/kmeans", "34"};
  const ordered_json data = data_of(page_of_comparison(comparison));
  EXPECT_EQ(data["kind"], "comparison");
  EXPECT_EQ(data["title"], "kmeans 34 under 2 policies");
  EXPECT_EQ(data["baseline"], "lrr");
  EXPECT_EQ(data["dimensions"][2]["values"], ordered_json({"lrr", "gto"}));
  EXPECT_EQ(statistic(data, "cycles"), ordered_json({2000, 1500}));
  EXPECT_EQ(data["details"]["0"]["kernels"]["rows"][0][0], "k");
  EXPECT_NE(data["findings"][0].get<std::string>().find("gto takes 25.0 % fewer cycles than lrr"),
            std::string::npos);
}

TEST(RunPage, ShowsTheProblemOfAContestantThatFailed) {
  lab::Comparison comparison =
      lab::two(lab::contestant("lrr", {{"k", lab::figures(2000, 20, 900)}}), lab::Contestant{});
  comparison.request.gpu = "gtx480";
  comparison.request.program = {"kmeans"};
  comparison.contestants[1].scheduler = "gto";
  comparison.contestants[1].outcome.problem = "the program was killed";
  const ordered_json data = data_of(page_of_comparison(comparison));
  EXPECT_EQ(data["problems"], ordered_json({{"1", "the program was killed"}}));
}

TEST(References, HaveAHeaderAndALinePerValue) {
  const PageReferences read =
      read_references("workload,policy,speed_up\n\"a, b\",gto,1.5\nc,ccws,2\n", "published.csv");
  EXPECT_EQ(read.statistic, "speed_up");
  EXPECT_EQ(read.columns, (std::vector<std::string>{"workload", "policy"}));
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(read.rows[0].first[0], "a, b");
  EXPECT_EQ(read.rows[1].second, 2.0);
}

TEST(References, RejectALineWithItsNumber) {
  const auto message = [](const std::string& text) -> std::string {
    return message_of([&] { read_references(text, "published.csv"); }, "");
  };
  EXPECT_EQ(message("policy,speed_up\ngto\n"),
            "published.csv, line 2: has 1 values; the header has 2");
  EXPECT_EQ(message("policy,speed_up\ngto,fast\n"),
            "published.csv, line 2: 'fast' is not a number");
  EXPECT_EQ(message("policy,speed_up\ngto,inf\n"), "published.csv, line 2: 'inf' is not a number");
  EXPECT_EQ(message("policy,speed_up\n"), "published.csv: there is no published value");
}

}  // namespace
}  // namespace heddle::report
