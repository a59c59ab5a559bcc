#include "cuda/compile/link.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/executable.h"
#include "cuda/compile/missing_parts.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

std::string Linker::output() const {
  if (!options_.output.empty()) return options_.output;
  return (fs::path(options_.output_folder) / "a.out").string();
}

bool Linker::link(const std::vector<std::string>& objects) const {
  const fs::path runtime = tools_.library / "libcudart.so.13";
  if (!fs::exists(runtime))
    throw UserError(runtime.string() +
                    " is missing: Heddle's CUDA runtime library was not built or not installed");
  Command command = {tools_.clang.string(), "-Qunused-arguments"};
  const auto append = [&](const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
  };
  if (options_.verbose) command.emplace_back("-v");
  append(objects);
  append(host_flags_);
  // A makefile may link libraries whose functions its program does not call. If it does call them,
  // linking fails and the libraries are named.
  std::vector<std::string> absent;
  for (const std::string& flag : options_.link_flags)
    (is_absent_library(flag) ? absent : command).push_back(flag);
  // CMake reads the library folder of a toolkit from the output of -v.
  append({"-L" + tools_.library.string(),
          "-L" + (tools_.library / "heddle" / "toolkit" / "lib64").string(), "-l:libcudart.so.13",
          "-Wl,-rpath," + tools_.library.string(), "-lm", "-o", output()});
  if (commands_.execute(command)) return true;
  for (const std::string& flag : absent)
    std::fprintf(stderr, "heddle cc: %s: Heddle does not have this library\n", flag.c_str());
  return false;
}

bool Linker::make_archive(const std::vector<std::string>& objects) const {
  std::error_code ignored;
  if (!options_.dry_run && fs::is_regular_file(options_.output, ignored))
    fs::remove(options_.output, ignored);  // ar would keep old members of an existing archive
  Command command = {options_.archiver, "rcs", options_.output};
  command.insert(command.end(), objects.begin(), objects.end());
  return commands_.execute(command);
}

bool Linker::make_empty_object(const std::string& folder) const {
  const fs::path empty = fs::path(folder) / "device_link.c";
  if (!std::ofstream(empty).flush()) throw UserError("cannot write " + empty.string());
  return commands_.execute(
      {tools_.clang.string(), "-x", "c", "-c", "-fPIC", empty.string(), "-o", options_.output});
}

int Linker::run_program() const {
  Command command = {executable_path().string(), "run", fs::absolute(output()).string()};
  command.insert(command.end(), options_.run_arguments.begin(), options_.run_arguments.end());
  return commands_.status_of(command);
}

}  // namespace heddle::cuda
