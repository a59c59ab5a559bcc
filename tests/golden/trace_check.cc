// trace_check FILE RUN_JSON: the trace follows the format's rules and shows what the run counted.
// For a window that holds the whole run.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/report/trace_reader.h"

namespace {

void expect(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void check(const heddle::test::Trace& trace, const nlohmann::json& totals) {
  std::uint64_t issued = 0, ctas = 0, reads = 0, activates = 0;
  for (const auto& slice : trace.slices) {
    issued += slice.name == "issue";
    ctas += slice.name.starts_with("CTA ");
    reads += slice.name == "read";
    activates += slice.name == "activate";
  }
  // Two instructions that a warp issues in one cycle share a slice.
  const std::uint64_t issuing = totals["warp_instructions"].get<std::uint64_t>() -
                                totals["sm"]["second_issues"].get<std::uint64_t>();
  expect(issued == issuing, "issue slices are not the warp instructions");
  expect(ctas == totals["ctas"]["count"], "CTA slices are not the CTAs");
  expect(reads == totals["dram"]["reads"], "read slices are not the DRAM's reads");
  expect(activates == totals["dram"]["activates"], "activate slices are not the DRAM's activates");
  expect(!trace.samples.empty(), "no queue was sampled");
  // What waits in the networks' inputs leaves them again.
  std::map<std::string, std::uint64_t> last, most;
  for (const auto& sample : trace.samples) {
    if (!sample.track.ends_with(" packets")) continue;
    last[sample.track] = sample.value;
    most[sample.track.substr(0, sample.track.find(' '))] += sample.value;
  }
  expect(most["cluster"] > 0 && most["slice"] > 0, "nothing ever waits in a network");
  for (const auto& [track, value] : last)
    expect(value == 0, "packets are left in a network's buffer");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: trace_check FILE RUN_JSON");
    std::ifstream file(argv[1], std::ios::binary), run(argv[2]);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    check(heddle::test::TraceReader().read(text), nlohmann::json::parse(run)["totals"]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "trace_check: " << error.what() << "\n";
    return 1;
  }
}
