// Feeds damaged PTX to the reader for as long as asked: fuzz_ptx SECONDS [SEED]. Prints how many texts were refused; a crash is the finding.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "tests/ptx/fuzz_texts.h"

int main(int argc, char** argv) {
  using namespace heddle::ptx;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Mutator mutator(fuzzed_texts(), seed);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t texts = 0, refused = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    const std::string text = mutator.next(), message = complaint(text);
    ++texts;
    if (message.empty()) continue;
    ++refused;
    if (message.find("t.ptx:") == std::string::npos) {
      std::cout << "a refusal without a place: " << message << "\n" << text << "\n";
      return 1;
    }
  }
  std::cout << texts << " texts, " << refused << " refused\n";
}
