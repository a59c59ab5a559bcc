#include "base/process_pool.h"

#include <algorithm>
#include <map>
#include <thread>

namespace heddle {

std::size_t runs_at_once(int jobs, unsigned threads) {
  return jobs > 0 ? static_cast<std::size_t>(jobs)
                  : std::max(1u, std::thread::hardware_concurrency() / threads);
}

void run_pool(ProcessGroup& group, const PoolWork& work) {
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0, done = 0;
  while (next < work.count || !running.empty()) {
    while (next < work.count && running.size() < work.at_once && !group.interrupted()) {
      if (const auto command = work.command(next))
        running[group.start(*command)] = next;
      else
        ++done;
      ++next;
    }
    if (running.empty()) break;
    if (work.waits) work.waits(done);
    const ProcessGroup::Ended ended = group.wait_any();
    const std::size_t number = running.at(ended.pid);
    running.erase(ended.pid);
    work.ended(number, ended);
    ++done;
  }
}

}  // namespace heddle
