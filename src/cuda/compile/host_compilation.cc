#include "cuda/compile/host_compilation.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/diagnostics.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPoll{2};

void make_fifo(const fs::path& path) {
  if (::mkfifo(path.c_str(), 0600) != 0)
    throw UserError("cannot make the FIFO " + path.string() + ": " + std::strerror(errno));
}

// While it exists, writing to a FIFO that nobody reads any more is an error, not a signal.
class NoSigpipe {
 public:
  NoSigpipe() : previous_(::signal(SIGPIPE, SIG_IGN)) {}
  ~NoSigpipe() { ::signal(SIGPIPE, previous_); }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  void (*previous_)(int);
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

HostCompilation::HostCompilation(const Command& command, fs::path code, fs::path names,
                                 const fs::path& errors)
    : code_(std::move(code)), names_(std::move(names)) {
  make_fifo(code_);
  make_fifo(names_);
  command_ = group_.start({command, {}, {}, errors.string()});
}

HostCompilation::~HostCompilation() {
  if (group_.running() > 0) group_.kill_child(command_);
  for (const fs::path& fifo : {code_, names_}) {
    // A process that the command has started may wait for a writer.
    const Descriptor writer(::open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    std::error_code ignored;
    fs::remove(fifo, ignored);
  }
}

bool HostCompilation::has_ended() {
  if (group_.running() == 0) return true;
  if (const auto ended = group_.wait_any_for(kPoll)) ending_ = ended->ending;
  if (group_.interrupted()) throw Interruption{group_.interrupted()};
  return group_.running() == 0;
}

// A FIFO can be opened for writing when the command has opened it for reading.
bool HostCompilation::give(const fs::path& fifo, const std::string& text) {
  while (!has_ended()) {
    const Descriptor file(::open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open()) continue;
    ::fcntl(file.number(), F_SETFL, 0);  // from now on, wait for the reader
    return write_all(file.number(), text);
  }
  return false;
}

bool HostCompilation::finish(const std::string& code, const std::string& names) {
  const NoSigpipe no_sigpipe;
  if (!give(code_, code) || !give(names_, names)) return false;
  if (group_.running() > 0) ending_ = group_.wait_any().ending;
  if (group_.interrupted()) throw Interruption{group_.interrupted()};
  return ending_.signal == 0 && ending_.exit_code == 0;
}

}  // namespace heddle::cuda
