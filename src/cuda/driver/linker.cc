// The linker: cuLink...(). Every input is parsed and linked when it is added, so that mistakes are
// found by the same call as with NVIDIA's driver.
#include <chrono>
#include <filesystem>

#include "cuda/driver/driver.h"
#include "cuda/driver/files.h"
#include "cuda/driver/module_image.h"
#include "cuda/fatbin/ptx_texts.h"

using namespace heddle::cuda;

namespace {

constexpr const char* kDeviceRuntime = "libcudadevrt.a";  // Heddle has its functions

// Calls work(session, linking) and adds its time. An error is written to the log, and later calls
// for the same linking return it again.
template <class Work>
CUresult with_linking(CUlinkState state, const char* call, Work&& work) {
  CUresult result = CUDA_SUCCESS;
  const CUresult called = driver([&] {
    return api([&](Session& session) {
      const auto found = driver_state().linkings.find(reinterpret_cast<const Linking*>(state));
      if (found == driver_state().linkings.end()) return cudaErrorInvalidResourceHandle;
      Linking& linking = *found->second;
      const auto begin = std::chrono::steady_clock::now();
      result = linking.failed;
      try {
        if (result == CUDA_SUCCESS) result = work(session, linking);
      } catch (const heddle::UserError& mistake) {
        result = linking.failed = linking.error_of_step;
        linking.options.write_error(mistake.what());
        explain(call, mistake.what());
      }
      const std::chrono::duration<double, std::milli> taken =
          std::chrono::steady_clock::now() - begin;
      linking.options.write_wall_time(linking.milliseconds += taken.count());
      return cudaSuccess;
    });
  });
  return called == CUDA_SUCCESS ? result : called;
}

void add_input(Linking& linking, std::string text, const std::string& name) {
  linking.error_of_step = CUDA_ERROR_INVALID_PTX;
  auto module = heddle::ptx::Module::parse(text, name);
  linking.error_of_step = CUDA_ERROR_INVALID_SOURCE;  // what NVIDIA's linker gives
  if (linking.module) {
    std::vector<heddle::ptx::Module> both;
    both.push_back(std::move(*linking.module));
    both.push_back(std::move(module));
    module = heddle::ptx::Module::join(std::move(both));
  }
  linking.module = std::move(module);
  linking.texts.push_back(std::move(text));
}

}  // namespace

CUresult cuLinkCreate(unsigned count, CUjit_option* names, void** values, CUlinkState* state) {
  if (!state || (count > 0 && (!names || !values))) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session&) {
      auto linking = std::make_unique<Linking>();
      linking->options = JitOptions(count, names, values);
      *state = reinterpret_cast<CUlinkState>(linking.get());
      driver_state().linkings[linking.get()] = std::move(linking);
      return cudaSuccess;
    });
  });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t bytes,
                       const char* name, unsigned, CUjit_option*, void**) {
  return with_linking(state, "cuLinkAddData", [&](Session& session, Linking& linking) {
    if (!data || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    linking.error_of_step = CUDA_ERROR_NO_BINARY_FOR_GPU;
    const std::string named =
        name ? name : "input " + std::to_string(linking.texts.size() + 1) + " (PTX)";
    for (std::string& text : image_texts(session, data, bytes))
      add_input(linking, std::move(text), named);
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned,
                       CUjit_option*, void**) {
  auto bytes = file_bytes(path);
  if (!bytes) return CUDA_ERROR_FILE_NOT_FOUND;
  if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) {
    return with_linking(state, "cuLinkAddFile", [&](Session&, Linking& linking) {
      if (std::filesystem::path(path).filename() == kDeviceRuntime) return CUDA_SUCCESS;
      linking.error_of_step = CUDA_ERROR_NO_BINARY_FOR_GPU;
      for (PtxText& input : ptx_texts_of(path))
        add_input(linking, std::move(input.text), input.name);
      return CUDA_SUCCESS;
    });
  }
  return cuLinkAddData(state, type, bytes->data(), bytes->size(), path, 0, nullptr, nullptr);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return with_linking(state, "cuLinkComplete", [&](Session&, Linking& linking) {
    if (!image || !linking.module) return CUDA_ERROR_INVALID_VALUE;
    linking.module->require_definitions();
    linking.image = linked_image(linking.texts);
    *image = linking.image.data();
    if (bytes) *bytes = linking.image.size() + 1;
    return CUDA_SUCCESS;
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
