// Seeded damage to bytes from outside, for all fuzz targets.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint64_t operator()() { return random_(); }
  // 0 when n is 0.
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class Value>
  const Value& of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 random_;
};

// Ends of ranges, sizes that overflow in sums and products, and small numbers.
std::uint64_t odd_number(Random& random);

// Bytes are replaced, removed, inserted, repeated; the end is cut off.
void damage_bytes(std::string& bytes, Random& random);
// The same, and lines are removed, repeated and exchanged with those of other texts, and numbers
// are replaced.
void damage_text(std::string& text, const std::vector<std::string>& others, Random& random);
// A decimal number in the text becomes another one.
void replace_number(std::string& text, Random& random);

std::string content_of_file(const std::string& path);
// All files of a folder of tests/fuzz/corpus, by name.
std::vector<std::string> corpus(const std::string& folder);

}  // namespace heddle::fuzz
