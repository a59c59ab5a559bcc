// The standard input of a command that runs a program several times. Every run reads it from its
// beginning, whatever the others have read.
#pragma once

#include <cstddef>
#include <memory>

#include "base/descriptor.h"

namespace heddle::lab {

class StandardInput {
 public:
  // Of this process. A file is opened again for each run. What a pipe or socket delivers is kept
  // in a temporary file and passed on through pipes as the runs read it. A terminal cannot be read
  // by several runs: they have an empty input.
  StandardInput();
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  // For one run. UserError when the system has no more descriptors.
  std::shared_ptr<const Descriptor> open_for_run();
  static std::shared_ptr<const Descriptor> open_empty();
  // UserError when there was more than can be kept: the runs saw its end too early.
  void require_complete() const;

  static constexpr std::size_t kMaxKept_bytes = std::size_t{1} << 30;

 private:
  enum class Kind { empty, file, stream };
  class Pump;

  static Kind kind();

  Kind kind_;
  std::unique_ptr<Pump> pump_;  // of a stream
};

}  // namespace heddle::lab
