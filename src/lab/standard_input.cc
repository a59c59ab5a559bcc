#include "lab/standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "base/diagnostics.h"
#include "base/own_threads.h"
#include "base/temporary_folder.h"

namespace heddle::lab {
namespace {

constexpr const char* kOwnInput = "/proc/self/fd/0";
constexpr std::size_t kBlock_bytes = 65536;

std::shared_ptr<const Descriptor> checked(int number) {
  if (number < 0)
    throw UserError(std::string("cannot open the standard input of a run: ") +
                    std::strerror(errno));
  return std::make_shared<const Descriptor>(number);
}

}  // namespace

// Passes a stream on in a thread of its own. It reads no more of it than the runs do, apart from
// what fits into their pipes, so a stream that stays open without data delays nothing.
class StandardInput::Pump {
 public:
  Pump() : wake_(::eventfd(0, EFD_CLOEXEC)), kept_(open_kept()) {
    thread_ = joinable_own_thread([this] { run(); });
  }
  ~Pump() {
    ends_ = true;
    wake();
    thread_.join();
  }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  std::shared_ptr<const Descriptor> open_for_run() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return checked(-1);
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    {
      const std::lock_guard lock(mutex_);
      new_readers_.push_back({checked(ends[1]), 0});
    }
    wake();
    return checked(ends[0]);
  }
  bool overflowed() const { return overflowed_; }

 private:
  struct Reader {
    std::shared_ptr<const Descriptor> pipe;
    std::size_t passed_on = 0;  // bytes
  };

  // A file without a name: nothing remains of it, however the process ends.
  static int open_kept() {
    const TemporaryFolder folder;
    return ::open(folder.file("input").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t wrote = ::write(wake_.number(), &one, sizeof one);
  }

  void run() {
    while (!ends_) {
      wait();
      {
        const std::lock_guard lock(mutex_);
        std::move(new_readers_.begin(), new_readers_.end(), std::back_inserter(readers_));
        new_readers_.clear();
      }
      std::erase_if(readers_, [this](Reader& reader) { return !pass_on(reader); });
    }
  }

  // Until the stream has what a reader lacks, a pipe has room, a reader has ended, or a new one
  // comes.
  void wait() {
    std::vector<pollfd> watched{{wake_.number(), POLLIN, 0}};
    bool wanted = false;
    for (const Reader& reader : readers_) {
      const bool behind = reader.passed_on < size_;
      wanted = wanted || !behind;
      watched.push_back({reader.pipe->number(), static_cast<short>(behind ? POLLOUT : 0), 0});
    }
    const bool reads = wanted && !at_end_;
    if (reads) watched.push_back({STDIN_FILENO, POLLIN, 0});
    if (::poll(watched.data(), watched.size(), -1) < 0) return;
    if (watched.front().revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_.number(), &count, sizeof count);
    }
    for (std::size_t i = 0; i < readers_.size(); ++i)
      if (watched[i + 1].revents & POLLERR) readers_[i].pipe.reset();
    std::erase_if(readers_, [](const Reader& reader) { return !reader.pipe; });
    if (reads && watched.back().revents != 0) keep_block();
  }

  void keep_block() {
    const ssize_t got = ::read(STDIN_FILENO, block_.data(), block_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    const auto bytes = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    overflowed_ = size_ + bytes > kMaxKept_bytes ||
                  ::pwrite(kept_.number(), block_.data(), bytes, static_cast<off_t>(size_)) !=
                      static_cast<ssize_t>(bytes);
    at_end_ = got <= 0 || overflowed_;
    if (!overflowed_) size_ += bytes;
  }

  // Returns whether the reader needs more.
  bool pass_on(Reader& reader) {
    while (reader.passed_on < size_) {
      const ssize_t got =
          ::pread(kept_.number(), block_.data(), std::min(block_.size(), size_ - reader.passed_on),
                  static_cast<off_t>(reader.passed_on));
      if (got <= 0) return false;
      const ssize_t wrote =
          ::write(reader.pipe->number(), block_.data(), static_cast<std::size_t>(got));
      if (wrote < 0) return errno == EAGAIN || errno == EINTR;
      reader.passed_on += static_cast<std::size_t>(wrote);
    }
    return !at_end_;
  }

  const Descriptor wake_;
  const Descriptor kept_;
  std::array<char, kBlock_bytes> block_{};
  std::size_t size_ = 0;  // bytes kept
  bool at_end_ = false;
  std::atomic<bool> ends_ = false, overflowed_ = false;
  std::vector<Reader> readers_;
  std::mutex mutex_;
  std::vector<Reader> new_readers_;
  std::thread thread_;
};

StandardInput::Kind StandardInput::kind() {
  struct stat status{};
  if (::fstat(STDIN_FILENO, &status) != 0 || ::isatty(STDIN_FILENO) != 0) return Kind::empty;
  if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) return Kind::stream;
  const Descriptor again(::open(kOwnInput, O_RDONLY | O_CLOEXEC));
  return again.is_open() ? Kind::file : Kind::stream;
}

StandardInput::StandardInput() : kind_(kind()) {
  if (kind_ == Kind::stream) pump_ = std::make_unique<Pump>();
}
StandardInput::~StandardInput() = default;

std::shared_ptr<const Descriptor> StandardInput::open_for_run() {
  if (kind_ == Kind::stream) return pump_->open_for_run();
  if (kind_ == Kind::empty) return open_empty();
  auto file = checked(::open(kOwnInput, O_RDONLY | O_CLOEXEC));
  const off_t begin = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (begin > 0) ::lseek(file->number(), begin, SEEK_SET);
  return file;
}

std::shared_ptr<const Descriptor> StandardInput::open_empty() {
  return checked(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void StandardInput::require_complete() const {
  if (pump_ && pump_->overflowed())
    throw UserError(
        "the standard input is larger than 1 GiB, or cannot be kept for all runs in a temporary "
        "file: give it as a file (< FILE)");
}

}  // namespace heddle::lab
