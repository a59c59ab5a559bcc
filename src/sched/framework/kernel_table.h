// The kernels that run on the GPU, and the kernel of every warp of an SM: for policies whose state
// is per kernel.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.h"
#include "isa/kernel.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// Shared by the SM's schedulers (shared_in_sm). Each passes the events of its warps and of kernels;
// the same event of a kernel may come several times.
class KernelTable {
 public:
  void on_warp(const sm::WarpEvent& event) {
    Kernel& k = at(event.kernel);
    const bool was_resident = k.warps.any();
    k.warps.assign(event.warp, event.launch);
    kernel_of_[static_cast<std::size_t>(event.warp.index)] = event.kernel;
    if (k.warps.any() == was_resident) return;
    resident_ += was_resident ? -1 : 1;
    find_sole(event.kernel);
  }
  void on_kernel(const sm::KernelEvent& event) {
    using What = sm::KernelEvent::What;
    Kernel& k = at(event.number);
    if (event.what == What::end) {
      running_ -= k.running;
      ended_ = event.number;
      ended_at_ = event.now;
    } else if (event.what == What::start) {
      running_ += !k.running;
      k.kernel = event.kernel;
    } else {
      return;
    }
    k.running = event.what == What::start;
  }

  int number(WarpSlot warp) const { return kernel_of_[static_cast<std::size_t>(warp.index)]; }
  // Null in unit tests that start no kernel.
  const isa::Kernel* kernel(WarpSlot warp) const {
    const auto i = static_cast<std::size_t>(number(warp));
    return i < kernels_.size() ? kernels_[i].kernel : nullptr;
  }
  // Live warps of the kernel on this SM.
  WarpMask warps(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < kernels_.size() ? kernels_[i].warps : WarpMask{};
  }
  int running() const { return running_; }  // kernels on the GPU
  bool runs_another(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return running_ > (i < kernels_.size() && kernels_[i].running);
  }
  int numbers() const { return static_cast<int>(kernels_.size()); }  // the largest so far, plus one
  // The only kernel with warps on this SM; without warps the one that had some last; -1: several.
  int sole() const { return sole_; }
  // The running kernel that has `rank` running kernels with smaller numbers.
  int by_rank(int rank) const {
    for (std::size_t i = 0; i < kernels_.size(); ++i)
      if (kernels_[i].running && rank-- == 0) return static_cast<int>(i);
    return 0;
  }
  // Whether a report at `now` lists what was recorded for the kernel: a report is made when a
  // kernel has ended, for that kernel, or while kernels run.
  bool is_reported(int number, Cycle now) const {
    if (ended_ >= 0 && ended_at_ == now) return number == ended_;
    const auto i = static_cast<std::size_t>(number);
    return running_ == 0 || (i < kernels_.size() && kernels_[i].running);
  }

 private:
  struct Kernel {
    const isa::Kernel* kernel = nullptr;
    bool running = false;
    WarpMask warps;
  };
  Kernel& at(int number) {
    const auto i = static_cast<std::size_t>(number);
    if (i >= kernels_.size()) kernels_.resize(i + 1);
    return kernels_[i];
  }
  void find_sole(int changed) {
    if (resident_ > 1) {
      sole_ = -1;
    } else if (resident_ == 0) {
      sole_ = changed;
    } else {
      for (std::size_t i = 0; i < kernels_.size(); ++i)
        if (kernels_[i].warps.any()) sole_ = static_cast<int>(i);
    }
  }

  std::vector<Kernel> kernels_;  // by number
  std::array<int, kMaxWarpsPerSm> kernel_of_{};
  int running_ = 0, resident_ = 0, sole_ = 0;
  int ended_ = -1;  // the kernel that ended last
  Cycle ended_at_;
};

}  // namespace heddle::sched
