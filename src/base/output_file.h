// Writes a file.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// A file that is complete or unchanged: it is written under a name that no other file has and
// renamed by commit(). A device, a pipe or a socket in its place is written directly, and a link is
// followed. Every error, also of the last write, is a UserError with the path and the reason.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // a file without commit() is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void flush();  // what was written is in the file
  void commit();

 private:
  void create_temporary();
  [[noreturn]] void fail(int error) const;

  std::string path_;    // as given, for messages
  std::string target_;  // behind links
  std::string part_;    // the temporary file; empty when the target is written directly
  std::string waiting_;
  int file_ = -1;
};

// The same for a text. Creates the folders of the path.
void write_file_atomically(const std::string& path, std::string_view text);

// Whether the path names something that is neither a regular file nor a folder, such as a device or
// a pipe. Such a file has no temporary name beside it.
bool is_special_file(const std::string& path);

}  // namespace heddle
