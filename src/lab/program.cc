#include "lab/program.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "base/diagnostics.h"
#include "base/executable.h"
#include "cuda/capture/capture_file.h"
#include "cuda/kernels/description.h"
#include "lab/installation.h"
#include "trace/kernel_list.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOurRuntime = "libcudart.so.13";  // that heddle-replay contains
constexpr std::size_t kMostNameBytes = 16384;

// Reads records of a file. Every access is checked, since the file may be malformed.
class Bytes {
 public:
  explicit Bytes(std::string text) : text_(std::move(text)) {}
  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > text_.size() || text_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, text_.data() + offset, sizeof(T));
    return value;
  }
  bool contain(std::string_view word) const { return text_.find(word) != std::string::npos; }
  std::string string_at(std::uint64_t offset) const {
    if (offset >= text_.size()) return {};
    // Longer names are nobody's: a file may claim that each of its names is all of it.
    const std::string_view text = std::string_view(text_).substr(offset, kMostNameBytes);
    return std::string(text.substr(0, text.find('\0')));
  }

 private:
  std::string text_;
};

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class Use>
void for_each_section(const Bytes& bytes, const Elf64_Ehdr& header, Use use) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i)
    if (const auto section = bytes.at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)))
      use(*section);
}

// File offset of a virtual address, from the loadable segments.
std::optional<std::uint64_t> file_offset(const Bytes& bytes, const Elf64_Ehdr& header,
                                         std::uint64_t address) {
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = bytes.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
        address - segment->p_vaddr < segment->p_filesz)
      return address - segment->p_vaddr + segment->p_offset;
  }
  return std::nullopt;
}

struct Needs {
  std::vector<std::string> libraries;
  std::string rpath, runpath;  // folders, separated by colons
};

// Reads libraries from the dynamic segment, as the loader does: section headers may be stripped.
Needs needs_of(const Bytes& bytes, const Elf64_Ehdr& header) {
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> rpath, runpath;
  std::optional<std::uint64_t> strings;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = bytes.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment->p_filesz;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = bytes.at<Elf64_Dyn>(segment->p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_RPATH) rpath = entry->d_un.d_val;
      if (entry->d_tag == DT_RUNPATH) runpath = entry->d_un.d_val;
      if (entry->d_tag == DT_STRTAB) strings = file_offset(bytes, header, entry->d_un.d_ptr);
    }
    break;  // a program has one
  }
  Needs needs;
  if (!strings) return needs;
  for (const std::uint64_t name : names)
    needs.libraries.push_back(bytes.string_at(*strings + name));
  if (rpath) needs.rpath = bytes.string_at(*strings + *rpath);
  if (runpath) needs.runpath = bytes.string_at(*strings + *runpath);
  return needs;
}

// The folders of a run path, with $ORIGIN replaced by the folder of the file.
std::vector<fs::path> folders_of(const std::string& run_path, const fs::path& origin) {
  std::vector<fs::path> folders;
  std::istringstream text(run_path);
  for (std::string folder; std::getline(text, folder, ':');) {
    for (const std::string_view mark : {"$ORIGIN", "${ORIGIN}"}) {
      if (const auto at = folder.find(mark); at != std::string::npos)
        folder.replace(at, mark.size(), origin.string());
    }
    if (!folder.empty()) folders.emplace_back(folder);
  }
  return folders;
}

bool is_runtime(const std::string& library) {
  return library.starts_with("libcudart.so") || library == "libcuda.so.1" ||
         library == "libcuda.so";
}

// Libraries of NVIDIA in whose place Heddle has its own (sdk/libraries).
bool is_replaced(const std::string& library) {
  for (const char* own : {"libcublas.so", "libcublasLt.so", "libcufft.so", "libcurand.so",
                          "libcusparse.so", "libcusolver.so"})
    if (library.starts_with(own)) return true;
  return is_runtime(library);
}

// Rejects libraries of NVIDIA that Heddle does not have. The real ones must not be loaded.
void reject_other_libraries(const std::string& program, const std::string& library) {
  if (is_replaced(library)) return;
  for (const char* other : {"libcublas", "libcufft", "libcurand", "libcusparse", "libcusolver",
                            "libcudnn", "libnpp", "libnvrtc", "libnvjpeg", "libnccl", "libnvidia-",
                            "libcupti", "libnvJitLink", "libnvgraph"}) {
    if (library.starts_with(other))
      throw UserError("'" + program + "' needs " + library + ", which Heddle does not have");
  }
}

// Finds the runtime library that the program or its own libraries need. Own libraries are in
// folders that the program or LD_LIBRARY_PATH names.
void find_runtime(const std::string& file, const std::string& program, std::set<std::string>& seen,
                  std::string& runtime) {
  const ElfFacts facts = read_elf(file);
  const char* const inherited = std::getenv("LD_LIBRARY_PATH");
  const fs::path origin = fs::path(file).parent_path();
  for (const std::string& library : facts.needed) {
    reject_other_libraries(program, library);
    std::error_code ignored;
    // DT_RPATH comes before LD_LIBRARY_PATH, which Heddle sets.
    if (is_replaced(library) && facts.runpath.empty()) {
      for (const fs::path& folder : folders_of(facts.rpath, origin)) {
        const fs::path theirs = folder / library;
        const bool ours = fs::exists(folder / "heddle" / "device_math.bc", ignored);
        if (fs::exists(theirs, ignored) && !ours)
          throw UserError("'" + program + "' loads " + theirs.string() +
                          " because of its run path (DT_RPATH): relink it without, or with "
                          "-Wl,--enable-new-dtags");
      }
    }
    if (is_runtime(library) && (runtime.empty() || library.starts_with("libcudart")))
      runtime = library;
    for (const std::string& path :
         {facts.rpath, facts.runpath, std::string(inherited ? inherited : "")}) {
      for (const fs::path& folder : folders_of(path, origin)) {
        const std::string own = (folder / library).string();
        if (!is_replaced(library) && fs::exists(own, ignored) && seen.insert(own).second)
          find_runtime(own, program, seen, runtime);
      }
    }
  }
}

bool holds_device_code(const Bytes& bytes, const Elf64_Ehdr& header) {
  const auto names =
      bytes.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr));
  bool found = false;
  if (names)
    for_each_section(bytes, header, [&](const Elf64_Shdr& section) {
      const std::string name = bytes.string_at(names->sh_offset + section.sh_name);
      found = found || name == ".nv_fatbin" || name == ".nvFatBinSegment";
    });
  return found;
}

std::string locate(const std::string& name) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(name, ignored);
  if (!is_folder && fs::exists(name, ignored)) {
    if (name.ends_with(".cu"))
      throw UserError("'" + name + "' is source text: compile it first (heddle cc " + name +
                      " -o " + fs::path(name).stem().string() + ")");
    if (name.ends_with(".ptx"))
      throw UserError(
          "'" + name +
          "' is PTX: describe its launches in a kernel.toml (docs/run-a-kernel.md#launches), or "
          "embed it into a host program: heddle cc --device-ptx " +
          name + " PROGRAM.cu -o PROGRAM");
    if (name.ends_with(".cubin") || name.ends_with(".fatbin"))
      throw UserError(
          "'" + name +
          "' is device code without a program: describe its launches in a kernel.toml "
          "(docs/run-a-kernel.md#launches), or execute it in place of a program's code: heddle run "
          "--cubin " +
          name + " ./PROGRAM");
    if (access(name.c_str(), X_OK) != 0)
      throw UserError("'" + name + "' is not executable (chmod +x " + name + ")");
    return name.find('/') == std::string::npos ? "./" + name : name;
  }
  const std::string found =
      name.find('/') == std::string::npos ? find_in_path(name) : std::string{};
  if (found.empty() && is_folder) throw UserError("'" + name + "' is a folder, not a program");
  if (found.empty()) throw UserError("program '" + name + "' does not exist");
  return found;
}

// As a shell decides: a first line that names the interpreter, or text.
bool is_script(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char start[256];
  file.read(start, sizeof start);
  const std::string_view text(start, static_cast<std::size_t>(file.gcount()));
  return text.starts_with("#!") || (!text.empty() && text.find('\0') == std::string_view::npos);
}

// The loader of a program that runs with other rights ignores LD_LIBRARY_PATH.
void reject_other_rights(const std::string& name, const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return;
  const bool user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid();
  const bool group = (status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid();
  if (user || group)
    throw UserError("'" + name +
                    "' runs with the rights of another user (set-uid or set-gid), so Heddle's "
                    "libraries would not be loaded: give the program that it starts");
}

}  // namespace

ElfFacts read_elf(const std::string& path) {
  const Bytes bytes(read_whole(path));
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64)
    return {};
  Needs needs = needs_of(bytes, *header);
  // The table of error names survives stripping. nvcc gives every program sections of device code,
  // even empty ones.
  const bool holds_runtime = bytes.contain("cudaErrorMemoryAllocation");
  return {true,          std::move(needs.libraries), holds_device_code(bytes, *header),
          holds_runtime, std::move(needs.rpath),     std::move(needs.runpath)};
}

Program inspect_program(const std::string& name) {
  if (cuda::is_capture(name) || (name.ends_with(".hcap") && fs::exists(name))) {
    const cuda::CaptureFile capture(name);
    return {replay_program(), kOurRuntime, true, name, {}, false, capture.info().memory_bytes};
  }
  if (trace::is_kernel_list(name)) {
    trace::read_kernel_list(name);
    return {replay_program(), kOurRuntime, true, name, {}, true, 0};
  }
  if (cuda::is_kernel_description(name)) {
    cuda::read_kernel_description(name);
    return {replay_program(), kOurRuntime, true, {}, name, false, 0};
  }
  const std::string path = locate(name);
  reject_other_rights(name, path);
  // A script, an interpreter and a program with plug-ins load the driver when they run.
  constexpr const char* kDriver = "libcuda.so.1";
  if (is_script(path)) return {path, kDriver, false, {}, {}, false, 0};
  const ElfFacts facts = read_elf(path);
  if (!facts.valid)
    throw UserError("'" + name + "' is neither a 64-bit x86 Linux program nor a script");
  std::set<std::string> seen;
  std::string runtime;
  find_runtime(path, name, seen, runtime);
  const bool runtime_inside = !runtime.starts_with("libcudart") &&
                              (facts.holds_runtime || (facts.holds_device_code && runtime.empty()));
  if (runtime_inside)
    throw UserError("'" + name +
                    "' contains a static CUDA runtime, which Heddle cannot replace: relink it "
                    "with nvcc -cudart shared, or build it with heddle cc");
  if (runtime.empty()) return {path, kDriver, false, {}, {}, false, 0};
  return {path, runtime, true, {}, {}, false, 0};
}

}  // namespace heddle::lab
