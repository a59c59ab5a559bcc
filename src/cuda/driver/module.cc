// Modules: loading, linking, and their kernels and variables.
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "cuda/driver/driver.h"
#include "cuda/operations/launches.h"
#include "cuda/process/stream_progress.h"

using namespace heddle::cuda;

namespace {

using Module = Registry::Binary;

// The image of cuLinkComplete: this mark, then for every text its decimal length, a newline, and
// the text.
constexpr std::string_view kLinkedMark = "//heddle: linked PTX\n";

std::vector<std::string> linked_texts(std::string_view image) {
  std::vector<std::string> texts;
  image.remove_prefix(kLinkedMark.size());
  for (;;) {
    std::size_t bytes = 0;
    const char* const digits = image.data();
    const char* end = digits;
    while (*end >= '0' && *end <= '9') ++end;
    if (std::from_chars(digits, end, bytes).ec != std::errc{} || bytes == 0) return texts;
    texts.emplace_back(end + 1, bytes);
    image = std::string_view(end + 1 + bytes, 1);
  }
}

// The PTX of an image, in any of the formats of the driver API. UserError without PTX.
std::vector<std::string> texts_of(Session& session, const void* image) {
  const auto* const bytes = static_cast<const char*>(image);
  const auto& gpu = session.spec().gpu;
  const std::uint32_t architecture = gpu.compute_major * 10 + gpu.compute_minor;
  std::uint32_t magic;
  std::memcpy(&magic, bytes, sizeof magic);
  if (std::strncmp(bytes, kLinkedMark.data(), kLinkedMark.size()) == 0)
    return linked_texts({bytes, kLinkedMark.size()});
  if (magic == kWrapperMagic)
    return wrapper_texts(*static_cast<const FatBinaryWrapper*>(image), architecture);
  if (std::strncmp(bytes, "\177ELF", 4) == 0) {
    throw heddle::UserError(
        "the module is machine code (a cubin): give PTX (nvcc -ptx, or -gencode "
        "arch=compute_75,code=compute_75)");
  }
  return wrapper_texts({kWrapperMagic, 1, image, nullptr}, architecture);
}

struct Options {
  unsigned count;
  CUjit_option* names;
  void** values;
  void** value_of(CUjit_option name) const {
    for (unsigned i = 0; names && values && i < count; ++i)
      if (names[i] == name) return &values[i];
    return nullptr;
  }
  // Writes text into a log buffer and its length into the size.
  void log(CUjit_option buffer, CUjit_option size, const std::string& text) const {
    void **const to = value_of(buffer), **const bytes = value_of(size);
    if (!bytes) return;
    const std::size_t room = reinterpret_cast<std::size_t>(*bytes);
    const std::size_t length = room ? std::min(text.size(), room - 1) : 0;
    if (to && *to && room) {
      std::memcpy(*to, text.data(), length);
      static_cast<char*>(*to)[length] = 0;
    }
    *bytes = reinterpret_cast<void*>(length);
  }
};

CUresult load(CUmodule* module, std::vector<std::string> (*read)(Session&, const void*),
              const void* source, const std::string& name, const Options& options) {
  if (!module || !source) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  const CUresult called = driver([&] {
    return api([&](Session& session) {
      session.device();
      try {
        const Module* const made = session.program().add_module(read(session, source), name);
        driver_state().modules.insert(made);
        *module = reinterpret_cast<CUmodule>(const_cast<Module*>(made));
        options.log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, "");
        options.log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
      } catch (const heddle::UserError& mistake) {
        explain("cuModuleLoad", mistake.what());
        options.log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, mistake.what());
        result = CUDA_ERROR_INVALID_PTX;
      }
      return cudaSuccess;
    });
  });
  return called == CUDA_SUCCESS ? result : called;
}

std::string file_text(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return in ? std::string{std::istreambuf_iterator<char>(in), {}} : std::string{};
}

// Calls work(session, module) when the module is loaded; a missing name is CUDA_ERROR_NOT_FOUND.
template <class Work>
CUresult with_module(const void* handle, Work&& work) {
  return driver([&] {
    return api([&](Session& session) {
      const auto* const module = static_cast<const Module*>(handle);
      if (!driver_state().modules.contains(module)) return cudaErrorInvalidResourceHandle;
      return work(session, module) ? cudaSuccess : cudaErrorSymbolNotFound;
    });
  });
}

CUresult find_kernel(const void* module, const char* name, void** kernel) {
  if (!kernel || !name) return CUDA_ERROR_INVALID_VALUE;
  return with_module(module, [&](Session& session, const Module* m) {
    *kernel = const_cast<heddle::ptx::Kernel*>(session.program().kernel_named(m, name));
    return *kernel != nullptr;
  });
}

CUresult find_variable(const void* module, const char* name, CUdeviceptr* address, size_t* bytes) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  return with_module(module, [&](Session& session, const Module* m) {
    const auto variable = session.program().variable_named(m, name);
    if (!variable) return false;
    if (address) *address = variable->address.value;
    if (bytes) *bytes = variable->bytes;
    return true;
  });
}

}  // namespace

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* names, void** values) {
  return load(module, texts_of, image, "module (PTX)", {count, names, values});
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  const std::string text = file_text(path);
  if (text.empty()) return CUDA_ERROR_FILE_NOT_FOUND;
  return load(module, texts_of, text.c_str(), path, {0, nullptr, nullptr});
}
CUresult cuModuleUnload(CUmodule module) {
  return driver([&] {
    return api_when_idle([&](Session&) {
      return driver_state().modules.erase(reinterpret_cast<const Module*>(module))
                 ? cudaSuccess
                 : cudaErrorInvalidResourceHandle;
    });
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return find_kernel(module, name, reinterpret_cast<void**>(function));
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return find_variable(module, name, address, bytes);
}
CUresult cuModuleGetLoadingMode(int* mode) {
  if (mode) *mode = 2;  // lazy
  return mode ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* names,
                           void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  return cuModuleLoadDataEx(reinterpret_cast<CUmodule*>(library), image, count, names, values);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option*, void**,
                               unsigned, CUlibraryOption*, void**, unsigned) {
  return cuModuleLoad(reinterpret_cast<CUmodule*>(library), path);
}
CUresult cuLibraryUnload(CUlibrary library) {
  return cuModuleUnload(reinterpret_cast<CUmodule>(library));
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (module) *module = reinterpret_cast<CUmodule>(library);
  return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return find_kernel(library, name, reinterpret_cast<void**>(kernel));
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                            const char* name) {
  return find_variable(library, name, address, bytes);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                             const char* name) {
  return find_variable(library, name, address, bytes);
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (function) *function = reinterpret_cast<CUfunction>(kernel);
  return function && kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* state) {
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session&) {
      auto linking = std::make_unique<Linking>();
      *state = reinterpret_cast<CUlinkState>(linking.get());
      driver_state().linkings[linking.get()] = std::move(linking);
      return cudaSuccess;
    });
  });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes,
                       const char*, unsigned, CUjit_option*, void**) {
  return driver([&] {
    return api([&](Session& session) {
      const auto found = driver_state().linkings.find(reinterpret_cast<const Linking*>(state));
      if (found == driver_state().linkings.end()) return cudaErrorInvalidResourceHandle;
      if (!data || bytes == 0) return cudaErrorInvalidValue;
      if (type == CU_JIT_INPUT_PTX) {
        std::string text(static_cast<const char*>(data), bytes);
        text.resize(std::min(text.find('\0'), text.size()));
        found->second->texts.push_back(std::move(text));
        return cudaSuccess;
      }
      if (type == CU_JIT_INPUT_FATBINARY) {
        for (auto& text : texts_of(session, data)) found->second->texts.push_back(std::move(text));
        return cudaSuccess;
      }
      explain("cuLinkAddData", "only PTX and fat binaries with PTX can be linked");
      return cudaErrorInvalidKernelImage;
    });
  });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned,
                       CUjit_option*, void**) {
  std::string text = path ? file_text(path) : std::string{};
  if (text.empty()) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData(state, type, text.data(), text.size(), path, 0, nullptr, nullptr);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  if (!image) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session&) {
      const auto found = driver_state().linkings.find(reinterpret_cast<const Linking*>(state));
      if (found == driver_state().linkings.end()) return cudaErrorInvalidResourceHandle;
      Linking& linking = *found->second;
      linking.image = kLinkedMark;
      for (const std::string& text : linking.texts)
        linking.image += std::to_string(text.size()) + "\n" + text;
      *image = linking.image.data();
      if (bytes) *bytes = linking.image.size() + 1;
      return cudaSuccess;
    });
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  return driver([&] {
    return api([&](Session&) {
      return driver_state().linkings.erase(reinterpret_cast<const Linking*>(state))
                 ? cudaSuccess
                 : cudaErrorInvalidResourceHandle;
    });
  });
}
