#include "cuda/capture/chunk_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zstd.h>

#include "base/diagnostics.h"
#include "base/library_errors.h"
#include "base/own_threads.h"
#include "cuda/capture/format.h"

namespace heddle::cuda {
namespace {

constexpr int kCompressionLevel = 1;  // a capture must not take much longer than a run
// At most 1 MiB each: a program that copies its inputs at its start does not wait for all of them.
constexpr std::size_t kSlots = 64;
constexpr std::size_t kSlotBytes = kDataChunkBytes;
constexpr int kTemporaryNames = 1000;  // that are tried

}  // namespace

struct ChunkWriter::Compressor {
  Compressor() : context(ZSTD_createCCtx()) {}
  ~Compressor() { ZSTD_freeCCtx(context); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ZSTD_CCtx* context;
  Bytes stored;
};

ChunkWriter::ChunkWriter(std::string path)
    : path_(std::move(path)),
      owner_(::getpid()),
      compressor_(std::make_unique<Compressor>()),
      waiting_(kSlots) {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw UserError("cannot write the capture file " + path_ + ": it is not a regular file");
  thread_ = joinable_own_thread([this] { write_chunks(); });
  std::string problem;
  {
    Lock lock(mutex_);
    chunk_written_.wait(lock, [this] { return !writes_; });
    problem = problem_;
  }
  if (problem.empty()) return;
  end_thread();
  throw UserError(problem);
}

ChunkWriter::~ChunkWriter() {
  if (forked()) {
    thread_.detach();  // a forked process has no such thread
    return;
  }
  end_thread();
  if (!temporary_.empty() && !published_) ::unlink(temporary_.c_str());
}

void ChunkWriter::end_thread() {
  {
    const Lock lock(mutex_);
    ends_ = true;
  }
  chunk_waits_.notify_one();
  thread_.join();
}

bool ChunkWriter::forked() const { return ::getpid() != owner_; }

void ChunkWriter::fail(const char* act) const {
  throw UserError(std::string("cannot ") + act + " the capture file " + path_ + ": " +
                  std::strerror(errno));
}

// The first name that no file has, so that a file of the user's is not overwritten.
bool ChunkWriter::take_temporary_name(const std::function<bool(const std::string&)>& create) {
  const std::string stem = path_ + "." + std::to_string(::getpid());
  for (int i = 0; i < kTemporaryNames; ++i) {
    const std::string name = stem + (i ? "-" + std::to_string(i) : "") + ".part";
    if (create(name)) return temporary_ = name, true;
    if (errno != EEXIST) return false;
  }
  return false;
}

// A file without a name, where the file system has such files.
void ChunkWriter::open() {
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  file_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  published_ = false;
  temporary_.clear();
  if (file_ >= 0) return;
  const auto create = [&](const std::string& name) {
    file_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file_ >= 0;
  };
  if (!take_temporary_name(create)) fail("create");
}

void ChunkWriter::reserve_slots() {
  if (slots_reserved_) return;
  slots_reserved_ = true;
  slots_.reserve(kSlots * kSlotBytes);
  ::madvise(slots_.data(), kSlots * kSlotBytes, MADV_HUGEPAGE);  // a hint: fewer page faults
  for (std::size_t slot = kSlots; slot-- > 0;) free_slots_.push_back(slot);
}

void ChunkWriter::write(ChunkType type, std::span<const std::uint8_t> content) {
  if (forked()) return;
  Lock lock(mutex_);
  reserve_slots();
  chunk_written_.wait(lock, [this] { return !free_slots_.empty(); });
  throw_problem();
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  lock.unlock();
  Chunk chunk{type, {}, slot, {}};
  if (content.size() > kSlotBytes) {
    chunk.large.assign(content.begin(), content.end());
    chunk.content = chunk.large;
  } else {
    std::uint8_t* const to = slots_.data() + slot * kSlotBytes;
    std::memcpy(to, content.data(), content.size());
    chunk.content = {to, content.size()};
  }
  lock.lock();
  waiting_.push(std::move(chunk));
  lock.unlock();
  chunk_waits_.notify_one();
}

void ChunkWriter::throw_problem() {
  if (!problem_.empty()) throw UserError(problem_);
}

// What prevents the file from being written from now on; empty: nothing.
template <class Act>
std::string ChunkWriter::problem_of(Act&& act) {
  try {
    std::forward<Act>(act)();
  } catch (const std::exception& error) {
    return describe_error(error);
  }
  return {};
}

void ChunkWriter::write_chunks() {
  std::string problem = problem_of([this] {
    if (!separate_descriptors()) fail("create");
    open();
    const CaptureHeader header;
    append_bytes(&header, sizeof header);
  });
  Lock lock(mutex_);
  for (;;) {
    problem_ = problem;
    writes_ = false;
    chunk_written_.notify_one();
    chunk_waits_.wait(lock, [this] { return !waiting_.empty() || ends_; });
    if (ends_) return;
    const Chunk chunk = waiting_.pop();
    writes_ = true;
    lock.unlock();
    if (problem.empty()) problem = problem_of([&] { write_chunk(chunk); });
    lock.lock();
    free_slots_.push_back(chunk.slot);
  }
}

void ChunkWriter::write_chunk(const Chunk& chunk) {
  if (chunk.type == ChunkType::end)
    complete(chunk.content);
  else
    append(chunk.type, chunk.content);
}

void ChunkWriter::append(ChunkType type, std::span<const std::uint8_t> content) {
  const std::size_t bytes = content.size();
  Bytes& stored = compressor_->stored;
  stored.resize(sizeof(ChunkHeader) + ZSTD_compressBound(bytes));
  const std::size_t size = ZSTD_compressCCtx(
      compressor_->context, stored.data() + sizeof(ChunkHeader),
      stored.size() - sizeof(ChunkHeader), content.data(), bytes, kCompressionLevel);
  check_invariant(!ZSTD_isError(size), "data could not be compressed");
  ChunkHeader header{type, chunks_++, size, bytes, 0};
  std::memcpy(stored.data(), &header, sizeof header);
  header.checksum = hash_of(stored.data(), sizeof header + size);  // with a checksum of 0
  std::memcpy(stored.data(), &header, sizeof header);
  append_bytes(stored.data(), sizeof header + size);
}

// The published file stays as it is: more is written to a copy.
void ChunkWriter::copy_published() {
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

void ChunkWriter::append_bytes(const void* data, std::size_t bytes) {
  if (published_) copy_published();
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t wrote = ::pwrite(file_, static_cast<const char*>(data) + done, bytes - done,
                                   static_cast<off_t>(end_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail("write");
    done += static_cast<std::size_t>(wrote);
  }
  end_ += bytes;
}

// Some file systems (NFS) report a full disk when a file is closed. The file is not flushed to the
// disk: a computer that loses its power may lose it, and its reader checks every byte.
void ChunkWriter::report_late_problems() const {
  const int other = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  if (other < 0 || ::close(other) != 0) fail("write");
}

void ChunkWriter::finish(const Bytes& end) {
  if (forked()) return;
  write(ChunkType::end, end);
  Lock lock(mutex_);
  chunk_written_.wait(lock, [this] { return waiting_.empty() && !writes_; });
  throw_problem();
}

void ChunkWriter::complete(std::span<const std::uint8_t> end) {
  const std::uint64_t before = end_;
  const std::uint32_t chunks = chunks_;
  append(ChunkType::end, end);
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) fail("write");
  report_late_problems();
  publish();
  end_ = before;
  chunks_ = chunks;
}

void ChunkWriter::publish() {
  if (temporary_.empty()) {
    // A link cannot replace a file, a renamed one can.
    const std::string unnamed = "/proc/thread-self/fd/" + std::to_string(file_);
    const auto link = [&](const std::string& name) {
      return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (!take_temporary_name(link)) fail("name");
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
  published_ = true;
}

}  // namespace heddle::cuda
