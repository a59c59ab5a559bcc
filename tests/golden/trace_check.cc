// trace_check FILE RUN_JSON: the trace follows the format's rules and shows what the run counted. For a window that holds the whole run.
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

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
  expect(issued == totals["warp_instructions"], "issue slices are not the warp instructions");
  expect(ctas == totals["ctas"]["count"], "CTA slices are not the CTAs");
  expect(reads == totals["dram"]["reads"], "read slices are not the DRAM's reads");
  expect(activates == totals["dram"]["activates"], "activate slices are not the DRAM's activates");
  expect(!trace.samples.empty(), "no queue was sampled");
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
