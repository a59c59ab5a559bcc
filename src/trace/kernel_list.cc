#include "trace/kernel_list.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/address_layout.h"
#include "base/diagnostics.h"
#include "trace/fields.h"
#include "trace/format_error.h"
#include "trace/line_reader.h"
#include "trace/model_address.h"

namespace heddle::trace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToDevice = "MemcpyHtoD,", kFromDevice = "MemcpyDtoH,";

bool is_copy(std::string_view line) {
  return line.starts_with(kToDevice) || line.starts_with(kFromDevice);
}

bool is_kernel(std::string_view line) {
  return line.starts_with("kernel") &&
         (line.ends_with(".traceg") || line.ends_with(".traceg.xz") || line.ends_with(".tracez"));
}

Command copy(std::string_view line) {
  Command command;
  command.kind =
      line.starts_with(kToDevice) ? Command::Kind::copy_to_device : Command::Kind::copy_from_device;
  line.remove_prefix(kToDevice.size());
  const auto comma = line.find(',');
  if (comma == std::string_view::npos) throw FormatError("the copy has no number of bytes");
  command.address =
      Address{parse_number(line.substr(0, comma), "address of the copy", kMostAddress, 16)};
  command.bytes = parse_number(line.substr(comma + 1), "bytes of the copy", kMaxMemoryBytes, 10);
  return command;
}

Command read_command(std::string_view line, const fs::path& folder) {
  if (is_copy(line)) return copy(line);
  if (!is_kernel(line)) {
    if (line.ends_with(".trace") || line.ends_with(".trace.xz"))
      throw FormatError(
          "the trace is not grouped by CTAs: run Accel-Sim's post-traces-processing "
          "and give its kernelslist.g");
    throw FormatError("'" + std::string(line.substr(0, 60)) + "' is neither a copy nor a kernel");
  }
  Command command;
  command.file = (folder / line).string();
  std::error_code ignored;
  if (!fs::exists(command.file, ignored))
    throw FormatError("the trace " + command.file + " does not exist");
  return command;
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

}  // namespace

bool is_kernel_list(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path);
  for (std::string line(4096, '\0'); file.getline(line.data(), 4096);) {
    const std::string_view text = without_end(std::string_view(line).substr(0, line.find('\0')));
    if (!text.empty()) return is_copy(text) || is_kernel(text);
  }
  return false;
}

std::vector<Command> read_kernel_list(const std::string& path) {
  std::vector<Command> commands;
  LineReader lines(path);
  for (std::string_view line; lines.next(line);) {
    line = without_end(line);
    if (line.empty()) continue;
    try {
      commands.push_back(read_command(line, fs::path(path).parent_path()));
    } catch (const FormatError& error) {
      throw UserError(lines.place(), error.what());
    }
  }
  return commands;
}

}  // namespace heddle::trace
