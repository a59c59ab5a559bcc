#include "trace/line_reader.h"

#include <lzma.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace heddle::trace {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr std::size_t kMostLineBytes = 1 << 20;
constexpr std::uint64_t kMostDecoderBytes = std::uint64_t{256} << 20;
constexpr std::string_view kXzMagic{
    "\xfd"
    "7zXZ\0",
    6};

}  // namespace

struct LineReader::Input {
  explicit Input(const std::string& path) : path(path), file(path, std::ios::binary) {
    std::array<char, kXzMagic.size()> start{};
    if (!file || (file.read(start.data(), start.size()), file.bad()))
      throw UserError("cannot read " + path + ": " + std::strerror(errno));
    compressed = is_compressed({start.data(), start.size()});
    file.clear();
    file.seekg(0);
    if (compressed &&
        lzma_stream_decoder(&decoder, kMostDecoderBytes, LZMA_CONCATENATED) != LZMA_OK)
      throw UserError("cannot read " + path + ": there is not enough memory");
  }
  ~Input() {
    if (compressed) lzma_end(&decoder);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Appends a piece to the text; false at the end.
  bool append(std::string& text) {
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    const std::size_t got = compressed ? decode(text.data() + before) : read(text.data() + before);
    text.resize(before + got);
    return got > 0;
  }

  std::size_t read(char* to) {
    file.read(to, kPiece);
    if (file.bad()) throw UserError("cannot read " + path + ": " + std::strerror(errno));
    return static_cast<std::size_t>(file.gcount());
  }

  std::size_t decode(char* to) {
    decoder.next_out = reinterpret_cast<std::uint8_t*>(to);
    decoder.avail_out = kPiece;
    while (!ended && decoder.avail_out > 0) {
      if (decoder.avail_in == 0) {
        decoder.avail_in = read(raw.data());
        decoder.next_in = reinterpret_cast<const std::uint8_t*>(raw.data());
      }
      const lzma_ret result = lzma_code(&decoder, decoder.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
      ended = result == LZMA_STREAM_END;
      if (result != LZMA_OK && !ended)
        throw UserError(path + (result == LZMA_BUF_ERROR        ? ": the xz file is truncated"
                                : result == LZMA_MEMLIMIT_ERROR ? ": xz needs more than 256 MiB"
                                                                : ": the xz file is damaged"));
    }
    return kPiece - decoder.avail_out;
  }

  std::string path;
  std::ifstream file;
  bool compressed = false, ended = false;
  lzma_stream decoder = LZMA_STREAM_INIT;
  std::array<char, kPiece> raw{};
};

bool LineReader::is_compressed(std::string_view start) { return start.starts_with(kXzMagic); }

LineReader::LineReader(const std::string& path)
    : path_(path), input_(std::make_unique<Input>(path)) {}
LineReader::~LineReader() = default;

SourceLocation LineReader::place() const { return {path_, static_cast<int>(number_)}; }

bool LineReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kMostLineBytes) {
    ++number_;
    throw UserError(place(), "the line has more than a MiB");
  }
  return !at_end_ && input_->append(buffer_);
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = at_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      return true;
    }
    const std::size_t left = buffer_.size() - at_;
    if (fill()) {
      searched = left;
      continue;
    }
    at_end_ = true;
    if (left == 0) return false;
    line = buffer_;  // the last line has no end
    at_ = buffer_.size();
    ++number_;
    return true;
  }
}

}  // namespace heddle::trace
