// A captured program in a file (.hcap): what the program asked of the device. docs/captures.md
// describes it; capture/format.h has the layout.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capture/archive.h"

namespace heddle::cuda {

struct CaptureInfo {
  std::string heddle_version;         // that captured
  std::string gpu;                    // on which the program ran
  std::vector<std::string> program;   // path and arguments
  std::uint64_t memory_bytes = 0;     // of the device: addresses depend on it
  std::uint64_t launches = 0;         // in the file
  std::uint64_t first_launch = 1;     // the program's number of the first one
  std::uint64_t elapsed_times = 0;    // successful calls of cudaEventElapsedTime
  std::vector<std::uint64_t> images;  // launches before which the memory is stored, ascending
  bool allocations_apart = false;     // as heddle check keeps them

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.heddle_version, self.gpu, self.program);
    archive.within(self.memory_bytes, {1, kMaxMemoryBytes}, "the size of the device's memory");
    archive.within(self.launches, {0, kLaunches.most}, "the number of launches");
    archive.within(self.first_launch, kLaunches, "the first launch");
    archive(self.elapsed_times, self.images, self.allocations_apart);
  }
};

// Whether the file begins with the magic number of captures. False when it cannot be read.
bool is_capture(const std::string& path);

// What the last chunk says; the chunks before it are not checked. UserError as CaptureFile's.
CaptureInfo read_info(const std::string& path);

class CaptureFile {
 public:
  // Reads and checks the whole file: length, version and checksum of every chunk. UserError with
  // the file, the offset and the chunk.
  explicit CaptureFile(const std::string& path);
  ~CaptureFile();
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;

  const std::string& path() const;
  const CaptureInfo& info() const;

  struct Content;
  const Content& content() const { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

// The PTX texts of all modules, with their names in messages.
std::vector<std::pair<std::string, std::string>> module_texts(const CaptureFile& file);

}  // namespace heddle::cuda
