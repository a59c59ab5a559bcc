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

// Options and their values: words, of which quotes join several. '#' starts a comment.
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
    std::istringstream words(line.substr(0, line.find('#')));
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

bool is_of_gpgpu_sim(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("-gpgpu_") || line.starts_with("-gpu_") || line.starts_with("-ptx_"))
      return true;
  return false;
}

}  // namespace heddle::config
