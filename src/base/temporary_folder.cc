#include "base/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/diagnostics.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "heddle-";
constexpr std::string_view kPattern = "XXXXXX";

int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_if_abandoned(const fs::path& path, std::chrono::seconds minimum_age) {
  const int folder = open_folder(path);
  if (folder < 0) return;
  struct stat status{};
  if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
      std::time(nullptr) - status.st_ctime >= minimum_age.count() &&
      flock(folder, LOCK_EX | LOCK_NB) == 0) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
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
  const fs::path parent = fs::temp_directory_path();
  static const bool removed = (remove_abandoned_folders(parent, std::chrono::hours(24)), true);
  static_cast<void>(removed);
  std::string pattern = (parent / kPrefix).string() + std::string(kPattern);
  if (!mkdtemp(pattern.data()))
    throw UserError("cannot create a folder in " + parent.string() + ": " + std::strerror(errno));
  path_ = pattern;
  lock_ = open_folder(path_);
  if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace heddle
