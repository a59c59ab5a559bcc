// The files of traces: which lines are where.
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "trace/format_error.h"
#include "trace/launch_reader.h"
#include "trace/line_reader.h"

namespace heddle::trace {
namespace {

constexpr std::uint64_t kMostHeadBytes = 1 << 16;  // of a binary trace
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

std::string module_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// "warp = 3" after its key; empty for other keys.
std::string_view value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return {};
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  line.remove_prefix(equals + 1);
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// The text of a launch, line by line.
class TextLaunch {
 public:
  void read(std::string_view line) {
    if (line.empty() || line == "\r") return;
    const char first = line.front();
    if (first == '#') {
      if (line.starts_with("#BEGIN_TB")) begins_ = true;
      if (line.starts_with("#END_TB")) launch().end_cta();
    } else if (first == '-' && !reader_) {
      header_.read(line);
    } else if (const auto block = value_of(line, "thread block"); !block.empty()) {
      if (!begins_) throw FormatError("a thread block has no #BEGIN_TB before it");
      begins_ = false;
      launch().begin_cta(parse_triple(block, "thread block", {kMost32, kMost32, kMost32}));
    } else if (const auto warp = value_of(line, "warp"); !warp.empty()) {
      launch().begin_warp(parse_number(warp, "warp", kMost32, 10));
    } else if (const auto count = value_of(line, "insts"); !count.empty()) {
      launch().set_instructions(parse_number(count, "insts", kMost32, 10));
    } else if (!line.starts_with("cluster ")) {  // the places of CTAs in clusters
      launch().add_instruction(line);
    }
  }
  std::shared_ptr<TracedLaunch> finish(const std::string& module) {
    return launch().finish(module);
  }

 private:
  LaunchReader& launch() {
    if (!reader_) reader_ = std::make_unique<LaunchReader>(header_);
    return *reader_;
  }

  KernelHeader header_;
  std::unique_ptr<LaunchReader> reader_;
  bool begins_ = false;
};

std::shared_ptr<TracedLaunch> read_text(const std::string& path) {
  LineReader lines(path);
  TextLaunch launch;
  try {
    for (std::string_view line; lines.next(line);) launch.read(line);
    return launch.finish(module_of(path));
  } catch (const FormatError& error) {
    throw UserError(lines.place(), error.what());
  }
}

// A binary trace: the head as text, a zstd dictionary, the instructions of each warp as text in
// compressed pieces, and an index at the end (util/tracer_nvbit/tracer_tool/tracez_format.h of
// Accel-Sim).
class BinaryLaunch {
 public:
  explicit BinaryLaunch(const std::string& path)
      : path_(path), file_(path, std::ios::binary), context_(ZSTD_createDCtx()) {
    if (!file_) throw UserError("cannot read " + path + ": " + std::strerror(errno));
    file_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(file_.tellg());
  }
  ~BinaryLaunch() {
    ZSTD_freeDDict(dictionary_);
    ZSTD_freeDCtx(context_);
  }
  BinaryLaunch(const BinaryLaunch&) = delete;
  BinaryLaunch& operator=(const BinaryLaunch&) = delete;

  std::shared_ptr<TracedLaunch> read() {
    try {
      LaunchReader launch(read_head());
      read_dictionary();
      seek(size_ < 8 ? size_ : size_ - 8);
      seek(number<std::uint64_t>());
      const auto ctas = number<std::uint32_t>();
      for (std::uint32_t i = 0; i < ctas; ++i) read_cta(launch);
      place_.clear();
      return launch.finish(module_of(path_));
    } catch (const FormatError& error) {
      throw UserError(path_ + place_ + ": " + error.what());
    }
  }

 private:
  static constexpr std::uint64_t kMostDictionaryBytes = 1 << 20;
  static constexpr std::uint64_t kMostPieceBytes = 64 << 20;

  void seek(std::uint64_t at) {
    if (at > size_) throw FormatError("the file is damaged: it names a place beyond its end");
    at_ = at;
    file_.seekg(static_cast<std::streamoff>(at));
  }
  void bytes(char* to, std::uint64_t count) {
    if (!is_inside(at_, count, size_)) throw FormatError("the file is truncated");
    file_.read(to, static_cast<std::streamsize>(count));
    if (!file_) throw FormatError("the file cannot be read");
    at_ += count;
  }
  template <class Number>
  Number number() {
    Number value{};
    bytes(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }

  KernelHeader read_head() {
    std::string text(std::min(size_, kMostHeadBytes), '\0');
    seek(0);
    bytes(text.data(), text.size());
    const auto end = text.find('\0');
    if (end == std::string::npos) throw FormatError("the head does not end");
    KernelHeader header;
    for (std::string_view left(text.data(), end); !left.empty();) {
      const auto line = left.substr(0, left.find('\n'));
      header.read(line);
      left.remove_prefix(std::min(left.size(), line.size() + 1));
    }
    seek(end + 1);
    return header;
  }

  void read_dictionary() {
    const auto length = number<std::uint32_t>();
    number<std::uint32_t>();  // instructions of a piece
    if (length == 0) return;
    if (length > kMostDictionaryBytes)
      throw FormatError(fmt::format("the dictionary has {} bytes", length));
    std::string content(length, '\0');
    bytes(content.data(), length);
    dictionary_ = ZSTD_createDDict(content.data(), content.size());
    if (!dictionary_) throw FormatError("the dictionary is damaged");
  }

  void read_cta(LaunchReader& launch) {
    const Dim3 place{number<std::uint32_t>(), number<std::uint32_t>(), number<std::uint32_t>()};
    place_ = fmt::format(", thread block {},{},{}", place.x, place.y, place.z);
    const std::string cta = place_;
    launch.begin_cta(place);
    for (int i = 0; i < 7; ++i) number<std::uint32_t>();  // its place in a cluster
    const auto warps = number<std::uint32_t>();
    for (std::uint32_t w = 0; w < warps; ++w) {
      place_ = fmt::format("{}, warp {}", cta, w);
      const auto instructions = number<std::uint32_t>();
      const auto pieces = number<std::uint32_t>();
      const auto begin = number<std::uint64_t>();
      const std::uint64_t next = at_ + std::uint64_t{pieces} * sizeof(std::uint32_t);
      launch.begin_warp(w);
      if (instructions > 0) {
        launch.set_instructions(instructions);
        read_warp(launch, begin, pieces);
      }
      seek(next);
    }
    launch.end_cta();
    place_ = cta;
  }

  void read_warp(LaunchReader& launch, std::uint64_t begin, std::uint32_t pieces) {
    const std::string warp = place_;
    std::uint64_t line_number = 0;
    seek(begin);
    number<std::uint32_t>();  // the numbers of the index
    number<std::uint32_t>();
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      const std::string text = read_piece();
      for (std::string_view left = text; !left.empty();) {
        const std::string_view line = left.substr(0, left.find('\n'));
        place_ = warp + fmt::format(", instruction {}", ++line_number);
        if (!line.empty()) launch.add_instruction(line);
        left.remove_prefix(std::min(left.size(), line.size() + 1));
      }
    }
  }

  std::string read_piece() {
    const auto stored_bytes = number<std::uint32_t>();
    if (!is_inside(at_, stored_bytes, size_)) throw FormatError("the file is truncated");
    std::string stored(stored_bytes, '\0');
    bytes(stored.data(), stored_bytes);
    const auto length = ZSTD_getFrameContentSize(stored.data(), stored.size());
    if (length > kMostPieceBytes)  // also for an error
      throw FormatError("a compressed piece is damaged, or has more than 64 MiB");
    std::string text(length, '\0');
    const std::size_t got = ZSTD_decompress_usingDDict(context_, text.data(), text.size(),
                                                       stored.data(), stored.size(), dictionary_);
    if (ZSTD_isError(got) || got != length) throw FormatError("a compressed piece is damaged");
    return text;
  }

  std::string path_, place_;
  std::ifstream file_;
  std::uint64_t size_ = 0, at_ = 0;
  ZSTD_DCtx* context_;
  ZSTD_DDict* dictionary_ = nullptr;
};

// Text has no bytes of 0, and a binary trace has one behind its head.
bool is_binary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kMostHeadBytes, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return !LineReader::is_compressed(start) && start.find('\0') != std::string::npos;
}

}  // namespace

std::shared_ptr<TracedLaunch> read_launch(const std::string& path) {
  return is_binary(path) ? BinaryLaunch(path).read() : read_text(path);
}

}  // namespace heddle::trace
