#include "cuda/compile/header_cache.h"

#include <unistd.h>

#include <cstdint>

#include "base/fnv.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

// The hash of all flags but the temporary folder, which differs in every process.
std::string name_of(const Command& flags) {
  Fnv64 all;
  for (const std::string& flag : flags) {
    if (flag.starts_with("--cuda-path=")) continue;
    all.add(flag);
    all.add('\0');
  }
  std::uint64_t hash = all.value();
  std::string name;
  for (int digit = 0; digit < 16; ++digit, hash >>= 4) name += "0123456789abcdef"[hash & 15];
  return name + ".pch";
}

}  // namespace

std::optional<fs::path> HeaderCache::find(const Command& flags) const {
  if (folder_.empty()) return {};
  const fs::path header = folder_ / name_of(flags);
  if (fs::exists(header)) return header;
  // Under another name first: several processes may make the same header at once.
  const fs::path made = header.string() + "." + std::to_string(getpid());
  Command command = flags;
  for (const std::string& flag :
       {std::string("-w"), std::string("-Xclang"), std::string("-emit-pch"),
        std::string("/dev/null"), std::string("-o"), made.string()})
    command.push_back(flag);
  std::error_code error;
  if (run(command, "/dev/null") == 0) fs::rename(made, header, error);
  const bool found = !error && fs::exists(header);
  fs::remove(made, error);
  return found ? std::optional(header) : std::nullopt;
}

Command HeaderCache::with_header(const Command& command, const fs::path& header) {
  Command changed;
  for (std::size_t at = 0; at < command.size(); ++at) {
    if (command[at] == "-include" && command[at + 1] == "cuda_runtime.h") {
      for (const std::string& word :
           {std::string("-Xclang"), std::string("-include-pch"), std::string("-Xclang")})
        changed.push_back(word);
      changed.push_back(header.string());
      ++at;
    } else {
      changed.push_back(command[at]);
    }
  }
  return changed;
}

void HeaderCache::remove_refused(const fs::path& header, const std::string& messages) {
  if (messages.find(header.string()) == std::string::npos) return;
  std::error_code ignored;
  fs::remove(header, ignored);
}

}  // namespace heddle::cuda
