// A file that is written through memory which it shares with its readers. What was appended is in
// the file whatever ends the process, and no descriptor is kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

// The file ends in zeros: it grows by more than a text needs. A text that is appended while the
// process ends may be there in part.
class SharedLog {
 public:
  explicit SharedLog(std::string path);  // makes the file at the first text
  ~SharedLog();
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  // Throws UserError when the file cannot be written.
  void append(std::string_view text);

 private:
  void next_window();

  std::string path_;
  char* window_ = nullptr;  // the mapped end of the file
  std::size_t used_ = 0;    // bytes of the window
  std::size_t windows_ = 0;
};

}  // namespace heddle
