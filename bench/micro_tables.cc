// Fills the tables of docs/microbenchmarks.md with what the microbenchmarks measure.
//   micro_tables PAGE [PRESET...]    all presets of the page by default
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/micro_page.h"
#include "runs.h"

namespace heddle::bench {
namespace {

MicroFigures measure(const std::string& preset) {
  MicroFigures measured;
  for (const char* program : {"latency", "memory", "capacity", "throughput"}) {
    const Run run = run_heddle({"--gpu", preset, built(std::string("workloads/micro/") + program)});
    measured.gpu = toml::parse(run.results.at("configuration").at("toml").get<std::string>());
    std::istringstream lines(run.output);
    measured.read(lines);
  }
  fmt::print(stderr, "micro_tables: {}\n", preset);
  return measured;
}

void fill_in(const std::string& path, const std::vector<std::string>& presets) {
  std::ifstream page(path);
  if (!page) throw std::runtime_error("cannot read " + path);
  std::map<std::string, MicroFigures> measured;
  const std::string text = filled(page, [&](const std::string& preset) -> const MicroFigures* {
    if (!presets.empty() && std::ranges::find(presets, preset) == presets.end()) return nullptr;
    const auto at = measured.find(preset);
    return at != measured.end() ? &at->second : &(measured[preset] = measure(preset));
  });
  const std::string new_path = path + ".new";
  std::ofstream out(new_path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + new_path);
  std::filesystem::rename(new_path, path);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: micro_tables PAGE [PRESET...]\n");
    return 2;
  }
  try {
    heddle::bench::fill_in(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "micro_tables: {}\n", error.what());
    return 1;
  }
}
