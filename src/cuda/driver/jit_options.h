// The options of calls that compile or link PTX: where they write messages and times. Options that
// direct the compiler are accepted and have no effect.
#pragma once

#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace heddle::cuda {

class JitOptions {
 public:
  JitOptions() = default;
  // Keeps the arrays, which CUDA asks programs to keep, and empties the logs.
  JitOptions(unsigned count, const CUjit_option* names, void** values);

  // Messages of an error: written, cut to the buffer, and their length to the option of its size.
  void write_error(std::string_view text) const { error_.write(text); }
  // The length 0 for logs without messages.
  void write_empty_sizes() const;
  void write_wall_time(double milliseconds) const;

 private:
  struct Log {
    char* buffer = nullptr;
    std::size_t room = 0;
    void** size = nullptr;  // option; the size of the buffer at first, then of the text
    void write(std::string_view text) const;
  };
  Log information_, error_;
  void** wall_time_ = nullptr;
};

}  // namespace heddle::cuda
