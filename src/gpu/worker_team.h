// Threads that share out the work of a phase. Every item is done once, by whichever thread takes it; the caller works too and
// goes on when all are done. An item has a home, the thread whose caches knew it last; a thread that has nothing left at home
// takes from the others, so a phase never waits for a thread that the operating system has not let run.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace heddle::gpu {

class WorkerTeam {
 public:
  explicit WorkerTeam(std::uint32_t threads);  // the caller is one of them
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(lanes_.size()); }

  // The next phase's items, given between phases. Items with the same item % threads() share a home.
  void add(std::uint32_t item) { lanes_[item % lanes_.size()]->items.push_back(item); }
  std::uint32_t added() const;

  // Calls work(item) for every item added and forgets them. shared = false: on the calling thread alone. When calls throw, the
  // rest is done all the same, and what the lowest item threw is thrown again: the same for every number of threads.
  template <class Work>
  void run(bool shared, Work&& work) {
    context_ = &work;
    call_ = [](void* context, std::uint32_t item) { (*static_cast<std::remove_reference_t<Work>*>(context))(item); };
    run(shared);
  }

 private:
  // The items of one home. Its owner takes them from the front, others from the back.
  struct alignas(64) Lane {
    std::atomic<std::uint64_t> range{0};  // phase << 32 | first << 16 | end
    std::vector<std::uint32_t> items;
  };

  void run(bool shared);
  void serve(std::uint32_t home);
  void take_part(std::uint32_t home);
  bool take(Lane& lane, bool from_front, std::uint32_t& item);
  void perform(std::uint32_t item);
  void wait_for_the_rest();

  void (*call_)(void*, std::uint32_t) = nullptr;
  void* context_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::uint32_t failed_item_ = 0;
  alignas(64) std::atomic<std::uint32_t> phase_{0};
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
  std::vector<std::thread> workers_;  // last: they use everything above
};

}  // namespace heddle::gpu
