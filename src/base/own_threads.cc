#include "base/own_threads.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <csignal>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace heddle {
namespace {
// At most 15 characters. A new thread inherits the name of the thread that creates it.
constexpr const char* kName = "heddle:worker";
}  // namespace

void mark_own_thread() { pthread_setname_np(pthread_self(), kName); }

std::thread joinable_own_thread(std::function<void()> work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([work = std::move(work)] {
    mark_own_thread();
    work();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

void start_own_thread(std::function<void()> work) { joinable_own_thread(std::move(work)).detach(); }

bool separate_descriptors() {
  if (::close_range(0, ~0U, CLOSE_RANGE_UNSHARE) == 0) return true;
  if (::unshare(CLONE_FILES) != 0) return false;  // before Linux 5.9
  ::closefrom(0);
  return true;
}

bool only_own_threads() {
  const std::string self = std::to_string(::gettid());
  std::error_code failed;
  bool only = false;
  for (std::filesystem::directory_iterator task("/proc/self/task", failed), end;
       !failed && task != end; task.increment(failed)) {
    if (task->path().filename() == self) {
      only = true;
      continue;
    }
    std::string name;
    std::getline(std::ifstream(task->path() / "comm"), name);
    if (name != kName) return false;
  }
  return only && !failed;
}

}  // namespace heddle
