#include "base/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/diagnostics.h"
#include "base/marked_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "heddle-";
constexpr std::string_view kPattern = "XXXXXX";
constexpr std::string_view kPurpose = "temporary folder";

fs::path folder_for_temporary_files() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (!failed) return folder;
  const char* const named = std::getenv("TMPDIR");
  throw UserError("there is no folder for temporary files" +
                  (named ? ": TMPDIR is '" + std::string(named) + "'" : std::string()) + " (" +
                  failed.message() + "); set TMPDIR to a folder that can be written");
}

int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_if_abandoned(const fs::path& path, std::chrono::seconds minimum_age) {
  const int folder = open_folder(path);
  if (folder < 0) return;
  struct stat status{};
  if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
      std::time(nullptr) - status.st_ctime >= minimum_age.count() &&
      flock(folder, LOCK_EX | LOCK_NB) == 0)
    remove_marked_folder(path, kPurpose);
  close(folder);
}

}  // namespace

void remove_abandoned_folders(const fs::path& parent, std::chrono::seconds minimum_age) {
  std::error_code failed;
  for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.size() == kPrefix.size() + kPattern.size())
      remove_if_abandoned(entry->path(), minimum_age);
  }
}

TemporaryFolder::TemporaryFolder() {
  const fs::path parent = folder_for_temporary_files();
  static const bool removed = (remove_abandoned_folders(parent, std::chrono::hours(24)), true);
  static_cast<void>(removed);
  std::string pattern = (parent / kPrefix).string() + std::string(kPattern);
  if (!mkdtemp(pattern.data()))
    throw UserError("cannot create a folder in " + parent.string() + ": " + std::strerror(errno));
  path_ = pattern;
  lock_ = open_folder(path_);
  if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
  try {
    mark_folder(path_, kPurpose);
  } catch (const UserError&) {
    if (lock_ >= 0) close(lock_);
    rmdir(path_.c_str());
    throw;
  }
}

TemporaryFolder::~TemporaryFolder() {
  remove_marked_folder(path_, kPurpose);
  if (lock_ >= 0) close(lock_);
}

}  // namespace heddle
