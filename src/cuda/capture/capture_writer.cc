#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "base/diagnostics.h"
#include "cuda/capture/format.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kRecordsPerChunkBytes = std::size_t{256} << 10;
constexpr int kCompressionLevel = 1;  // a capture must not take much longer than a run

}  // namespace

struct CaptureWriter::Compressor {
  Compressor() : context(ZSTD_createCCtx()) {}
  ~Compressor() { ZSTD_freeCCtx(context); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ZSTD_CCtx* context;
  Bytes stored;
};

CaptureWriter::CaptureWriter(std::string path)
    : path_(std::move(path)), compressor_(std::make_unique<Compressor>()) {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw UserError("cannot write the capture file " + path_ + ": it is not a regular file");
  open();
  const CaptureHeader header;
  write_at_end(&header, sizeof header);
}

CaptureWriter::~CaptureWriter() {
  if (!temporary_.empty() && !published_) ::unlink(temporary_.c_str());
  if (file_ >= 0) ::close(file_);
}

void CaptureWriter::fail(const char* act) {
  throw UserError(std::string("cannot ") + act + " the capture file " + path_ + ": " +
                  std::strerror(errno));
}

// A file without a name, where the file system has such files.
void CaptureWriter::open() {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  file_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  published_ = false;
  temporary_.clear();
  if (file_ >= 0) return;
  temporary_ = path_ + "." + std::to_string(::getpid()) + ".part";
  file_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail("create");
}

void CaptureWriter::write_at_end(const void* data, std::size_t bytes) {
  // The published file stays as it is: more is written to a copy.
  if (published_) {
    const int complete = file_;
    open();
    Bytes block(kDataChunkBytes);
    for (std::uint64_t done = 0; done < end_;) {
      const std::size_t most = std::min<std::uint64_t>(block.size(), end_ - done);
      const ssize_t got = ::pread(complete, block.data(), most, static_cast<off_t>(done));
      if (got <= 0 || ::pwrite(file_, block.data(), static_cast<std::size_t>(got),
                               static_cast<off_t>(done)) != got)
        fail("copy");
      done += static_cast<std::uint64_t>(got);
    }
    ::close(complete);
  }
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t wrote = ::pwrite(file_, static_cast<const char*>(data) + done, bytes - done,
                                   static_cast<off_t>(end_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail("write");
    done += static_cast<std::size_t>(wrote);
  }
  end_ += bytes;
}

void CaptureWriter::write_chunk(ChunkType type, const void* data, std::size_t bytes) {
  Bytes& stored = compressor_->stored;
  stored.resize(sizeof(ChunkHeader) + ZSTD_compressBound(bytes));
  const std::size_t size =
      ZSTD_compressCCtx(compressor_->context, stored.data() + sizeof(ChunkHeader),
                        stored.size() - sizeof(ChunkHeader), data, bytes, kCompressionLevel);
  check_invariant(!ZSTD_isError(size), "data could not be compressed");
  ChunkHeader header{type, chunks_++, size, bytes, 0};
  std::memcpy(stored.data(), &header, sizeof header);
  header.checksum = hash_of(stored.data(), sizeof header + size);  // with a checksum of 0
  std::memcpy(stored.data(), &header, sizeof header);
  write_at_end(stored.data(), sizeof header + size);
}

void CaptureWriter::add(const Record& record) {
  Encoder encoder(records_);
  encoder(record);
  if (records_.size() >= kRecordsPerChunkBytes) flush_records();
}

void CaptureWriter::flush_records() {
  if (records_.empty()) return;
  write_chunk(ChunkType::records, records_.data(), records_.size());
  records_.clear();
}

Blob CaptureWriter::store(const std::uint8_t* data, std::size_t bytes) {
  Blob blob;
  if (bytes < kInlineBytes) {
    blob.bytes.assign(data, data + bytes);
    return blob;
  }
  for (std::size_t done = 0; done < bytes; done += kDataChunkBytes) {
    const std::size_t size = std::min(kDataChunkBytes, bytes - done);
    const XXH128_hash_t hash = XXH3_128bits(data + done, size);
    const auto [known, is_new] = known_.try_emplace({hash.low64, hash.high64}, data_chunks_);
    if (is_new) {
      write_chunk(ChunkType::data, data + done, size);
      ++data_chunks_;
    }
    blob.chunks.push_back(known->second);
  }
  return blob;
}

void CaptureWriter::finish(const CaptureInfo& info) {
  flush_records();
  const std::uint64_t end = end_;
  const std::uint32_t chunks = chunks_;
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(info);
  write_chunk(ChunkType::end, bytes.data(), bytes.size());
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) fail("write");
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail("write");
  publish();
  end_ = end;
  chunks_ = chunks;
}

void CaptureWriter::publish() {
  if (temporary_.empty()) {
    // A link cannot replace a file, a renamed one can.
    const std::string name = path_ + "." + std::to_string(::getpid()) + ".part";
    const std::string unnamed = "/proc/self/fd/" + std::to_string(file_);
    ::unlink(name.c_str());
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
      fail("name");
    temporary_ = name;
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
  published_ = true;
}

}  // namespace heddle::cuda
