#include "base/source_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {
    ".c",   ".cc",  ".cpp", ".cxx", ".cu",  ".cuh", ".h",   ".hh", ".hpp", ".hxx", ".inc",
    ".inl", ".ipp", ".tcc", ".ptx", ".cl",  ".clh", ".py",  ".rs", ".jl",  ".f",   ".f90",
    ".F90", ".cuf", ".CUF", ".C",   ".c++", ".h++", ".cui", ".ll", ".m",   ".d",   ".zig"};

bool is_source_name(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

bool is_below(const std::string& path, const std::string& folder) {
  if (folder == "/") return path.starts_with("/");
  return path.starts_with(folder + "/");
}

std::string name_of_open_file(int file) {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(file), failed);
  return failed ? std::string() : path.string();
}

std::string read_at_most(int file, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::read(file, text.data() + done, bytes - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace

SourceFiles::SourceFiles(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code failed;
    const fs::path real = fs::canonical(folder, failed);
    if (!failed) folders_.push_back(real.string());
  }
}

SourceFiles SourceFiles::of_program(const std::string& program, std::vector<std::string> folders) {
  std::error_code failed;
  const fs::path real = fs::canonical(program, failed);
  if (!failed) folders.push_back(real.parent_path().string());
  return SourceFiles(folders);
}

// The object is opened as a path first, which has no effect on devices and pipes; its real name and
// kind are those of what is read then.
SourceFiles::File SourceFiles::read(const std::string& path) const {
  const int handle = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (handle < 0) return {};
  File file{State::refused, {}};
  struct stat facts{};
  const std::string real = name_of_open_file(handle);
  const bool allowed =
      ::fstat(handle, &facts) == 0 && S_ISREG(facts.st_mode) &&
      static_cast<std::size_t>(facts.st_size) <= kMaxBytes && is_source_name(real) &&
      std::any_of(folders_.begin(), folders_.end(),
                  [&](const std::string& folder) { return is_below(real, folder); });
  if (allowed) {
    const std::string again = "/proc/self/fd/" + std::to_string(handle);
    const int content = ::open(again.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (content >= 0) {
      file = {State::shown, read_at_most(content, static_cast<std::size_t>(facts.st_size))};
      ::close(content);
    }
  }
  ::close(handle);
  return file;
}

const SourceFiles::File& SourceFiles::find(const std::string& name) {
  const auto [place, added] = files_.try_emplace(name);
  if (!added) return place->second;
  if (fs::path(name).is_absolute()) return place->second = read(name);
  for (const std::string& folder : folders_) {
    File file = read(folder + "/" + name);
    if (file.state == State::missing) continue;
    place->second = std::move(file);
    if (place->second.state == State::shown) break;
  }
  return place->second;
}

std::optional<std::string> SourceFiles::text(const std::string& file) {
  const File& found = find(file);
  if (found.state != State::shown) return {};
  return found.text;
}

std::string SourceFiles::line(const std::string& file, int number) {
  const std::string& text = find(file).text;
  std::size_t from = 0;
  for (int left = number; left > 1 && from < text.size(); --left)
    from = std::min(text.find('\n', from), text.size() - 1) + 1;
  if (number < 1 || from >= text.size()) return {};
  const std::string_view line(text.data() + from,
                              std::min(text.find('\n', from), text.size()) - from);
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string() : std::string(line.substr(first));
}

std::vector<std::string> SourceFiles::with_state(State state) const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_)
    if (file.state == state) names.push_back(name);
  return names;
}

std::vector<std::string> SourceFiles::shown() const { return with_state(State::shown); }
std::vector<std::string> SourceFiles::refused() const { return with_state(State::refused); }

}  // namespace heddle
