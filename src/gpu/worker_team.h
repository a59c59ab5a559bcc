// Threads that share out the work of a phase. The caller works too and goes on when all is done. An item has a home, the thread
// whose caches know it, and is done there: what moves from one core to another costs more than what is won by evening out one
// phase. Only when a thread does not come, because the operating system lets others run, the caller does its part.
// Some items stand behind a gate: they wait for the opening, a first part of the work that the caller does, and its closing part waits for
// them. Both run beside the items that are free.
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

  // The next phase's items, given between phases. home < threads(); the caller is thread 0.
  void add(std::uint32_t item, std::uint32_t home) { lanes_[home]->items.push_back(item); }
  void add_behind_gate(std::uint32_t item, std::uint32_t home) { lanes_[home]->gated.push_back(item); }

  // Calls work(item) for every item added and forgets them. shared = false: on the calling thread alone. When calls throw, the
  // rest is done all the same, and what the lowest item threw is thrown again: the same for every number of threads.
  // work.prepare(item) is called first for all free items of a home, by the thread that is about to do them. work.open() comes before the
  // items behind the gate, work.close() after them.
  template <class Work>
  void run(bool shared, Work&& work) {
    using W = std::remove_reference_t<Work>;
    context_ = &work;
    call_ = [](void* context, std::uint32_t item) { (*static_cast<W*>(context))(item); };
    prepare_ = nullptr;
    open_ = close_ = nullptr;
    if constexpr (requires { work.prepare(0u); }) prepare_ = [](void* context, std::uint32_t item) { static_cast<W*>(context)->prepare(item); };
    if constexpr (requires { work.open(); work.close(); }) {
      open_ = [](void* context, std::uint32_t) { static_cast<W*>(context)->open(); };
      close_ = [](void* context, std::uint32_t) { static_cast<W*>(context)->close(); };
    }
    run(shared);
  }

 private:
  // The items of one home, taken all together.
  struct alignas(64) Lane {
    std::atomic<std::uint32_t> open{0};     // the phase whose items nobody has taken; 0 = none
    std::atomic<std::uint32_t> arrived{0};  // the last phase in which its thread came
    bool absent = false;                    // it did not come to the last phase
    std::vector<std::uint32_t> items, gated;
    std::uint32_t size() const { return static_cast<std::uint32_t>(items.size() + gated.size()); }
  };
  using Call = void (*)(void*, std::uint32_t);

  void run(bool shared);
  void run_alone();
  void run_shared();
  void serve(std::uint32_t home);
  void take_part(Lane& lane);
  void perform(Call call, std::uint32_t item);
  void open_gate(std::uint32_t phase);
  void wait_at_gate(std::uint32_t phase) const;
  void wait_for(const std::atomic<std::uint32_t>& left);

  Call call_ = nullptr, prepare_ = nullptr, open_ = nullptr, close_ = nullptr;
  void* context_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::uint32_t failed_item_ = 0;
  alignas(64) std::atomic<std::uint32_t> phase_{0};
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::uint32_t> gate_{0};  // the last phase whose gate was opened
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
  std::atomic<std::uint32_t> unfinished_gated_{0};  // those of them behind the gate
  std::vector<std::thread> workers_;  // last: they use everything above
};

}  // namespace heddle::gpu
