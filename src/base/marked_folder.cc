#include "base/marked_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/diagnostics.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = ".made-by-heddle";
constexpr std::size_t kMaxMark = 8192;  // bytes

int open_real_folder(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The number of the folder in its file system is the same on all machines that share it.
std::string mark_of(int folder, std::string_view purpose) {
  struct stat facts{};
  if (::fstat(folder, &facts) != 0) return {};
  return "Heddle made this folder and removes it with all that it holds.\n" + std::string(purpose) +
         "\nfolder " + std::to_string(facts.st_ino) + "\n";
}

bool has_mark(int folder, std::string_view purpose) {
  struct stat facts{};
  const Descriptor file(
      ::openat(folder, kMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0) return false;
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid()) return false;
  std::string text(kMaxMark, '\0');
  const ssize_t got = ::read(file.number(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return !text.empty() && text == mark_of(folder, purpose);
}

// Through the descriptor, so that another folder that gets the path meanwhile is not touched.
void remove_content(int folder) {
  const fs::path content = "/proc/self/fd/" + std::to_string(folder);
  std::vector<fs::path> names;
  std::error_code ignored;
  for (fs::directory_iterator entry(content, ignored), end; !ignored && entry != end;
       entry.increment(ignored))
    if (entry->path().filename() != kMark) names.push_back(entry->path());
  for (const fs::path& name : names) fs::remove_all(name, ignored);
}

}  // namespace

void mark_folder(const fs::path& folder, std::string_view purpose) {
  const Descriptor at(open_real_folder(folder));
  const std::string text = at.is_open() ? mark_of(at.number(), purpose) : std::string();
  const Descriptor file(
      at.is_open()
          ? ::openat(at.number(), kMark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)
          : -1);
  if (!file.is_open() ||
      ::write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw UserError("cannot mark the folder " + folder.string() +
                    " as made by Heddle: " + std::strerror(errno));
}

bool is_marked_folder(const fs::path& folder, std::string_view purpose) {
  const Descriptor at(open_real_folder(folder));
  return at.is_open() && has_mark(at.number(), purpose);
}

bool remove_marked_folder(const fs::path& folder, std::string_view purpose) {
  const Descriptor at(open_real_folder(folder));
  if (!at.is_open() || !has_mark(at.number(), purpose)) return false;
  remove_content(at.number());
  ::unlinkat(at.number(), kMark, 0);
  ::rmdir(folder.c_str());  // only an empty folder
  return true;
}

}  // namespace heddle
