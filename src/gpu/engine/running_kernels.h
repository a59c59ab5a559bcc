// The launches on the hardware, in the order in which they get CTAs, and their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/engine/running_kernel.h"

namespace heddle::gpu {

class RunningKernels {
 public:
  // At most `most` launches run at once; `programs` share the device.
  RunningKernels(std::uint32_t most, std::uint32_t programs);

  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  std::size_t most() const { return by_number_.size(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  RunningKernel& operator[](std::size_t i) const { return *list_[i]; }
  RunningKernel& front() const { return *list_.front(); }
  // The launch with this number; null: the number is free.
  RunningKernel* numbered(int number) const { return by_number_[static_cast<std::size_t>(number)]; }

  // The number that a launch of the program gets; -1: none is free.
  int free_number(std::uint32_t program) const;
  // The launch has its number. Launches of a smaller priority stand before it.
  void add(std::unique_ptr<RunningKernel> kernel);
  std::unique_ptr<RunningKernel> remove(std::size_t i);
  std::vector<std::unique_ptr<RunningKernel>> remove_all();

  Cycle first_start() const;  // never() when none runs
  bool of_several_programs() const;
  // Something has changed that may let a CTA scheduler place CTAs after it has declined.
  void forget_declines() {
    for (const auto& k : list_) k->declined = false;
  }

 private:
  std::uint32_t programs_;
  std::vector<std::unique_ptr<RunningKernel>> list_;
  std::vector<RunningKernel*> by_number_;
};

}  // namespace heddle::gpu
