#include <algorithm>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/diagnostics.h"
#include "cuda/capture/format.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kRecordsPerChunkBytes = std::size_t{256} << 10;

}  // namespace

CaptureWriter::CaptureWriter(std::string path) : file_(std::move(path)) {}

void CaptureWriter::add(const Record& record) {
  Encoder encoder(records_);
  encoder(record);
  if (records_.size() >= kRecordsPerChunkBytes) flush_records();
}

void CaptureWriter::flush_records() {
  if (records_.empty()) return;
  records_bytes_ += records_.size();
  if (records_.size() > kMaxRecordBytes || records_bytes_ > kMaxRecordsBytes)
    throw UserError(
        "the program does too much for one capture: a capture holds 512 MiB of records "
        "beside the data of copies");
  file_.write(ChunkType::records, records_);
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
      file_.write(ChunkType::data, {data + done, size});
      ++data_chunks_;
    }
    blob.chunks.push_back(known->second);
  }
  return blob;
}

void CaptureWriter::finish(const CaptureInfo& info) {
  flush_records();
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(info);
  file_.finish(bytes);
}

}  // namespace heddle::cuda
