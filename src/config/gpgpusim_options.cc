#include "config/gpgpusim_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace heddle::config {

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (separators.find(c) != std::string_view::npos)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

namespace {

// A line without its comment: '#', and "//" at its beginning.
std::string without_comment(const std::string& line) {
  const auto start = line.find_first_not_of(" \t");
  if (start != std::string::npos && line.compare(start, 2, "//") == 0) return "";
  return line.substr(0, line.find('#'));
}

}  // namespace

GpgpuSimOptions read_gpgpu_sim_options(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError("cannot read '" + path + "'");
  GpgpuSimOptions options;
  std::string option, line, quoted;
  SourceLocation where{path};
  bool in_quotes = false;
  const auto take = [&](const std::string& word) {
    if (option.empty()) throw UserError(where, fmt::format("'{}' follows no option", word));
    options[option] = {word, where};
    option.clear();
  };
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(without_comment(line));
    for (std::string word; words >> word;) {
      const auto quotes = std::count(word.begin(), word.end(), '"');
      std::erase(word, '"');
      if (in_quotes) {
        quoted += word;
        in_quotes = quotes % 2 == 0;
        if (!in_quotes) take(quoted);
      } else if (option.empty() && word.starts_with('-')) {
        option = word;
        where.line = number;
      } else if (quotes % 2 == 1) {
        quoted = word;
        in_quotes = true;
      } else {
        take(word);
      }
    }
  }
  if (!option.empty()) throw UserError(where, fmt::format("option '{}' has no value", option));
  return options;
}

GpgpuSimOptions read_intersim_options(const std::string& path) {
  std::ifstream file(path);
  GpgpuSimOptions options;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::string text = line.substr(0, line.find("//"));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == ';' || c == '\r'; });
    if (const auto equals = text.find('='); equals != std::string::npos)
      options[text.substr(0, equals)] = {text.substr(equals + 1), {path, number}};
  }
  return options;
}

GpgpuSimFile gpgpu_sim_file(const std::string& path) {
  GpgpuSimFile kind = GpgpuSimFile::other;
  std::ifstream file(path);
  for (std::string line, word; std::getline(file, line);) {
    const std::string text = without_comment(line);
    std::istringstream words(text);
    if (!(words >> word)) continue;
    if (word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]))) {
      const bool of_traces = word.starts_with("-trace_") || word.starts_with("-specialized_unit_");
      if (!of_traces) return GpgpuSimFile::options;
      kind = GpgpuSimFile::trace_options;
    } else if (kind == GpgpuSimFile::other) {
      const auto end = text.find(';');
      return text.find('=') < end && end != std::string::npos ? GpgpuSimFile::network
                                                              : GpgpuSimFile::other;
    }
  }
  return kind;
}

}  // namespace heddle::config
