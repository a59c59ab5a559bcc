// The executable that is to be simulated. It is found and checked before it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::lab {

struct Program {
  std::string path;             // an absolute or relative path
  std::string runtime_library;  // that the program loads, such as "libcudart.so.12"
  bool linked = true;  // it, or a library of its own, is linked to the CUDA runtime or driver
  // The captured program, or the list of a program's traces, that `path` runs; empty: neither.
  std::string capture;
  std::string description;         // of kernels that `path` runs without a host program; or empty
  bool traced = false;             // it is a list of traces
  std::uint64_t memory_bytes = 0;  // of the device of a captured program
};

// Looks the program up in PATH when the name has no slash. A program or script that is not linked
// to CUDA may load the driver when it runs. Throws UserError when the program does not exist,
// cannot be executed, is not one for this machine, runs with other rights, or contains a static
// CUDA runtime, which cannot be replaced; and for a captured or traced program whose file is
// damaged.
Program inspect_program(const std::string& name);

// What an ELF file contains about its libraries.
struct ElfFacts {
  bool valid = false;               // a 64-bit x86 executable or shared object
  std::vector<std::string> needed;  // DT_NEEDED
  bool holds_device_code = false;   // has a section of CUDA fat binaries
  bool holds_runtime = false;       // contains a static CUDA runtime
  std::string rpath, runpath;       // DT_RPATH and DT_RUNPATH
};
ElfFacts read_elf(const std::string& path);

}  // namespace heddle::lab
