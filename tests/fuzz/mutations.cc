#include "tests/fuzz/mutations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::fuzz {
namespace {

std::size_t line_start(const std::string& text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
}
std::size_t line_end(const std::string& text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string::npos ? text.size() : end + 1;
}
std::string line_of(const std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  return text.substr(line_start(text, at), line_end(text, at) - line_start(text, at));
}

}  // namespace

std::uint64_t odd_number(Random& random) {
  const std::uint64_t power = std::uint64_t{1} << random.below(64);
  switch (random.below(8)) {
    case 0: return random.below(4);
    case 1: return power - 1;
    case 2: return power;
    case 3: return power + random.below(4096);
    case 4: return ~std::uint64_t{0} - random.below(3);
    case 5: return 0 - power;
    case 6: return random() >> random.below(64);
    default: return random.below(300);
  }
}

void damage_bytes(std::string& bytes, Random& random) {
  if (bytes.empty()) return;
  const std::size_t at = random.below(bytes.size());
  switch (random.below(7)) {
    case 0: bytes[at] = static_cast<char>(random()); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8)); break;
    case 2: bytes.erase(at, random.below(16) + 1); break;
    case 3: bytes.insert(at, random.below(8) + 1, static_cast<char>(random())); break;
    case 4: bytes.insert(at, bytes.substr(random.below(bytes.size()), random.below(64))); break;
    case 5: {
      const std::uint64_t number = odd_number(random);
      const std::size_t size = std::min(std::size_t{1} << random.below(4), bytes.size() - at);
      bytes.replace(at, size, reinterpret_cast<const char*>(&number), size);
      break;
    }
    default: bytes.resize(at); break;
  }
}

void replace_number(std::string& text, Random& random) {
  constexpr const char* kDigits = "0123456789";
  std::size_t first = text.find_first_of(kDigits, random.below(text.size()));
  if (first == std::string::npos) first = text.find_first_of(kDigits);
  if (first == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, first), text.size());
  std::string number = std::to_string(odd_number(random));
  if (random.one_in(4)) number.insert(0, "-");
  if (random.one_in(8)) number += "0000000000000000000000";
  if (random.one_in(8)) number += random.one_in(2) ? ".5" : "e308";
  text.replace(first, end - first, number);
}

void damage_text(std::string& text, const std::vector<std::string>& others, Random& random) {
  if (text.empty()) return;
  const std::size_t at = line_start(text, random.below(text.size()));
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2: replace_number(text, random); break;
    case 3: text.erase(at, line_end(text, at) - at); break;
    case 4: text.insert(at, line_of(text, random)); break;
    case 5: text.insert(at, line_of(random.of(others), random)); break;
    default: damage_bytes(text, random); break;
  }
}

std::string content_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string bytes(std::filesystem::file_size(path), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

std::vector<std::string> corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests/fuzz/corpus" / folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(content_of_file(path.string()));
  return texts;
}

}  // namespace heddle::fuzz
