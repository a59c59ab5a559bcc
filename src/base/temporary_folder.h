// A folder for the files of one process.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace heddle {

// A folder named "heddle-" and six characters in the system's folder for temporary files. The
// destructor removes it. A killed process cannot remove its folder. The next process that needs a
// folder removes those of the same user that carry Heddle's mark (marked_folder.h), that no process
// has locked and that are a day old. Throws UserError when it cannot be created.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // a descriptor of the folder, locked while the object exists
};

// Removes the marked temporary folders in `parent` that this user owns, that nobody has locked, and
// that have not changed for `minimum_age`. (A folder is created a moment before it is locked.)
void remove_abandoned_folders(const std::filesystem::path& parent,
                              std::chrono::seconds minimum_age);

}  // namespace heddle
