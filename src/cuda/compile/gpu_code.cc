#include "cuda/compile/gpu_code.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "base/input_file.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

fs::path find_cuda_tool(const std::string& name) {
  const char *path = std::getenv("PATH"), *home = std::getenv("CUDA_HOME");
  std::string folders = path ? path : "";
  if (home && *home) folders += std::string(":") + home + "/bin";
  std::istringstream list(folders + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(list, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw UserError("heddle cc: --gpu-code needs " + name +
                  " of NVIDIA's CUDA toolkit, which is not in PATH, in CUDA_HOME/bin or in "
                  "/usr/local/cuda/bin; without --gpu-code the program contains PTX, which Heddle "
                  "executes, too");
}

std::string fat_binary_of(const std::string& ptx, int ptx_architecture,
                          const std::vector<int>& architectures, const CommandRunner& commands,
                          const fs::path& folder) {
  const std::string assembler = find_cuda_tool("ptxas").string();
  const fs::path text = folder / "gpu_code.ptx", result = folder / "gpu_code.fatbin";
  if (!(std::ofstream(text) << ptx).flush()) throw UserError("cannot write " + text.string());
  const auto execute = [&](const Command& command) {
    if (!commands.execute(command))
      throw UserError("heddle cc: " + command.front() + " has failed: no machine code");
  };
  Command join = {find_cuda_tool("fatbinary").string(), "-64", "--create=" + result.string()};
  for (const int architecture : architectures) {
    const std::string number = std::to_string(architecture);
    const std::string cubin = (folder / ("gpu_code." + number + ".cubin")).string();
    execute({assembler, "-lineinfo", "-arch=sm_" + number, "-o", cubin, text.string()});
    join.push_back("--image3=kind=elf,sm=" + number + ",file=" + cubin);
  }
  join.push_back("--image3=kind=ptx,sm=" + std::to_string(ptx_architecture) +
                 ",file=" + text.string());
  execute(join);
  std::error_code missing;
  return fs::exists(result, missing) ? read_file(result) : std::string();
}

}  // namespace heddle::cuda
