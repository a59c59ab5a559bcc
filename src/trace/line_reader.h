// Reads the lines of a text file, or of one that xz has compressed, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle::trace {

class LineReader {
 public:
  // Throws UserError when the file cannot be read.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // Whether a file that begins so is one of xz.
  static bool is_compressed(std::string_view start);

  // The next line, valid until the next call; false at the end. Throws UserError for a damaged
  // file and for a line of more than a MiB.
  bool next(std::string_view& line);
  // Of the line that next() has returned.
  SourceLocation place() const;

 private:
  struct Input;
  bool fill();

  std::string path_;
  std::unique_ptr<Input> input_;
  std::string buffer_;  // what was read; lines before `at_` have been returned
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
  bool at_end_ = false;
};

}  // namespace heddle::trace
