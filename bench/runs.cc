#include "runs.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "heddle-bench-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void redirect(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) ::dup2(file, descriptor);
}

}  // namespace

std::uint64_t Run::total(const std::string& path) const {
  std::string pointer = "/totals/" + path;
  for (char& c : pointer)
    if (c == '.') c = '/';
  return results.value(nlohmann::json::json_pointer(pointer), std::uint64_t{0});
}

namespace {

// Runs `heddle run` with `prefix` before the command. `errors` receives its standard error.
Run run(const std::vector<std::string>& prefix, const TemporaryFolder& folder,
        const std::vector<std::string>& arguments, std::string& errors) {
  std::vector<std::string> command = prefix;
  for (const std::string& word :
       {built("bin/heddle"), std::string("run"), std::string("--out"), folder.file("out")})
    command.push_back(word);
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const auto begun = std::chrono::steady_clock::now();
  const std::string output = folder.file("stdout"), error_path = folder.file("stderr");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    redirect(STDOUT_FILENO, output);
    redirect(STDERR_FILENO, error_path);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0) {
    std::string shown;
    for (const auto& word : command) shown += word + " ";
    throw std::runtime_error(shown + "failed:\n" + text_of(error_path));
  }
  Run run;
  run.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  errors = text_of(error_path);
  run.output = text_of(output);
  run.results = nlohmann::json::parse(text_of(folder.file("out") + "/run.json"));
  run.user_s = static_cast<double>(usage.ru_utime.tv_sec) +
               static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
  run.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return run;
}

}  // namespace

Run run_heddle(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::string errors;
  return run({}, folder, arguments, errors);
}

Run count_instructions(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::string errors;
  Run counted = run({"valgrind", "--tool=callgrind", "--trace-children=yes", "--collect-atstart=no",
                     "--toggle-collect=heddle::gpu::Device::Impl::advance(heddle::Cycle)",
                     "--callgrind-out-file=" + folder.file("count.%p")},
                    folder, arguments, errors);
  // valgrind prints one line per process; the one that simulates has the largest count.
  for (std::size_t at = 0; (at = errors.find("I   refs:", at)) != std::string::npos; ++at) {
    std::string digits;
    for (std::size_t i = at + 9; i < errors.size() && errors[i] != '\n'; ++i)
      if (std::isdigit(static_cast<unsigned char>(errors[i]))) digits += errors[i];
    if (!digits.empty())
      counted.host_instructions =
          std::max<std::uint64_t>(counted.host_instructions, std::stoull(digits));
  }
  if (counted.host_instructions == 0)
    throw std::runtime_error("valgrind counted nothing:\n" + errors);
  return counted;
}

std::string built(const std::string& program) {
  return std::string(HEDDLE_BINARY_DIR) + "/" + program;
}

}  // namespace heddle::bench
