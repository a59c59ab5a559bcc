// The layout of a capture file: a header and chunks, in the byte order of x86.
//
//   header  magic (8 bytes), version (4), 0 (4)
//   chunk   type (4), number (4), stored bytes (8), raw bytes (8), checksum (8), payload
//
// The payload is one zstd frame of `raw bytes`. The checksum is XXH3 (64 bits) of the chunk without
// the checksum itself. Numbers count all chunks from 0. A file is complete when it ends with an
// end chunk.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capture/capture_file.h"
#include "cuda/capture/chunk_writer.h"
#include "cuda/capture/records.h"

namespace heddle::cuda {

inline constexpr std::uint64_t kCaptureMagic = 0x1a0a0d5041434889;  // "\x89HCAP\r\n\x1a"
inline constexpr std::uint32_t kCaptureVersion = 4;

struct CaptureHeader {
  std::uint64_t magic = kCaptureMagic;
  std::uint32_t version = kCaptureVersion, zero = 0;
};
struct ChunkHeader {
  ChunkType type = ChunkType::end;
  std::uint32_t number = 0;
  std::uint64_t stored_bytes = 0, raw_bytes = 0, checksum = 0;
};

inline constexpr std::size_t kDataChunkBytes = std::size_t{1} << 20;  // at most
inline constexpr std::size_t kInlineBytes = 4096;  // shorter data are part of their record
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 26;  // of a records chunk
// Of all records, which a reader keeps in memory: some five million launches.
inline constexpr std::size_t kMaxRecordsBytes = std::size_t{1} << 29;
inline constexpr std::size_t kMaxModuleBytes = std::size_t{1} << 28;  // of the texts of a module

// Of the data of copies.
std::uint64_t hash_of(const void* data, std::size_t bytes);
// The same of data that come in pieces.
class DataHash {
 public:
  DataHash();
  ~DataHash();
  DataHash(const DataHash&) = delete;
  DataHash& operator=(const DataHash&) = delete;
  void add(const void* data, std::size_t bytes);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Writes a capture (ChunkWriter). Every function throws UserError when the file cannot be written.
class CaptureWriter {
 public:
  explicit CaptureWriter(std::string path);

  void add(const Record& record);
  // Stores the data; chunks that the file holds already are not stored again.
  Blob store(const std::uint8_t* data, std::size_t bytes);
  // Completes the file under its name. What is added later is part of the next finish().
  void finish(const CaptureInfo& info);

 private:
  void flush_records();

  ChunkWriter file_;
  std::uint32_t data_chunks_ = 0;
  Bytes records_;  // not written yet
  std::size_t records_bytes_ = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> known_;  // by 128-bit hash
};

// The checked content of a file.
struct CaptureFile::Content {
  Content() = default;
  ~Content();
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  std::string path;
  CaptureInfo info;
  struct DataChunk {
    std::uint64_t offset = 0, stored_bytes = 0, raw_bytes = 0;  // offset: of the payload
  };
  struct RecordChunk {
    std::uint64_t offset = 0;  // of the chunk in the file
    std::uint32_t number = 0;
    Bytes bytes;
  };
  // A place in the records.
  struct Position {
    std::size_t chunk = 0, offset = 0;
  };
  std::vector<DataChunk> data;
  std::vector<RecordChunk> records;
  std::map<std::uint64_t, Position> runs;                   // RunOperation by operation
  std::map<std::uint64_t, Position> images;                 // MemoryImage by launch
  std::map<std::uint64_t, std::vector<Position>> branches;  // TakeBranch by operation
  std::vector<std::string> kernels;                         // of all modules
  int file = -1;

  // UserError with the file, the offset of the chunk, the chunk, and the byte in it.
  [[noreturn]] void fail(const Position& at, const std::string& what) const;

  bool at_end(const Position& at) const { return at.chunk == records.size(); }
  // The record at the position, which moves to the next one.
  Record read(Position& at) const;
  // Whether the file has all chunks of a blob.
  bool holds(const Blob& blob) const;
  // Appends the data of a blob.
  void append(const Blob& blob, Bytes& to) const;
  // The number of bytes of a blob.
  std::uint64_t bytes_of(const Blob& blob) const;
};

}  // namespace heddle::cuda
