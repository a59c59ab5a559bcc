// trace_check FILE RUN_JSON: the trace follows the rules of the format and agrees with the
// statistics of the run. For a window that covers the whole run.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/report/trace_reader.h"

namespace {

void check_that(bool holds, const char* what) {
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
  check_that(issued == issuing, "issue slices differ from the warp instructions");
  check_that(ctas == totals["ctas"]["count"], "CTA slices differ from the CTAs");
  check_that(reads == totals["dram"]["reads"], "read slices differ from the DRAM's reads");
  check_that(activates == totals["dram"]["activates"],
             "activate slices differ from the DRAM's activates");
  check_that(!trace.samples.empty(), "no queue was sampled");
  // Input buffers of the networks fill, and are empty at the end.
  std::map<std::string, std::uint64_t> last, most;
  for (const auto& sample : trace.samples) {
    if (!sample.track.ends_with(" packets")) continue;
    last[sample.track] = sample.value;
    most[sample.track.substr(0, sample.track.find(' '))] += sample.value;
  }
  check_that(most["cluster"] > 0 && most["slice"] > 0, "no packet ever waits in a network");
  for (const auto& [track, value] : last)
    check_that(value == 0, "packets remain in a network's buffer");
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
