// What every call of both APIs answers, with usable, null and extreme arguments, stays what it is.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "base/fnv.h"
#include "cuda/driver/driver.h"
#include "cuda/process/api_call.h"
#include "tests/recorded.h"

// Calls that only compilers use.
extern "C" {
void __cudaGetKernel();
void __cudaInitModule();
void __cudaLaunchKernel();
void __cudaPopCallConfiguration();
void __cudaPushCallConfiguration();
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd();
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int,
                            void*, void*, void*, void*, int*);
void __cudaRegisterManagedVar();
void __cudaRegisterSurface();
void __cudaRegisterTexture();
void __cudaRegisterVar();
void __cudaUnregisterFatBinary();
}

namespace heddle::cuda {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;
using Buffer = std::array<unsigned char, kBufferBytes>;

constexpr const char* kCode =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing(.param .u64 a) { ret; "
    "}";
const FatBinaryWrapper kCalled{kWrapperMagic, 1, kCode, nullptr};
char kernel;  // its address names the kernel

// What a program has when it calls.
struct Objects {
  explicit Objects(const std::string& call)
      : writes_for_host(call.find("Attribute") != std::string::npos),
        reads_names(call.find("Symbol") != std::string::npos ||
                    call.find("Reference") != std::string::npos) {
    cudaSetDevice(0);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaMalloc(&device, kBufferBytes);
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaMallocArray(&array, &format, 16, 4, 0);
    cudaGetLastError();
  }
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaArray_t array = nullptr;
  void* device = nullptr;
  bool writes_for_host = false;  // where a void* points
  bool reads_names = false;      // where a const void* points
};

void call_nothing(void* /*data*/) {}

// The first is usable where there is one.
template <class T>
std::vector<T> values_of(const Objects& objects, Buffer& own) {
  if constexpr (std::is_same_v<T, cudaStream_t>) {
    return {objects.stream, nullptr};
  } else if constexpr (std::is_same_v<T, cudaEvent_t>) {
    return {objects.event, nullptr};
  } else if constexpr (std::is_same_v<T, cudaGraph_t>) {
    return {objects.graph, nullptr};
  } else if constexpr (std::is_same_v<T, cudaGraphNode_t>) {
    return {objects.node, nullptr};
  } else if constexpr (std::is_same_v<T, cudaGraphExec_t>) {
    return {objects.exec, nullptr};
  } else if constexpr (std::is_same_v<T, cudaArray_t> || std::is_same_v<T, cudaArray_const_t>) {
    return {objects.array, nullptr};
  } else if constexpr (std::is_same_v<T, CUdeviceptr>) {
    return {reinterpret_cast<CUdeviceptr>(objects.device), 0, 8};
  } else if constexpr (std::is_same_v<T, const char*>) {
    return {"no/such/name", "", nullptr};
  } else if constexpr (std::is_same_v<T, void*>) {
    if (objects.writes_for_host) return {own.data(), nullptr};
    return {objects.device, nullptr, own.data()};
  } else if constexpr (std::is_same_v<T, const void*>) {
    if (objects.reads_names) return {&kernel, nullptr, own.data()};
    return {objects.device, nullptr, own.data(), &kernel};
  } else if constexpr (std::is_same_v<T, cudaDeviceAttr> || std::is_same_v<T, CUdevice_attribute>) {
    std::vector<T> all;
    for (int n = 0; n < 160; ++n) all.push_back(static_cast<T>(n));
    return all;
  } else if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_enum_v<T>) {
    std::vector<T> all;
    for (const int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100}) all.push_back(static_cast<T>(n));
    return all;
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<T> all;
    for (const int n : {0, 1, 2, 4, 16, 64, 1000, -1})
      if (n >= 0 || std::is_same_v<T, int>) all.push_back(static_cast<T>(n));
    return all;
  } else if constexpr (std::is_floating_point_v<T>) {
    return {T{0}, T{1}};
  } else if constexpr (std::is_same_v<T, void (*)(void*)>) {
    return {call_nothing, nullptr};
  } else if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>) {
    return {nullptr};
  } else if constexpr (std::is_pointer_v<T> && requires(T pointer) { sizeof(*pointer); }) {
    return {reinterpret_cast<T>(own.data()), nullptr};
  } else if constexpr (std::is_pointer_v<T>) {
    return {nullptr};  // a handle that few calls have
  } else if constexpr (std::is_same_v<T, dim3>) {
    return {dim3{1, 1, 1}, dim3{0, 1, 1}, dim3{2000, 1, 1}};
  } else if constexpr (std::is_same_v<T, cudaExtent>) {
    return {cudaExtent{16, 2, 1}, cudaExtent{0, 0, 0}, cudaExtent{1 << 20, 1 << 20, 1 << 20}};
  } else if constexpr (std::is_same_v<T, cudaPitchedPtr>) {
    return {cudaPitchedPtr{objects.device, 64, 64, 4}, cudaPitchedPtr{nullptr, 0, 0, 0}};
  } else {
    return {T{}};
  }
}

// Pointers in it point to itself, so that they can be followed.
template <class T>
void prepare(Buffer& own) {
  own.fill(0);
  if constexpr (std::is_same_v<T, void**>) {
    void* const target = own.data() + kBufferBytes / 2;
    for (std::size_t at = 0; at < kBufferBytes / 4; at += sizeof target)
      std::memcpy(&own[at], &target, sizeof target);
  }
}

template <class T>
constexpr bool kIsAnswer =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, std::size_t> ||
    std::is_enum_v<T> || std::is_same_v<T, cudaDeviceProp> || std::is_same_v<T, cudaExtent> ||
    std::is_same_v<T, cudaFuncAttributes> || std::is_same_v<T, cudaChannelFormatDesc>;

// What the call has written where its argument points. Addresses are of this run.
template <class T>
std::string answer_in(const Buffer& own) {
  if constexpr (std::is_same_v<T, char*>)
    return reinterpret_cast<const char*>(own.data());
  else if constexpr (std::is_pointer_v<T> && kIsAnswer<std::remove_pointer_t<T>>)
    return {reinterpret_cast<const char*>(own.data()), sizeof(std::remove_pointer_t<T>)};
  else
    return "";
}

template <class Result, class... Arguments>
class Calls {
 public:
  using Function = Result (*)(Arguments...);
  Calls(std::string name, Function function) : name_(std::move(name)), function_(function) {}

  std::uint64_t answers() {
    call(std::index_sequence_for<Arguments...>(), kNone, 0);
    vary<0>();
    return hash_.value();
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  template <std::size_t k>
  void vary() {
    if constexpr (k < sizeof...(Arguments)) {
      using T = std::tuple_element_t<k, std::tuple<Arguments...>>;
      Buffer own;
      const std::size_t count = values_of<T>(Objects(name_), own).size();
      for (std::size_t n = 1; n < count; ++n) call(std::index_sequence_for<Arguments...>(), k, n);
      vary<k + 1>();
    }
  }
  // Argument k has its n-th value, the others their first.
  template <std::size_t... i>
  void call(std::index_sequence<i...> /*all*/, std::size_t k, std::size_t n) {
    const Objects objects(name_);
    auto buffers = std::make_unique<std::array<Buffer, sizeof...(Arguments) + 1>>();
    (prepare<Arguments>((*buffers)[i]), ...);
    std::tuple<Arguments...> arguments{
        values_of<Arguments>(objects, (*buffers)[i])[i == k ? n : 0]...};
    if constexpr (std::is_void_v<Result>) {
      std::apply(function_, arguments);
    } else {
      const Result result = std::apply(function_, arguments);
      if constexpr (std::is_same_v<Result, const char*>)
        hash_.add(result ? result : "null");
      else if constexpr (std::is_enum_v<Result>)
        hash_.add(fmt::format("{} ", static_cast<int>(result)));
    }
    (hash_.add(answer_in<Arguments>((*buffers)[i])), ...);
    hash_.add(fmt::format("{} ", static_cast<int>(cudaDeviceSynchronize())));
    hash_.add(fmt::format("{};", static_cast<int>(cudaGetLastError())));
  }

  std::string name_;
  Function function_;
  Fnv64 hash_;
};

class RecordedCalls : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    void** const handle = __cudaRegisterFatBinary(const_cast<FatBinaryWrapper*>(&kCalled));
    __cudaRegisterFunction(handle, &kernel, &kernel, "nothing", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }
};

template <class Result, class... Arguments>
void check(const std::string& name, Result (*function)(Arguments...)) {
  // A cooperative launch that does not fit ends the program.
  if (name.starts_with("__") || name.find("Cooperative") != std::string::npos) return;
  testing::internal::CaptureStderr();
  const std::uint64_t answers = Calls<Result, Arguments...>(name, function).answers();
  cudaDeviceReset();
  testing::internal::GetCapturedStderr();
  check_recorded_text("cuda/recorded_calls.txt", name, fmt::format("{:016x}", answers));
}

// cuCtxCreate is overloaded.
void check(const std::string& name, CUresult (*function)(CUcontext*, unsigned, CUdevice)) {
  check<CUresult, CUcontext*, unsigned, CUdevice>(name, function);
}

TEST_F(RecordedCalls, OfTheRuntime) {
#define HEDDLE_CALL(name) check(#name, &::name);
#define HEDDLE_CHANGED(name, of11, of12)
#define HEDDLE_VARIANT(name, suffix)
#include "cuda/abi/runtime_calls.inc"
#undef HEDDLE_CALL
}

TEST_F(RecordedCalls, OfTheDriver) {
#define HEDDLE_DRIVER_VARIANT(name, suffix)
#define HEDDLE_DRIVER(name) check(#name, &::name);
#include "cuda/abi/driver_calls.inc"
}

}  // namespace
}  // namespace heddle::cuda
