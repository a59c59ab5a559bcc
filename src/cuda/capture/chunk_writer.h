// Compresses the chunks of a capture file and writes them in their order, in a thread of its own:
// the program that is captured continues meanwhile. The content of the file does not depend on the
// thread's speed. The thread has its own table of descriptors, so a program that closes descriptors
// which it has not opened does not close the file.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "cuda/capture/archive.h"
#include "exec/state/zero_pages.h"

namespace heddle::cuda {

enum class ChunkType : std::uint32_t { records = 0x53434552, data = 0x41544144, end = 0x20444e45 };

// The file has no name until finish() gives it one, so nothing remains of a process that ends
// earlier. Every function throws UserError when the file cannot be written; a problem of the thread
// is thrown by the next call. A process that the program forks writes nothing.
class ChunkWriter {
 public:
  explicit ChunkWriter(std::string path);
  ~ChunkWriter();
  ChunkWriter(const ChunkWriter&) = delete;
  ChunkWriter& operator=(const ChunkWriter&) = delete;

  // Copies the content and returns before it is written. Waits while 64 others wait.
  void write(ChunkType type, std::span<const std::uint8_t> content);
  // Completes the file with an end chunk, under its name. What is written later replaces the end
  // chunk at the next finish().
  void finish(const Bytes& end);

 private:
  struct Chunk {
    ChunkType type = ChunkType::end;
    std::span<const std::uint8_t> content;  // in a slot or in `large`
    std::size_t slot = 0;
    Bytes large;
  };
  struct Compressor;
  using Lock = std::unique_lock<std::mutex>;

  bool forked() const;
  void write_chunks();
  template <class Act>
  std::string problem_of(Act&& act);
  void write_chunk(const Chunk& chunk);
  void complete(std::span<const std::uint8_t> end);
  void reserve_slots();
  void end_thread();
  void throw_problem();
  void append(ChunkType type, std::span<const std::uint8_t> content);
  void open();
  void append_bytes(const void* data, std::size_t bytes);
  void copy_published();
  void report_late_problems() const;
  void publish();
  bool take_temporary_name(const std::function<bool(const std::string&)>& create);
  [[noreturn]] void fail(const char* act) const;

  std::string path_;
  pid_t owner_;

  // The file: of the thread.
  std::string temporary_;  // empty for a file without a name
  int file_ = -1;
  bool published_ = false;
  std::uint64_t end_ = 0;  // of the last chunk before the end chunk
  std::uint32_t chunks_ = 0;
  std::unique_ptr<Compressor> compressor_;

  exec::ZeroPages slots_;  // contents of waiting chunks
  bool slots_reserved_ = false;

  std::mutex mutex_;  // of what follows
  std::condition_variable chunk_waits_, chunk_written_;
  BoundedQueue<Chunk> waiting_;
  std::vector<std::size_t> free_slots_;  // the last one was used last
  std::string problem_;                  // why the thread cannot write; empty: none
  bool writes_ = true;                   // a chunk, or opens the file
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace heddle::cuda
