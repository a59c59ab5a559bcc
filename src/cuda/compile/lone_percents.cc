#include "cuda/compile/lone_percents.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

constexpr const char* kComplaint = ": error: invalid % escape in inline assembly string";
constexpr const char* kMacro = ": note: expanded from macro";

struct SourcePlace {
  std::string file;
  std::size_t line = 0, column = 0;
};

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// FILE:LINE:COLUMN before `mark`.
std::optional<SourcePlace> place_before(const std::string& text, const char* mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t second = text.rfind(':', end - 1);
  const std::size_t first = second == std::string::npos || second == 0 ? std::string::npos : text.rfind(':', second - 1);
  if (first == std::string::npos) return std::nullopt;
  return SourcePlace{text.substr(0, first), std::strtoul(text.c_str() + first + 1, nullptr, 10), std::strtoul(text.c_str() + second + 1, nullptr, 10)};
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

bool LonePercents::mend(const std::string& messages) {
  std::istringstream lines(without_colours(messages));
  bool mended = false;
  std::optional<SourcePlace> place;
  const auto settle = [&] {
    if (place && mend(place->file, place->line, place->column)) mended = true;
    place.reset();
  };
  for (std::string text; std::getline(lines, text);) {
    if (const auto complaint = place_before(text, kComplaint)) {
      settle();
      place = complaint;
    } else if (const auto spelled = place_before(text, kMacro); spelled && place) {
      place = spelled;  // the text itself stands in the innermost macro, which comes last
    }
  }
  settle();
  if (mended) write();
  return mended;
}

bool LonePercents::mend(const std::string& file, std::size_t line, std::size_t column) {
  const std::string name = fs::absolute(file).lexically_normal().string();
  auto found = copies_.find(name);
  if (found == copies_.end()) {
    std::ifstream in(name, std::ios::binary);
    if (!in) return false;
    Copy copy{folder_ / ("mended-" + std::to_string(copies_.size())), {std::istreambuf_iterator<char>(in), {}}};
    found = copies_.emplace(name, std::move(copy)).first;
  }
  std::string& text = found->second.text;
  std::size_t begin = 0;
  for (std::size_t n = 1; n < line && begin != std::string::npos; ++n) begin = text.find('\n', begin) == std::string::npos ? std::string::npos : text.find('\n', begin) + 1;
  if (begin == std::string::npos || column == 0) return false;
  const std::size_t percent = text.rfind('%', std::min(begin + column - 1, text.size()));
  if (percent == std::string::npos || percent < begin) return false;
  text.insert(percent, 1, '%');
  return true;
}

void LonePercents::write() const {
  std::ofstream overlay(folder_ / "overlay.yaml");
  overlay << "{\"version\": 0, \"use-external-names\": false, \"roots\": [";
  const char* separator = "";
  for (const auto& [name, copy] : copies_) {
    std::ofstream(copy.path, std::ios::binary) << copy.text;
    overlay << separator << "{\"type\": \"file\", \"name\": " << quoted(name) << ", \"external-contents\": " << quoted(copy.path.string()) << "}";
    separator = ", ";
  }
  overlay << "]}\n";
}

std::vector<std::string> LonePercents::flags() const {
  if (copies_.empty()) return {};
  return {"-ivfsoverlay", (folder_ / "overlay.yaml").string()};
}

}  // namespace heddle::cuda
