#include "cuda/capture/capture_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <type_traits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "base/diagnostics.h"
#include "cuda/capture/format.h"

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
      fail_in_chunk(damage.what);
    }
    ended_ = true;
  }

  void index_records() {
    CaptureFile::Content::Position at;
    while (!content_.at_end(at)) {
      const CaptureFile::Content::Position start = at;
      const Record record = content_.read(at);
      const auto invalid = [&](const char* what) {
        const auto& chunk = content_.records[start.chunk];
        fail(chunk.offset,
             fmt::format("chunk {} (records), byte {}: {}", chunk.number, start.offset, what));
      };
      if (const char* const problem =
              std::visit([&](const auto& e) { return check(e, start); }, record))
        invalid(problem);
    }
  }

  using Position = CaptureFile::Content::Position;
  template <class Any>
  const char* check(const Any&, const Position&) {
    return nullptr;
  }
  const char* check(const Effect& effect, const Position&) { return check_effect(effect); }
  const char* check(const LoadModule& module, const Position&) {
    for (const auto& [name, text] : module.texts)
      if (!holds(text)) return "a module refers to missing data";
    content_.kernels.insert(content_.kernels.end(), module.kernels.begin(), module.kernels.end());
    ++modules_;
    return nullptr;
  }
  const char* check(const IssueOperation& issue, const Position&) {
    // A stream that waits for an event that has occurred adds no operation.
    const bool skipped = issue.id == 0 && issue.if_unfinished;
    if (!skipped && issue.id <= last_issued_) return "operations are not in their order";
    if (!skipped) last_issued_ = issue.id;
    if (issue.if_unfinished && issue.after.empty()) return "a stream waits for no event";
    return issue.launch && issue.launch->module >= modules_ ? "a launch is of an unknown module"
                                                            : nullptr;
  }
  const char* check(const RunOperation& run, const Position& at) {
    if (run.id > last_issued_) return "an operation ran before it was issued";
    if (!content_.runs.emplace(run.id, at).second) return "an operation ran twice";
    for (const Effect& effect : run.effects)
      if (const char* const problem = check_effect(effect)) return problem;
    return nullptr;
  }
  const char* check(const TakeBranch& branch, const Position& at) {
    if (branch.operation > last_issued_) return "an operation ran before it was issued";
    content_.branches[branch.operation].push_back(at);
    for (const IssueOperation& node : branch.nodes)
      if (const char* const problem = check(node, at)) return problem;
    return nullptr;
  }
  const char* check(const MemoryImage& image, const Position& at) {
    if (!content_.images.emplace(image.launch, at).second)
      return "there are two images of a launch";
    for (const WriteMemory& write : image.contents)
      if (const char* const problem = check_effect(write)) return problem;
    return nullptr;
  }

  bool holds(const Blob& blob) const {
    return std::all_of(blob.chunks.begin(), blob.chunks.end(),
                       [&](std::uint32_t chunk) { return chunk < content_.data.size(); });
  }
  const char* check_effect(const Effect& effect) const {
    if (const auto* const upload = std::get_if<UploadGraph>(&effect)) return check_graph(*upload);
    const auto* const write = std::get_if<WriteMemory>(&effect);
    if (!write) return nullptr;
    if (!holds(write->data)) return "a copy refers to missing data";
    const Region& region = write->region;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(region.width, region.height, &bytes) ||
        __builtin_mul_overflow(bytes, region.depth, &bytes) ||
        bytes != content_.bytes_of(write->data))
      return "the data of a copy have another size than the copy";
    return nullptr;
  }

  const char* check_graph(const UploadGraph& upload) const {
    for (std::size_t i = 0; i < upload.nodes.size(); ++i) {
      const UploadGraph::Node& node = upload.nodes[i];
      if (node.launch && node.launch->module >= modules_) return "a graph is of an unknown module";
      if (!node.launch && node.box.element_bytes != 1 && node.box.element_bytes != 2 &&
          node.box.element_bytes != 4)
        return "a graph fills memory with elements of another size than 1, 2 or 4";
      for (const std::size_t before : node.after)
        if (before >= i) return "the nodes of a graph are not in their order";
    }
    return nullptr;
  }

  CaptureFile::Content& content_;
  std::uint64_t size_ = 0, offset_ = 0, last_issued_ = 0;
  std::uint32_t number_ = 0, modules_ = 0;
  ChunkHeader header_;
  bool ended_ = false;
};

}  // namespace

std::uint64_t hash_of(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

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

Record CaptureFile::Content::read(Position& at) const {
  const RecordChunk& chunk = records[at.chunk];
  Decoder decoder(chunk.bytes, at.offset);
  Record record;
  try {
    decoder(record);
  } catch (const Decoder::Damage& damage) {
    throw UserError(fmt::format("{}: offset {}: chunk {} (records), byte {}: {}", path,
                                chunk.offset, chunk.number, damage.offset, damage.what));
  }
  at.offset = decoder.offset();
  if (decoder.at_end()) at = {at.chunk + 1, 0};
  return record;
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

CaptureFile::~CaptureFile() = default;

const std::string& CaptureFile::path() const { return content_->path; }
const CaptureInfo& CaptureFile::info() const { return content_->info; }

}  // namespace heddle::cuda
