// Modules are read by LLVM's C interface, from the libraries that clang and numba come with: LLVM
// 19 does not know the pointer types of IR from before LLVM 17, but it reads their bitcode.
#include "cuda/nvvm/ir.h"

#include <dlfcn.h>

#include <array>
#include <string_view>

#include "cuda/nvvm/intrinsics.h"

namespace heddle::nvvm {
namespace {

constexpr const char* kTriple = "nvptx64-nvidia-cuda";
constexpr const char* kLayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";
constexpr std::array kLibraries{"libLLVM.so.19.1", "libLLVM-16.so.1", "libLLVM-15.so.1",
                                "libLLVM-14.so.1", "libLLVM-13.so.1"};

// One LLVM library. It stays loaded: LLVM does not support that it is closed.
class Llvm {
 public:
  explicit Llvm(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  explicit operator bool() const { return handle_; }

  // Fills `bitcode`, or `message` when the library does not understand the module.
  bool convert(const IrModule& module, bool flush, std::string& bitcode, std::string& message) {
    void* const context = call<void*()>("LLVMContextCreate")();
    void* const buffer =
        call<void*(const char*, size_t, const char*)>("LLVMCreateMemoryBufferWithMemoryRangeCopy")(
            module.content.data(), module.content.size(), module.name.c_str());
    void* read = nullptr;
    char* problem = nullptr;
    // Takes the buffer.
    const int failed = call<int(void*, void*, void**, char**)>("LLVMParseIRInContext")(
        context, buffer, &read, &problem);
    if (failed) {
      message = problem ? problem : "not a module";
      call<void(char*)>("LLVMDisposeMessage")(problem);
    } else {
      adapt(context, read, flush);
      void* const written = call<void*(void*)>("LLVMWriteBitcodeToMemoryBuffer")(read);
      bitcode.assign(call<const char*(void*)>("LLVMGetBufferStart")(written),
                     call<size_t(void*)>("LLVMGetBufferSize")(written));
      call<void(void*)>("LLVMDisposeMemoryBuffer")(written);
      call<void(void*)>("LLVMDisposeModule")(read);
    }
    call<void(void*)>("LLVMContextDispose")(context);
    return !failed;
  }

 private:
  template <typename Signature>
  Signature* call(const char* name) {
    void* const address = dlsym(handle_, name);
    if (!address) throw InvalidIr(std::string("the LLVM library has no ") + name);
    return reinterpret_cast<Signature*>(address);
  }

  // clang gives the module's own target and the attributes of its functions the preference.
  void adapt(void* context, void* module, bool flush) {
    call<void(void*, const char*)>("LLVMSetTarget")(module, kTriple);
    call<void(void*, const char*)>("LLVMSetDataLayout")(module, kLayout);
    for (const std::string_view name : kIntrinsics)
      if (void* const f =
              call<void*(void*, const char*)>("LLVMGetNamedFunction")(module, name.data())) {
        const std::string own =
            std::string(kIntrinsicPrefix) + std::string(name.substr(kLlvmPrefix.size()));
        call<void(void*, const char*, size_t)>("LLVMSetValueName2")(f, own.data(), own.size());
      }
    if (!flush) return;
    for (void* f = call<void*(void*)>("LLVMGetFirstFunction")(module); f;
         f = call<void*(void*)>("LLVMGetNextFunction")(f))
      call<void(void*, const char*, const char*)>("LLVMAddTargetDependentFunctionAttr")(
          f, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
    constexpr std::string_view kFlag = "nvvm-reflect-ftz";
    constexpr int kOverride = 3;  // LLVMModuleFlagBehaviorOverride
    void* const word = call<void*(void*)>("LLVMInt32TypeInContext")(context);
    void* const one = call<void*(void*, unsigned long long, int)>("LLVMConstInt")(word, 1, 0);
    call<void(void*, int, const char*, size_t, void*)>("LLVMAddModuleFlag")(
        module, kOverride, kFlag.data(), kFlag.size(),
        call<void*(void*)>("LLVMValueAsMetadata")(one));
  }

  void* handle_;
};

}  // namespace

std::string bitcode_of(const IrModule& module, bool flush) {
  std::string bitcode, message;
  bool found = false;
  for (const char* name : kLibraries) {
    Llvm library(name);
    if (!library) continue;
    found = true;
    std::string problem;
    if (library.convert(module, flush, bitcode, problem)) return bitcode;
    message += std::string(name) + ": " + problem + "\n";
  }
  if (!found) throw InvalidIr("there is no LLVM library; on Debian 12: apt-get install clang-19");
  throw InvalidIr(message);
}

}  // namespace heddle::nvvm
