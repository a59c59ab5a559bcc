// A library to preload into a CUDA program (compare_memory.py): writes what the allocations and
// variables of its device hold, an allocation when it is freed, the others at exit.
//
// A record of the file MEMORY_PROBE: the kind (allocation, or variable), the number of bytes as
// decimal text and a newline, and the bytes.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kSuccess = 0, kToHost = 2;

// The function of this name in the CUDA runtime.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Place {
  std::size_t order, bytes;
};

std::map<void*, Place> allocations;
std::map<std::string, std::pair<const void*, std::size_t>> variables;
std::size_t allocated = 0;

FILE* file() {
  static FILE* const opened = std::fopen(std::getenv("MEMORY_PROBE"), "wb");
  return opened;
}

void write_record(const std::string& name, const std::vector<char>& bytes) {
  std::fprintf(file(), "%s %zu\n", name.c_str(), bytes.size());
  std::fwrite(bytes.data(), 1, bytes.size(), file());
}

void write_allocation(const void* address, const Place& place) {
  std::vector<char> bytes(place.bytes);
  const auto copy = next<int(void*, const void*, std::size_t, int)>("cudaMemcpy");
  if (copy(bytes.data(), address, bytes.size(), kToHost) == kSuccess)
    write_record("allocation-" + std::to_string(place.order), bytes);
}

void write_rest() {
  for (const auto& [address, place] : allocations) write_allocation(address, place);
  allocations.clear();
  const auto copy =
      next<int(void*, const void*, std::size_t, std::size_t, int)>("cudaMemcpyFromSymbol");
  for (const auto& [name, variable] : variables) {
    std::vector<char> bytes(variable.second);
    if (copy(bytes.data(), variable.first, bytes.size(), 0, kToHost) == kSuccess)
      write_record("variable-" + name, bytes);
  }
  std::fclose(file());
}

int keep(int error, void* const* address, std::size_t bytes) {
  if (error != kSuccess) return error;
  // After the runtime's own function, which ends the run.
  static const int registered = std::atexit(write_rest);
  if (registered == 0 && bytes > 0) allocations[*address] = {++allocated, bytes};
  return error;
}

}  // namespace

extern "C" {

int cudaMalloc(void** address, std::size_t bytes) {
  return keep(next<int(void**, std::size_t)>("cudaMalloc")(address, bytes), address, bytes);
}

int cudaMallocManaged(void** address, std::size_t bytes, unsigned flags) {
  const auto allocate = next<int(void**, std::size_t, unsigned)>("cudaMallocManaged");
  return keep(allocate(address, bytes, flags), address, bytes);
}

int cudaMallocPitch(void** address, std::size_t* pitch, std::size_t width, std::size_t height) {
  const auto allocate =
      next<int(void**, std::size_t*, std::size_t, std::size_t)>("cudaMallocPitch");
  return keep(allocate(address, pitch, width, height), address, *pitch * height);
}

int cudaFree(void* address) {
  const auto found = allocations.find(address);
  if (found != allocations.end()) {
    write_allocation(address, found->second);
    allocations.erase(found);
  }
  return next<int(void*)>("cudaFree")(address);
}

void __cudaRegisterVar(void** binary, char* host, char* device, const char* name, int external,
                       std::size_t bytes, int constant, int global) {
  variables[name] = {host, bytes};
  next<void(void**, char*, char*, const char*, int, std::size_t, int, int)>("__cudaRegisterVar")(
      binary, host, device, name, external, bytes, constant, global);
}

}  // extern "C"
