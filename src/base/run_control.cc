#include "base/run_control.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>

#include "base/diagnostics.h"

namespace heddle {
namespace {

constexpr std::uint32_t kAtOnce = 0x100;  // in the word of the request, above the signal
constexpr std::uint32_t kSignal = 0xff;

// Whether a process exists and is more than an entry for its parent to read.
bool is_alive(pid_t process) {
  if (process <= 1 || (::kill(process, 0) != 0 && errno == ESRCH)) return false;
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= text.size() ||
         (text[name_end + 2] != 'Z' && text[name_end + 2] != 'X');
}

}  // namespace

struct RunControl::Page {
  std::atomic<std::uint32_t> notifications;
  std::atomic<std::uint32_t> stop;
  std::atomic<pid_t> owner;
  std::atomic<std::uint32_t> users, launching_users;
  std::array<std::atomic<pid_t>, kUsers> processes;  // 0: none
};

void RunControl::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  // Reserved, not only sized: storing in a page that a full disk has no block for is a SIGBUS.
  const int reason = file < 0 ? errno : ::posix_fallocate(file, 0, sizeof(Page));
  if (file >= 0) ::close(file);
  if (reason != 0) throw UserError("cannot write " + path + ": " + std::strerror(reason));
  RunControl(path).page_->owner = ::getpid();
}

RunControl::RunControl(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status{};
  const bool whole = file >= 0 && ::fstat(file, &status) == 0 &&
                     static_cast<std::uint64_t>(status.st_size) >= sizeof(Page);
  void* const page =
      whole ? ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            : MAP_FAILED;
  if (file >= 0) ::close(file);
  if (page == MAP_FAILED)
    throw UserError("cannot use " + path + ", through which `heddle` controls the program");
  page_ = static_cast<Page*>(page);
}

RunControl::~RunControl() { ::munmap(page_, sizeof(Page)); }

void RunControl::request_stop(const Stop& stop) {
  page_->stop = (static_cast<std::uint32_t>(stop.signal) & kSignal) | (stop.at_once ? kAtOnce : 0);
  notify();
}

std::uint32_t RunControl::users() const { return page_->users; }

std::uint32_t RunControl::launching_users() const { return page_->launching_users; }

std::vector<pid_t> RunControl::running_users() const {
  std::vector<pid_t> running;
  for (const auto& process : page_->processes)
    if (const pid_t id = process; is_alive(id)) running.push_back(id);
  return running;
}

void RunControl::begin_use() {
  ++page_->users;
  for (auto& process : page_->processes) {
    pid_t listed = process;
    if ((listed == ::getpid() || !is_alive(listed)) &&
        process.compare_exchange_strong(listed, ::getpid()))
      return;
  }
}

void RunControl::begin_launches() { ++page_->launching_users; }

RunControl::Stop RunControl::stop() const {
  const std::uint32_t word = page_->stop;
  return {static_cast<int>(word & kSignal), (word & kAtOnce) != 0};
}

pid_t RunControl::owner() const { return page_->owner; }

std::uint32_t RunControl::notifications() const { return page_->notifications; }

void RunControl::wait(std::uint32_t seen, std::chrono::milliseconds limit) const {
  const timespec time{limit.count() / 1000, limit.count() % 1000 * 1'000'000};
  ::syscall(SYS_futex, &page_->notifications, FUTEX_WAIT, seen, &time, nullptr, 0);
}

void RunControl::notify() {
  ++page_->notifications;
  ::syscall(SYS_futex, &page_->notifications, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace heddle
