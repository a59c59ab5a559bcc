// The executable that a user wants to simulate: found, and checked for what Heddle needs, before
// anything runs.
#pragma once

#include <string>
#include <vector>

namespace heddle::lab {

struct Program {
  std::string path;  // as it can be started
  std::string
      runtime_library;  // the CUDA runtime it asks the loader for, such as "libcudart.so.12"
};

// As given, or looked up in PATH when the name holds no slash. UserError when it does not exist,
// cannot be executed, is no program for this machine, uses no CUDA, or carries the CUDA runtime
// inside itself, where it cannot be replaced.
Program inspect_program(const std::string& name);

// What an ELF file says about its libraries.
struct ElfFacts {
  bool valid = false;               // a 64-bit x86 executable or shared object
  std::vector<std::string> needed;  // DT_NEEDED
  bool holds_device_code = false;   // has a section of CUDA fat binaries
  bool holds_runtime = false;       // has the strings of a CUDA runtime inside itself
  bool opens_driver = false;        // names the driver's library, to open it while it runs
  std::string rpath, runpath;       // DT_RPATH and DT_RUNPATH as they stand
};
ElfFacts read_elf(const std::string& path);

}  // namespace heddle::lab
