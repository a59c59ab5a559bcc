// The compilation of a CUDA source's host side while its device side is compiled. The compiler
// reads what depends on the device code last, from two FIFOs: the code that it embeds, then the
// assembler text of the names.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/process_group.h"
#include "cuda/compile/process.h"

namespace heddle::cuda {

class HostCompilation {
 public:
  // Makes both FIFOs, whose files must not exist, and starts the command, whose stderr becomes the
  // file `errors`. UserError when it cannot.
  HostCompilation(const Command& command, std::filesystem::path code, std::filesystem::path names,
                  const std::filesystem::path& errors);
  // A command that still runs is killed. The FIFOs are removed.
  ~HostCompilation();
  HostCompilation(const HostCompilation&) = delete;
  HostCompilation& operator=(const HostCompilation&) = delete;

  // Gives the command what it reads, and waits for its end. Whether it succeeded.
  bool finish(const std::string& code, const std::string& names);

 private:
  bool give(const std::filesystem::path& fifo, const std::string& text);
  bool has_ended();

  std::filesystem::path code_, names_;
  ProcessGroup group_;
  pid_t command_ = 0;
  Ending ending_;
};

}  // namespace heddle::cuda
