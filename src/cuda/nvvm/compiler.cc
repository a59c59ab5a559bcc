#include "cuda/nvvm/compiler.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "cuda/nvvm/intrinsics.h"

namespace heddle::nvvm {
namespace {

// A file in memory, which a child process opens by path().
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {}) : descriptor_(memfd_create("nvvm", 0)) {
    if (descriptor_ < 0) fail();
    while (!content.empty()) {
      const ssize_t written = write(descriptor_, content.data(), content.size());
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  std::string content() const {
    std::string text;
    char part[65536];
    for (ssize_t n; (n = pread(descriptor_, part, sizeof part, static_cast<off_t>(text.size())));) {
      if (n < 0) fail();
      text.append(part, static_cast<std::size_t>(n));
    }
    return text;
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error(std::strerror(errno)); }
  int descriptor_;
};

std::vector<std::string> command_for(const NvvmOptions& options) {
  const char* chosen = std::getenv("HEDDLE_CLANG");
  std::vector<std::string> command{chosen && *chosen ? chosen : "clang++-19",
                                   "-x",
                                   "ir",
                                   "--target=nvptx64-nvidia-cuda",
                                   "-march=sm_" + options.architecture,
                                   "-S",
                                   "-w",
                                   options.optimize ? "-O3" : "-O0",
                                   options.contract ? "-ffp-contract=fast" : "-ffp-contract=off"};
  // The other settings are those of heddle cc.
  for (const char* setting :
       {"-disable-block-placement", "-slp-max-vf=8",
        options.exact_division ? "-nvptx-prec-divf32=2" : "-nvptx-prec-divf32=0",
        options.exact_root ? "-nvptx-prec-sqrtf32=1" : "-nvptx-prec-sqrtf32=0"})
    command.insert(command.end(), {"-mllvm", setting});
  if (options.flush)
    command.insert(command.end(), {"-Xclang", "-fdenormal-fp-math-f32=preserve-sign"});
  return command;
}

// What clang says, without the stack of an internal error. An intrinsic that has no instruction on
// the architecture is one.
std::string reason(const std::string& messages, const std::string& architecture) {
  constexpr std::string_view kNoInstruction = "Cannot select: intrinsic %";
  if (const auto at = messages.find(kNoInstruction); at != std::string::npos) {
    const auto name = at + kNoInstruction.size();
    return messages.substr(name, messages.find_first_of(" \n", name) - name) +
           " does not exist on compute_" + architecture +
           ": choose a GPU of a later compute capability";
  }
  return messages.substr(0, messages.find("PLEASE submit a bug report"));
}

std::string run(std::vector<std::string> command, const std::string& architecture) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const MemoryFile output, messages;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) throw std::runtime_error(command[0] + " cannot start: " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error(std::strerror(errno));
  if (status != 0)
    throw std::runtime_error(command[0] + ": " + reason(messages.content(), architecture));
  return output.content();
}

bool yes(const std::string& option, std::string_view value) {
  if (value != "0" && value != "1") throw InvalidOption(option + ": 0 or 1 is expected");
  return value == "1";
}

}  // namespace

NvvmOptions::NvvmOptions(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    constexpr std::string_view kPrefix = "compute_";
    if (key == "-arch" && value.starts_with(kPrefix))
      architecture = value.substr(kPrefix.size());
    else if (key == "-opt")
      optimize = value != "0";
    else if (key == "-ftz")
      flush = yes(word, value);
    else if (key == "-prec-div")
      exact_division = yes(word, value);
    else if (key == "-prec-sqrt")
      exact_root = yes(word, value);
    else if (key == "-fma")
      contract = yes(word, value);
    else if (word == "-g")
      optimize = false;
    else if (word != "-generate-line-info" && word != "-gen-lto" && key != "-split-compile")
      throw InvalidOption("the option " + word + " is not known");
  }
}

std::string compile(std::vector<IrModule> modules, const NvvmOptions& options) {
  std::vector<std::string> command = command_for(options);
  std::vector<std::unique_ptr<MemoryFile>> files;
  bool first = true;
  modules.push_back({"intrinsics", std::string(kIntrinsicDefinitions), true});
  for (const IrModule& module : modules) {
    // What clang takes from a lazy module gets the attributes of the command line.
    files.push_back(
        std::make_unique<MemoryFile>(bitcode_of(module, options.flush && !module.lazy)));
    if (!module.lazy && std::exchange(first, false)) {
      command.push_back(files.back()->path());
      continue;
    }
    command.insert(command.end(),
                   {"-Xclang", module.lazy ? "-mlink-builtin-bitcode" : "-mlink-bitcode-file",
                    "-Xclang", files.back()->path()});
  }
  command.insert(command.end(), {"-o", "-"});
  return run(std::move(command), options.architecture);
}

}  // namespace heddle::nvvm
