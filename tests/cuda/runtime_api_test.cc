// Calls the API as a program does, on a small GPU, with a kernel that is registered as compiled
// objects do.
#include <array>
#include <cstdlib>
#include <numeric>

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/input_file.h"
#include "config/config.h"
#include "cuda/process/api_call.h"
#include "cuda/process/result_file.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int,
                            void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int, size_t bytes,
                       int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);
// cuda.h would rename calls in the other tests of this program.
int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, cudaFunction_t function,
                                     size_t (*shared_of)(int), size_t shared_bytes, int limit);
}

namespace heddle::cuda {
namespace {

// data[i] = data[i] * factor + offset, for i < n; `factor` is a parameter and `offset` a variable.
const char* const kPtx = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 offset = 5;

.visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1,
                      .param .u32 scale_param_2)
{
  .local .align 4 .b8 unused[12];
  .reg .pred %p<2>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<6>;

  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u32 %r1, [scale_param_1];
  ld.param.u32 %r2, [scale_param_2];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r7, [%rd4];
  ld.global.u32 %r8, [offset];
  mad.lo.s32 %r9, %r7, %r2, %r8;
  st.global.u32 [%rd4], %r9;
DONE:
  ret;
}
)";

const FatBinaryWrapper kWrapper{kWrapperMagic, 1, kPtx, nullptr};
char scale, offset, stranger;  // their addresses replace those of the host function and variable

const std::string kFiles = testing::TempDir() + "heddle_runtime_api_" + std::to_string(::getpid());
const std::string kSpecFile = kFiles + "_spec.json", kResultFile = kFiles + "_run.json";

class Program : public testing::Environment {
 public:
  void SetUp() override {
    config::RunSpec spec;
    spec.gpu = config::load_gpu("gtx480");
    spec.gpu.memory_bytes = 64 << 20;
    spec.gpu.pitch_alignment = 256;
    spec.program = {"./prog"};
    spec.result_path = kResultFile;
    write_atomically(kSpecFile, spec.to_json());
    ::setenv(config::kRunSpecVariable, kSpecFile.c_str(), 1);
    std::atexit([] { ::unlink(kResultFile.c_str()); });  // runs after the session's own handlers
    void** const handle = __cudaRegisterFatBinary(const_cast<FatBinaryWrapper*>(&kWrapper));
    __cudaRegisterFunction(handle, &scale, &scale, "scale", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterVar(handle, &offset, &offset, "offset", 0, 4, 0, 0);
  }
  void TearDown() override { ::unlink(kSpecFile.c_str()); }
};
const auto* const environment = testing::AddGlobalTestEnvironment(new Program);

using Words = std::array<std::uint32_t, 100>;

Words counted() {
  Words words;
  std::iota(words.begin(), words.end(), 0u);
  return words;
}

// A device copy of the words 0, 1, 2, ...
std::uint32_t* on_device(const Words& words) {
  void* device = nullptr;
  EXPECT_EQ(cudaMalloc(&device, sizeof words), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, words.data(), sizeof words, cudaMemcpyHostToDevice), cudaSuccess);
  return static_cast<std::uint32_t*>(device);
}

cudaError_t launch_scale(std::uint32_t* data, std::uint32_t n, std::uint32_t factor, dim3 grid,
                         dim3 block, std::size_t shared = 0) {
  void* arguments[] = {&data, &n, &factor};
  return cudaLaunchKernel(&scale, grid, block, arguments, shared, nullptr);
}

TEST(Api, AKernelReadsItsParametersAndVariables) {
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  ASSERT_EQ(launch_scale(device, 100, 3, 4, 32), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(words.data(), device, sizeof words, cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(words[i], 3 * i + 5);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, VariablesAreAccessedBySymbol) {
  std::uint32_t value = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, &offset, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 5u);
  value = 7;
  ASSERT_EQ(cudaMemcpyToSymbol(&offset, &value, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  ASSERT_EQ(launch_scale(device, 100, 1, 4, 32), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(words.data(), device, sizeof words, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(words[10], 17u);
  value = 5;
  ASSERT_EQ(cudaMemcpyToSymbol(&offset, &value, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  std::size_t bytes = 0;
  EXPECT_EQ(cudaGetSymbolSize(&bytes, &offset), cudaSuccess);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(cudaMemcpyToSymbol(&offset, &value, 4, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(&stranger, &value, 1, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, NewerCompilersLaunchByHandle) {
  Words words = counted();
  std::uint32_t* device = on_device(words);
  std::uint32_t n = 100, factor = 2;
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(__cudaGetKernel(&kernel, &scale), cudaSuccess);
  __cudaPushCallConfiguration(4, 32, 0, nullptr);
  dim3 grid, block;
  std::size_t shared = 1;
  cudaStream_t stream;
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(shared, 0u);
  void* arguments[] = {&device, &n, &factor};
  ASSERT_EQ(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(words.data(), device, sizeof words, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(words[99], 2u * 99 + 5);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, OlderCompilersGiveArgumentsOneByOne) {
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  const std::uint32_t n = 100, factor = 2;
  ASSERT_EQ(cudaConfigureCall(4, 32, 0, nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&device, sizeof device, 0), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&n, 4, 8), cudaSuccess);
  ASSERT_EQ(cudaSetupArgument(&factor, 4, 12), cudaSuccess);
  ASSERT_EQ(cudaLaunch(&scale), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(words.data(), device, sizeof words, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(words[99], 2u * 99 + 5);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaLaunch(&scale), cudaErrorMissingConfiguration);
  ASSERT_EQ(cudaConfigureCall(4, 32, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunch(&stranger), cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

TEST(Api, ImpossibleLaunchesReturnCudasErrors) {
  std::uint32_t* const none = nullptr;
  EXPECT_EQ(launch_scale(none, 0, 1, 1, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale(none, 0, 1, 0, 32), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale(none, 0, 1, dim3(1, 65536), 32), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale(none, 0, 1, 1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_scale(none, 0, 1, 1, 32, 1 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&stranger, 1, 1, nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

// With unified addresses the kind is a hint; public programs copy embeddings so.
TEST(Api, CopiesTakeDeviceMemoryWhereTheKindSaysHost) {
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  EXPECT_EQ(cudaMemcpy(device, device + 3, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device + 1, device + 3, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  Words result{};
  EXPECT_EQ(cudaMemcpy(result.data(), device, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
  words[0] = words[1] = words[3];
  EXPECT_EQ(result, words);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, CopiesStayInsideTheirAllocation) {
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  EXPECT_EQ(cudaMemcpy(device, words.data(), sizeof words + 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(words.data(), words.data(), 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, words.data(), 4, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemset(device, 0, sizeof words + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

// Also where the kind says host: no memory of the host lies there.
TEST(Api, CopiesFromAndToDeviceAddressesWithoutMemoryAreRefused) {
  std::array<int, 4> words{1, 2, 3, 4};
  char *freed = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&freed), 4096), cudaSuccess);
  char* const beyond = freed + (std::size_t{1} << 20);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096), cudaSuccess);
  for (const bool asynchronous : {false, true}) {
    const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
      return asynchronous ? cudaMemcpyAsync(to, from, bytes, kind, nullptr)
                          : cudaMemcpy(to, from, bytes, kind);
    };
    for (char* const wild : {freed, beyond, pinned + 4096})
      for (const cudaMemcpyKind kind :
           {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
            cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
        EXPECT_EQ(copy(words.data(), wild, 16, kind), cudaErrorInvalidValue) << kind;
        EXPECT_EQ(copy(wild, words.data(), 16, kind), cudaErrorInvalidValue) << kind;
      }
    // A range beyond what the host and the device share.
    EXPECT_EQ(copy(pinned, words.data(), 4097, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    EXPECT_EQ(copy(words.data(), pinned + 4090, 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    EXPECT_EQ(copy(pinned, words.data(), 16, cudaMemcpyHostToHost), cudaSuccess);
  }
  EXPECT_EQ(cudaMemset(freed, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(beyond, 0, 4, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeer(words.data(), 0, freed, 0, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(freed, 8, words.data(), 8, 4, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(words.data(), 8, freed, 8, 4, 2, cudaMemcpyHostToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(freed, 4096, cudaHostRegisterDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(freed), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaMemPrefetchAsync(freed, 4, {cudaMemLocationTypeDevice, 0}, 0, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(freed), cudaErrorInvalidValue);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, freed), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(words.data(), pinned, 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Api, DefaultCopiesFindTheirDirection) {
  Words words = counted(), back{};
  std::uint32_t* const device = on_device(words);
  EXPECT_EQ(cudaMemset(device, 0xff, 8), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), device, sizeof back, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back[1], 0xffffffffu);
  EXPECT_EQ(back[2], 2u);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, PitchedRowsAreCopiedRowByRow) {
  void* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 40, 10), cudaSuccess);
  EXPECT_EQ(pitch, 256u);  // pitch_alignment of this GPU
  const Words words = counted();
  Words back{};
  ASSERT_EQ(cudaMemcpy2D(device, pitch, words.data(), 40, 40, 10, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaMemset2D(static_cast<char*>(device) + pitch, pitch, 0, 40, 1), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(back.data(), 40, device, pitch, 40, 10, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(back[9], 9u);
  EXPECT_EQ(back[10], 0u);
  EXPECT_EQ(back[20], 20u);
  EXPECT_EQ(cudaMemcpy2D(device, 39, words.data(), 40, 40, 10, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, MemoryBeyondTheCapacityIsRefused) {
  void* device = &device;
  EXPECT_EQ(cudaMalloc(&device, std::size_t{65} << 20), cudaErrorMemoryAllocation);
  EXPECT_EQ(device, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  std::size_t free_bytes = 0, total_bytes = 0;
  EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  EXPECT_EQ(total_bytes, std::size_t{64} << 20);
  EXPECT_LE(free_bytes, total_bytes);
}

TEST(Api, EventsMeasureSimulatedTime) {
  cudaEvent_t start, stop;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
  std::uint32_t* const device = on_device(counted());
  ASSERT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  ASSERT_EQ(launch_scale(device, 100, 1, 4, 32), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(stop, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
  EXPECT_GT(ms, 0.0f);
  EXPECT_LT(ms, 1.0f);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Api, StreamsAreHandles) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

TEST(Api, StreamsHaveThePriorityAndTheFlagsOfTheirCreation) {
  const auto check = [](cudaError_t created, cudaStream_t stream, unsigned flags, int priority) {
    ASSERT_EQ(created, cudaSuccess);
    unsigned own_flags = 7;
    int own_priority = 7;
    EXPECT_EQ(cudaStreamGetFlags(stream, &own_flags), cudaSuccess);
    EXPECT_EQ(cudaStreamGetPriority(stream, &own_priority), cudaSuccess);
    EXPECT_EQ(own_flags, flags);
    EXPECT_EQ(own_priority, priority);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  };
  cudaStream_t s = nullptr;
  check(cudaStreamCreate(&s), s, cudaStreamDefault, 0);
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), s, cudaStreamNonBlocking, 0);
  check(cudaStreamCreateWithPriority(&s, cudaStreamDefault, -1), s, cudaStreamDefault, -1);
  EXPECT_EQ(cudaStreamCreateWithFlags(&s, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamCreateWithFlags(nullptr, 0), cudaErrorInvalidValue);
}

// Of arrays of 16 x 4 words: what begins or ends outside of either is refused.
TEST(Api, ACopyBetweenArraysIsInsideBoth) {
  const cudaChannelFormatDesc words{32, 0, 0, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t from = nullptr, to = nullptr;
  ASSERT_EQ(cudaMallocArray(&from, &words, 16, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&to, &words, 16, 4), cudaSuccess);
  struct Row {
    std::size_t to_x, to_y, from_x, from_y, width, height;
    cudaError_t error;
  };
  for (const Row& r : {Row{0, 0, 0, 0, 64, 4, cudaSuccess}, Row{32, 2, 32, 2, 32, 2, cudaSuccess},
                       Row{0, 0, 36, 0, 32, 1, cudaErrorInvalidValue},
                       Row{0, 0, 0, 3, 4, 2, cudaErrorInvalidValue},
                       Row{36, 0, 0, 0, 32, 1, cudaErrorInvalidValue},
                       Row{0, 3, 0, 0, 4, 2, cudaErrorInvalidValue}})
    EXPECT_EQ(cudaMemcpy2DArrayToArray(to, r.to_x, r.to_y, from, r.from_x, r.from_y, r.width,
                                       r.height, cudaMemcpyDeviceToDevice),
              r.error)
        << r.to_x << " " << r.to_y << " " << r.from_x << " " << r.from_y;
  EXPECT_EQ(cudaMemcpy2DArrayToArray(to, 0, 0, nullptr, 0, 0, 4, 1, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemcpy2DArrayToArray(nullptr, 0, 0, from, 0, 0, 4, 1, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeArray(from), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(to), cudaSuccess);
  cudaGetLastError();
}

TEST(Api, KernelsHaveAttributesAndOccupancy) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &scale), cudaSuccess);
  EXPECT_GT(attributes.numRegs, 0);
  EXPECT_EQ(attributes.localSizeBytes, 12u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale, 512, 0), cudaSuccess);
  EXPECT_EQ(blocks, 3);  // 1536 threads
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale, 64, 24576), cudaSuccess);
  EXPECT_EQ(blocks, 2);  // 48 KiB of shared memory
  int grid = 0, threads = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, &scale), cudaSuccess);
  EXPECT_EQ(threads, 768);  // two blocks fill 1536 threads; one of 1024 does not
  EXPECT_EQ(grid, 2 * 15);
}

TEST(Api, TheDriverNamesTheBlockSizeThatFillsAnSm) {
  cudaFunction_t function = nullptr;
  ASSERT_EQ(cudaGetFuncBySymbol(&function, &scale), cudaSuccess);
  const auto sizes = [&](int limit) {
    int grid = 0, block = 0;
    EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, limit),
              cudaSuccess);
    return std::pair{grid / 15, block};
  };
  EXPECT_EQ(sizes(0), (std::pair{2, 768}));
  EXPECT_EQ(sizes(512), (std::pair{3, 512}));
  EXPECT_EQ(sizes(100), (std::pair{8, 100}));  // at most 8 blocks; 96 threads are fewer
  EXPECT_EQ(sizes(1), (std::pair{8, 1}));
}

TEST(Api, ACopyBetweenPeersIsACopyOnTheDevice) {
  std::array<void*, 2> device{};
  for (void*& one : device) ASSERT_EQ(cudaMalloc(&one, 16), cudaSuccess);
  ASSERT_EQ(cudaMemset(device[0], 7, 16), cudaSuccess);
  cudaMemcpy3DPeerParms copy{};
  copy.srcPtr = {device[0], 16, 16, 1};
  copy.dstPtr = {device[1], 16, 16, 1};
  copy.extent = {16, 1, 1};
  EXPECT_EQ(cudaMemcpy3DPeer(&copy), cudaSuccess);
  std::array<unsigned char, 16> got{};
  EXPECT_EQ(cudaMemcpy(got.data(), device[1], 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(got[15], 7);
  EXPECT_EQ(cudaMemcpy3DPeer(nullptr), cudaErrorInvalidValue);
  copy.srcDevice = 1;
  EXPECT_EQ(cudaMemcpy3DPeer(&copy), cudaErrorInvalidDevice);
  copy.srcDevice = 0, copy.dstDevice = 1;
  EXPECT_EQ(cudaMemcpy3DPeer(&copy), cudaErrorInvalidDevice);
  for (void* one : device) EXPECT_EQ(cudaFree(one), cudaSuccess);
}

TEST(Api, AHintAboutManagedMemoryNamesTheHostOrTheDevice) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocManaged(&memory, 4096, cudaMemAttachGlobal), cudaSuccess);
  const auto advised = [&](cudaMemLocationType type, int id) {
    return cudaMemAdvise(memory, 4096, cudaMemAdviseSetPreferredLocation, {type, id});
  };
  const auto answer = [&](cudaMemRangeAttribute attribute) {
    int value = -9;
    EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, 4096), cudaSuccess);
    return value;
  };
  EXPECT_EQ(advised(cudaMemLocationTypeDevice, 0), cudaSuccess);
  EXPECT_EQ(answer(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeDevice);
  for (const auto type :
       {cudaMemLocationTypeHost, cudaMemLocationTypeHostNuma, cudaMemLocationTypeHostNumaCurrent}) {
    EXPECT_EQ(advised(type, 0), cudaSuccess);
    EXPECT_EQ(answer(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeHost);
  }
  EXPECT_EQ(advised(cudaMemLocationTypeDevice, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(advised(cudaMemLocationTypeInvalid, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise(memory, 4096, cudaMemAdviseUnsetPreferredLocation,
                          {cudaMemLocationTypeDevice, 0}),
            cudaSuccess);
  EXPECT_EQ(answer(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeInvalid);
  EXPECT_EQ(cudaMemAdvise(memory, 4096, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}),
            cudaSuccess);
  EXPECT_EQ(answer(cudaMemRangeAttributeReadMostly), 1);
  EXPECT_EQ(
      cudaMemAdvise(nullptr, 4096, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}),
      cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Api, OnlyTheDeviceThatExistsHasABusId) {
  char id[16] = "untouched";
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, 4, 0), cudaErrorInvalidValue);
  EXPECT_STREQ(id, "untouched");
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST(Api, AFaultIsAStickyErrorAndItsResultsSayFault) {
  const auto fail = [] {
    const bool launched =
        launch_scale(reinterpret_cast<std::uint32_t*>(0xC0FFEE00), 1, 1, 1, 32) == cudaSuccess;
    const bool reported = cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                          cudaGetLastError() == cudaErrorIllegalAddress;
    void* memory = nullptr;
    std::_Exit(launched && reported && cudaMalloc(&memory, 4) == cudaErrorIllegalAddress ? 0 : 1);
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(0), "heddle: ");
  const std::string text = read_file(kResultFile);
  const auto json = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(json["status"], "fault");
  EXPECT_NE(json["diagnostic"].get<std::string>().find("scale"), std::string::npos);
  EXPECT_LE(json["host"]["kernel_seconds"].get<double>(),
            json["host"]["wall_seconds"].get<double>());
}

TEST(Api, UnsupportedCallsReturnAnErrorCode) {
  EXPECT_EQ(cudaIpcGetMemHandle(nullptr, nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

TEST(Api, MipmappedArraysHaveLevelsOfHalfTheSize) {
  cudaMipmappedArray_t mipmapped = nullptr;
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmapped, &format, {20, 5, 0}, 99, 0), cudaSuccess);
  const std::size_t widths[] = {20, 10, 5, 2, 1}, heights[] = {5, 2, 1, 1, 1};
  cudaArray_t level = nullptr;
  for (unsigned n = 0; n < 5; ++n) {
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, mipmapped, n), cudaSuccess);
    cudaExtent extent{};
    ASSERT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
    EXPECT_EQ(extent.width, widths[n]);
    EXPECT_EQ(extent.height, heights[n]);
    EXPECT_EQ(extent.depth, 0u);
  }
  EXPECT_EQ(cudaFreeArray(level), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmapped, 5), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmapped, 0), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Api, TextureObjectsDescribeTheirMemory) {
  Words words = counted();
  std::uint32_t* const device = on_device(words);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {device, {32, 0, 0, 0, cudaChannelFormatKindUnsigned}, 10, 5, 80};
  cudaTextureDesc how{};
  how.addressMode[0] = cudaAddressModeWrap;
  cudaTextureObject_t object = 0;
  ASSERT_EQ(cudaCreateTextureObject(&object, &resource, &how, nullptr), cudaSuccess);
  const exec::Texture texture = *Session::get().memory.textures.table.find(object);
  EXPECT_TRUE(texture.bound);
  EXPECT_EQ(texture.image.base.value, reinterpret_cast<std::uintptr_t>(device));
  EXPECT_EQ(texture.image.width, 10u);
  EXPECT_EQ(texture.image.pitch_bytes, 80u);
  EXPECT_EQ(texture.sampling.address[0], exec::AddressMode::wrap);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  EXPECT_FALSE(Session::get().memory.textures.table.find(object)->bound);
  how.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &how, nullptr),
            cudaErrorInvalidFilterSetting);
  how.readMode = cudaReadModeNormalizedFloat;  // integers of 32 bits cannot be normalized
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &how, nullptr),
            cudaErrorInvalidNormSetting);
  resource.res.pitch2D.desc.x = 16;
  ASSERT_EQ(cudaCreateTextureObject(&object, &resource, &how, nullptr), cudaSuccess);
  EXPECT_TRUE(Session::get().memory.textures.table.find(object)->sampling.normalized_read);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  resource.res.pitch2D.height = 6;
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &how, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  cudaGetLastError();
}

TEST(Api, ACapturedStreamRecordsInsteadOfRunning) {
  std::uint32_t* const device = on_device(counted());
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(device, 0, 4, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace heddle::cuda
