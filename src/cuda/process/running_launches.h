// The launches that the device has received and not finished, for messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "isa/kernel.h"

namespace heddle::cuda {

class RunningLaunches {
 public:
  void begin(std::uint64_t number, const isa::Kernel* kernel) { running_[number] = kernel; }
  // False when it is not one of them: the end of a graph.
  bool end(std::uint64_t number) { return running_.erase(number) > 0; }
  void clear() { running_.clear(); }
  // The device simulates; otherwise the host runs.
  void set_simulates(bool simulates) { simulates_ = simulates; }
  // "launch 3 (spmv), launch 4 (spmv)"; empty while the host runs.
  std::string text() const;

 private:
  std::map<std::uint64_t, const isa::Kernel*> running_;  // by number of the launch
  bool simulates_ = false;
};

}  // namespace heddle::cuda
