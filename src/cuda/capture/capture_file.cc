#include "cuda/capture/capture_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "base/diagnostics.h"
#include "cuda/capture/format.h"
#include "cuda/capture/record_checker.h"

namespace heddle::cuda {
namespace {

const char* name_of(ChunkType type) {
  switch (type) {
    case ChunkType::records: return "records";
    case ChunkType::data: return "data";
    case ChunkType::end: return "end";
  }
  return "unknown";
}

// Reads exactly so many bytes; false at the end of the file.
bool read_at(int file, std::uint64_t offset, void* to, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::pread(file, static_cast<char*>(to) + done, bytes - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

Bytes decompressed(const std::uint8_t* stored, std::size_t bytes, std::uint64_t raw_bytes) {
  Bytes raw(raw_bytes);
  const std::size_t got = ZSTD_decompress(raw.data(), raw.size(), stored, bytes);
  if (ZSTD_isError(got) || got != raw_bytes) raw.clear();
  return raw;
}

// Checks the file from its first to its last byte and indexes it.
class Reader {
 public:
  explicit Reader(CaptureFile::Content& content) : content_(content) {}

  void read() {
    open();
    read_header();
    while (!ended_) read_chunk();
    if (offset_ != size_)
      fail(offset_, fmt::format("{} bytes follow the end chunk", size_ - offset_));
    index_records();
  }

  // Only the last chunk is checked and decoded.
  void read_end() {
    open();
    read_header();
    for (read_chunk_header(); header_.type != ChunkType::end; read_chunk_header()) skip_chunk();
    read_chunk_content();
  }

 private:
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const {
    throw UserError(fmt::format("{}: offset {}: {}", content_.path, offset, what));
  }
  [[noreturn]] void fail_in_chunk(const std::string& what) const {
    fail(offset_, fmt::format("chunk {} ({}): {}", number_, name_of(header_.type), what));
  }

  void open() {
    content_.file = ::open(content_.path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (content_.file < 0 || ::fstat(content_.file, &status) != 0)
      throw UserError("cannot read " + content_.path + ": " + std::strerror(errno));
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  void read_header() {
    CaptureHeader header{0, 0, 0};
    if (size_ < sizeof header) fail(size_, "the header is cut off; it has 16 bytes");
    if (!read_at(content_.file, 0, &header, sizeof header)) fail(0, "the header cannot be read");
    if (header.magic != kCaptureMagic)
      fail(0, "this is no capture file: it begins with other bytes");
    if (header.version != kCaptureVersion)
      fail(8,
           fmt::format("the capture file has version {}; this Heddle reads version {}. Capture the "
                       "program again",
                       header.version, kCaptureVersion));
    if (header.zero != 0) fail(12, "the header is damaged");
    offset_ = sizeof header;
  }

  void read_chunk() {
    read_chunk_header();
    read_chunk_content();
    skip_chunk();
  }

  void skip_chunk() {
    offset_ += sizeof header_ + header_.stored_bytes;
    ++number_;
  }

  void read_chunk_header() {
    if (offset_ == size_)
      fail(offset_,
           fmt::format("the file is cut off: it ends without an end chunk, after {} chunks",
                       number_));
    if (size_ - offset_ < sizeof header_ ||
        !read_at(content_.file, offset_, &header_, sizeof header_))
      fail(offset_, fmt::format("chunk {}: its header is cut off", number_));
    if (name_of(header_.type) == std::string("unknown"))
      fail(offset_, fmt::format("chunk {}: its type is unknown", number_));
    const std::uint64_t left = size_ - offset_ - sizeof header_;
    if (header_.stored_bytes > left)
      fail_in_chunk(
          fmt::format("it is cut off: {} of {} bytes are there", left, header_.stored_bytes));
  }

  void read_chunk_content() {
    Bytes stored(sizeof header_ + header_.stored_bytes);
    if (!read_at(content_.file, offset_, stored.data(), stored.size()))
      fail_in_chunk("it cannot be read");
    ChunkHeader zeroed = header_;
    zeroed.checksum = 0;
    std::memcpy(stored.data(), &zeroed, sizeof zeroed);
    if (hash_of(stored.data(), stored.size()) != header_.checksum)
      fail_in_chunk("its checksum is wrong: the file is damaged");
    if (header_.number != number_) fail_in_chunk("it is not in its order");
    accept(stored.data() + sizeof header_);
  }

  void accept(const std::uint8_t* payload) {
    if (header_.type == ChunkType::data) {
      if (header_.raw_bytes == 0 || header_.raw_bytes > kDataChunkBytes)
        fail_in_chunk("its size is not that of a data chunk");
      content_.data.push_back({offset_ + sizeof header_, header_.stored_bytes, header_.raw_bytes});
      return;
    }
    if (header_.raw_bytes > kMaxRecordBytes) fail_in_chunk("it is too large");
    records_bytes_ += header_.raw_bytes;
    if (records_bytes_ > kMaxRecordsBytes) fail_in_chunk("the records have more than 512 MiB");
    Bytes raw = decompressed(payload, header_.stored_bytes, header_.raw_bytes);
    if (raw.empty()) fail_in_chunk("it cannot be decompressed");
    if (header_.type == ChunkType::records) {
      content_.records.push_back({offset_, number_, std::move(raw)});
      return;
    }
    Decoder decoder(raw);
    try {
      decoder(content_.info);
    } catch (const Decoder::Damage& damage) {
      fail(offset_,
           fmt::format("chunk {} (end), byte {}: {}", number_, damage.offset, damage.what));
    }
    ended_ = true;
  }

  void index_records() {
    RecordChecker checker(content_);
    CaptureFile::Content::Position at;
    while (!content_.at_end(at)) {
      const CaptureFile::Content::Position start = at;
      checker.check(content_.read(at), start);
    }
    if (!checker.images_agree())
      fail(offset_, "the end chunk names other memory images than the records hold");
  }

  CaptureFile::Content& content_;
  std::uint64_t size_ = 0, offset_ = 0;
  std::size_t records_bytes_ = 0;
  std::uint32_t number_ = 0;
  ChunkHeader header_;
  bool ended_ = false;
};

}  // namespace

std::uint64_t hash_of(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

struct DataHash::State {
  XXH3_state_t hash;
};
DataHash::DataHash() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->hash); }
DataHash::~DataHash() = default;
void DataHash::add(const void* data, std::size_t bytes) {
  XXH3_64bits_update(&state_->hash, data, bytes);
}
std::uint64_t DataHash::value() const { return XXH3_64bits_digest(&state_->hash); }

bool is_capture(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::uint64_t magic = 0;
  const bool found = file >= 0 && read_at(file, 0, &magic, sizeof magic) && magic == kCaptureMagic;
  if (file >= 0) ::close(file);
  return found;
}

CaptureFile::Content::~Content() {
  if (file >= 0) ::close(file);
}

void CaptureFile::Content::fail(const Position& at, const std::string& what) const {
  const RecordChunk& chunk = records.at(at.chunk);
  throw UserError(fmt::format("{}: offset {}: chunk {} (records), byte {}: {}", path, chunk.offset,
                              chunk.number, at.offset, what));
}

Record CaptureFile::Content::read(Position& at) const {
  const RecordChunk& chunk = records[at.chunk];
  Decoder decoder(chunk.bytes, at.offset);
  Record record;
  try {
    decoder(record);
  } catch (const Decoder::Damage& damage) {
    fail({at.chunk, damage.offset}, damage.what);
  }
  at.offset = decoder.offset();
  if (decoder.at_end()) at = {at.chunk + 1, 0};
  return record;
}

bool CaptureFile::Content::holds(const Blob& blob) const {
  return std::all_of(blob.chunks.begin(), blob.chunks.end(),
                     [&](std::uint32_t chunk) { return chunk < data.size(); });
}

std::uint64_t CaptureFile::Content::bytes_of(const Blob& blob) const {
  std::uint64_t bytes = blob.bytes.size();
  for (const std::uint32_t chunk : blob.chunks) bytes += data[chunk].raw_bytes;
  return bytes;
}

void CaptureFile::Content::append(const Blob& blob, Bytes& to) const {
  to.insert(to.end(), blob.bytes.begin(), blob.bytes.end());
  for (const std::uint32_t number : blob.chunks) {
    const DataChunk& chunk = data[number];
    Bytes stored(chunk.stored_bytes);
    const std::size_t before = to.size();
    to.resize(before + chunk.raw_bytes);
    const bool read = read_at(file, chunk.offset, stored.data(), stored.size());
    const std::size_t got =
        read ? ZSTD_decompress(to.data() + before, chunk.raw_bytes, stored.data(), stored.size())
             : 0;
    if (got != chunk.raw_bytes)
      throw UserError(
          fmt::format("{}: offset {}: data chunk {} cannot be read", path, chunk.offset, number));
  }
}

CaptureFile::CaptureFile(const std::string& path) : content_(std::make_unique<Content>()) {
  content_->path = path;
  Reader(*content_).read();
}

CaptureInfo read_info(const std::string& path) {
  CaptureFile::Content content;
  content.path = path;
  Reader(content).read_end();
  return content.info;
}

std::vector<std::pair<std::string, std::string>> module_texts(const CaptureFile& file) {
  std::vector<std::pair<std::string, std::string>> texts;
  const CaptureFile::Content& content = file.content();
  for (CaptureFile::Content::Position at; !content.at_end(at);) {
    const Record record = content.read(at);
    const auto* const module = std::get_if<LoadModule>(&record);
    if (!module) continue;
    for (const auto& [name, text] : module->texts) {
      Bytes bytes;
      content.append(text, bytes);
      texts.emplace_back(name, std::string(bytes.begin(), bytes.end()));
    }
  }
  return texts;
}

CaptureFile::~CaptureFile() = default;

const std::string& CaptureFile::path() const { return content_->path; }
const CaptureInfo& CaptureFile::info() const { return content_->info; }

}  // namespace heddle::cuda
