// What heddle cc does with objects: links a program, makes a static library, runs the program.
#pragma once

#include <string>
#include <vector>

#include "cuda/compile/compile.h"
#include "cuda/compile/process.h"
#include "cuda/compile/toolchain.h"

namespace heddle::cuda {

class Linker {
 public:
  // host_flags: flags of the host compiler that linking needs, too.
  Linker(const CompileOptions& options, const Toolchain& tools, const CommandRunner& commands,
         std::vector<std::string> host_flags)
      : options_(options), tools_(tools), commands_(commands), host_flags_(std::move(host_flags)) {}

  // Each returns whether its command succeeded.
  bool link(const std::vector<std::string>& objects) const;
  bool make_archive(const std::vector<std::string>& objects) const;
  // The object of -dlink. folder: for its empty source.
  bool make_empty_object(const std::string& folder) const;
  // The exit status of the program of -run.
  int run_program() const;

 private:
  std::string output() const;

  const CompileOptions& options_;
  const Toolchain& tools_;
  const CommandRunner& commands_;
  std::vector<std::string> host_flags_;
};

}  // namespace heddle::cuda
