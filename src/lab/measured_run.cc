#include "lab/measured_run.h"

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "config/json_text.h"

namespace heddle::lab {

using nlohmann::ordered_json;

MeasuredRun::MeasuredRun(const std::string& path) : file_(path, std::ios::binary) {
  std::string line;
  written_ = static_cast<bool>(std::getline(file_, line));
  head_ = ordered_json::parse(line, nullptr, false);
}

std::uint64_t MeasuredRun::launches() const {
  return head_.value(ordered_json::json_pointer("/totals/launches"), std::uint64_t{0});
}

bool MeasuredRun::read_launch(ordered_json& launch) {
  std::string line;
  if (!std::getline(file_, line)) return false;
  launch = ordered_json::parse(line, nullptr, false);
  return launch.is_object();
}

namespace {

// Behind two more blanks in every line but the first.
void write_indented(OutputFile& file, std::string_view text) {
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
    file.write(text.substr(0, end + 1));
    file.write("  ");
    text.remove_prefix(end + 1);
  }
  file.write(text);
}

}  // namespace

void write_run_json(const std::string& path, const ordered_json& results, MeasuredRun& measured) {
  // No text in JSON has a line break, and other keys of this name are indented more.
  constexpr std::string_view kPlace = "\n \"kernels\": [";
  const std::string text = config::json_text(results, 1);
  const std::size_t at = text.find(kPlace) + kPlace.size();
  OutputFile file(path);
  file.write(std::string_view(text).substr(0, at));
  ordered_json launch;
  for (bool first = true; measured.read_launch(launch); first = false) {
    file.write(first ? "\n  " : ",\n  ");
    write_indented(file, config::json_text(launch, 1));
  }
  file.write(measured.launches() > 0 ? "\n " : "");
  file.write(std::string_view(text).substr(at));
  file.write("\n");
  file.commit();
}

}  // namespace heddle::lab
