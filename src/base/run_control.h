// A page of memory that `heddle` shares with the processes of the program that it runs. Through it
// heddle asks them to stop, and they say that they use the device. Signals and descriptors belong
// to the program: it may ignore, block or handle the former and close the latter.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

class RunControl {
 public:
  struct Stop {
    int signal = 0;        // the reason; 0: no request
    bool at_once = false;  // also when the program handles the signal itself
  };

  // Makes the file; this process is the owner. UserError when it cannot be written.
  static void create(const std::string& path);
  // Maps the file that the owner has made. UserError when it is missing or damaged.
  explicit RunControl(const std::string& path);
  ~RunControl();
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  // By the owner.
  void request_stop(const Stop& stop);
  // How many processes have used the device, and how many of them have launched kernels.
  std::uint32_t users() const;
  std::uint32_t launching_users() const;
  // Those that have not ended.
  std::vector<pid_t> running_users() const;

  // By a process that uses the device. At most kUsers are listed at a time.
  void begin_use();
  void begin_launches();
  Stop stop() const;
  pid_t owner() const;
  // Waits until notify() or request_stop() was called since `seen`, or until `limit`.
  std::uint32_t notifications() const;
  void wait(std::uint32_t seen, std::chrono::milliseconds limit) const;
  void notify();  // may be called in a signal handler

  static constexpr std::size_t kUsers = 64;

 private:
  struct Page;
  Page* page_ = nullptr;
};

}  // namespace heddle
