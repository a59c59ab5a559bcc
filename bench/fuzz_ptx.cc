// Reads damaged PTX for a given time and prints how many texts were refused. A finding is a crash,
// or a refusal that names no place.
#include <CLI/CLI.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/ptx/fuzz_texts.h"

int main(int argc, char** argv) {
  using namespace heddle::ptx;
  double seconds = 60;
  std::uint64_t seed = 1;
  std::vector<std::string> files;
  CLI::App app{"Reads damaged PTX; a finding is a crash or a refusal without a place", "fuzz_ptx"};
  app.add_option("seconds", seconds, "duration")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 1e6));
  app.add_option("--seed", seed, "seed of the damage")->capture_default_str();
  app.add_option("--also", files,
                 "further PTX files to damage, in addition to the reference programs and texts of "
                 "many kinds of statements")
      ->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);

  std::vector<std::string> texts = fuzzed_texts();
  for (const std::string& name : files) {
    std::ifstream file(name);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  Mutator mutator(std::move(texts), seed);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t count = 0, refused = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
         seconds) {
    const std::string text = mutator.next(), message = complaint(text);
    ++count;
    if (message.empty()) continue;
    ++refused;
    if (message.find("t.ptx:") == std::string::npos) {
      std::cout << "a refusal without a place: " << message << "\n" << text << "\n";
      return 1;
    }
  }
  std::cout << count << " texts, " << refused << " refused\n";
}
