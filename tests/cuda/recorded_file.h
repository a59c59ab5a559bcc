// A capture that a test writes, and the records that it holds.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "cuda/capture/format.h"
#include "cuda/capture/record_sink.h"
#include "exec/state/global_memory.h"

namespace heddle::cuda {

class RecordedFile {
 public:
  RecordedFile()
      : path((std::filesystem::temp_directory_path() /
              ("heddle_recorded." + std::to_string(::getpid()) + ".hcap"))
                 .string()) {}
  ~RecordedFile() { std::filesystem::remove(path); }
  RecordedFile(const RecordedFile&) = delete;
  RecordedFile& operator=(const RecordedFile&) = delete;

  static CaptureInfo info() {
    CaptureInfo info;
    info.heddle_version = "0";
    info.program = {"./prog"};
    info.memory_bytes = 1 << 24;
    info.gpu = "gtx480";
    return info;
  }
  bool exists() const { return std::filesystem::exists(path); }
  std::vector<Record> records() const {
    const CaptureFile file(path);
    CaptureFile::Content::Position at;
    std::vector<Record> all;
    while (!file.content().at_end(at)) all.push_back(file.content().read(at));
    return all;
  }
  // The bytes that a blob of the file holds.
  std::string data_of(const Blob& blob) const {
    const CaptureFile file(path);
    Bytes bytes;
    file.content().append(blob, bytes);
    return {bytes.begin(), bytes.end()};
  }

  const std::string path;
};

// A test that records into such a file.
class RecordingTest : public testing::Test {
 protected:
  RecordingTest() : sink(file.path) {}
  // As the host does, in memory that it shares with the device.
  void write(Address at, const char* text) {
    std::memcpy(memory.host(at), text, std::strlen(text));
  }
  std::vector<Record> records() {
    sink.finish(RecordedFile::info());
    return file.records();
  }

  RecordedFile file;
  exec::GlobalMemory memory{1 << 24};
  RecordSink sink;
};

// The effect of a record; nothing else is expected.
template <class Kind>
const Kind& effect_of(const Record& record) {
  return std::get<Kind>(std::get<Effect>(record));
}

}  // namespace heddle::cuda
