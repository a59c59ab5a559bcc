#include <cstddef>
#include <cstring>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "cuda/fatbin/ptx_symbols.h"
#include "cuda/objects/device_properties.h"
#include "cuda/operations/parameters.h"
#include "cuda/process/api_call.h"
#include "cuda/process/polling_watch.h"
#include "cuda/process/progress_line.h"
#include "cuda/process/result_file.h"

namespace heddle::cuda {
namespace {

// CUDA 13's binary interface.
static_assert(sizeof(cudaDeviceProp) == 1008);
static_assert(offsetof(cudaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(cudaDeviceProp, clockRate) == 784);
static_assert(sizeof(cudaFuncAttributes) == 144);
static_assert(sizeof(cudaPointerAttributes) == 88);
static_assert(sizeof(cudaMemcpy3DParms) == 160);
static_assert(cudaErrorLaunchOutOfResources == 701 && cudaErrorInvalidDeviceFunction == 98 &&
              cudaErrorNoKernelImageForDevice == 209);
static_assert(sizeof(FatBinaryWrapper) == 24);

TEST(RangeValues, KeepsTheLastValueOfEveryByte) {
  RangeValues values{-2};
  EXPECT_EQ(values.of_all(0, 100), -2);
  values.set(10, 80, 1);
  values.set(30, 20, 5);
  EXPECT_EQ(values.of_all(10, 20), 1);
  EXPECT_EQ(values.of_all(30, 20), 5);
  EXPECT_EQ(values.of_all(50, 40), 1);
  EXPECT_EQ(values.of_all(29, 2), -2);  // two values: `otherwise`
  EXPECT_EQ(values.of_all(50, 41), -2);
  values.set(0, 100, 3);
  EXPECT_EQ(values.of_all(0, 100), 3);
  values.clear(0, 50);
  EXPECT_EQ(values.of_all(0, 50), -2);
  EXPECT_EQ(values.of_all(50, 50), 3);
}

TEST(PollingWatch, WarnsOnceAfterTenSecondsWithoutACallWhileWorkWaits) {
  PollingWatch watch;
  const auto warnings = [&](int seconds, std::uint64_t calls, bool work_waits) {
    int count = 0;
    for (int i = 0; i < seconds; ++i) count += watch.second_passed(calls, work_waits);
    return count;
  };
  EXPECT_EQ(warnings(20, 5, false), 0);  // nothing waits
  EXPECT_EQ(warnings(9, 5, true), 0);
  EXPECT_EQ(warnings(1, 6, true), 0);  // a call
  EXPECT_EQ(warnings(9, 6, true), 0);
  EXPECT_EQ(warnings(1, 6, true), 1);
  EXPECT_EQ(warnings(30, 6, true), 0);
}

TEST(ReservedMemory, FreedMemoryStaysReservedUntilItIsTrimmed) {
  constexpr std::size_t kPage = ReservedMemory::kPageBytes;
  ReservedMemory memory;
  memory.allocate(100);
  memory.allocate(kPage);
  EXPECT_EQ(memory.reserved, 2 * kPage);
  memory.free(100);
  EXPECT_EQ(memory.reserved, 2 * kPage);
  memory.trim(5 * kPage);  // no more than it has
  EXPECT_EQ(memory.reserved, 2 * kPage);
  memory.trim();
  EXPECT_EQ(memory.reserved, kPage);
  EXPECT_EQ(memory.max_used, kPage + 100);
  EXPECT_EQ(memory.max_reserved, 2 * kPage);
}

TEST(Parameters, EachArgumentIsAtItsParametersOffset) {
  isa::Kernel kernel;
  kernel.parameters = {{"a", 0, 4, 4}, {"p", 8, 8, 8}, {"c", 16, 1, 1}};
  kernel.parameter_bytes = 17;
  const std::uint32_t a = 0x11223344;
  const std::uint64_t p = 0xC0000100;
  const std::uint8_t c = 7;
  const void* arguments[] = {&a, &p, &c};
  const auto block = pack_parameters(kernel, arguments);
  ASSERT_EQ(block.size(), 17u);
  EXPECT_EQ(std::memcmp(block.data(), &a, 4), 0);
  EXPECT_EQ(std::memcmp(block.data() + 4, "\0\0\0\0", 4), 0);
  EXPECT_EQ(std::memcmp(block.data() + 8, &p, 8), 0);
  EXPECT_EQ(block[16], 7);
}

TEST(Parameters, AKernelWithoutParametersNeedsNoArguments) {
  EXPECT_TRUE(pack_parameters(isa::Kernel{}, nullptr).empty());
}

const char* const kModule = R"(
.version 9.0
.target sm_75, debug
.address_size 64
.file 1 "a {strange} name.cu"
.extern .func  (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) helper(.param .b32 x);
.extern .shared .align 16 .b8 tile[];
.extern .global .align 4 .u32 counter;
.visible .const .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.global .align 1 .b8 hidden[3] = {1, 2};
.visible .global .u64 pointer = table; // .extern .global .u32 commented;
.weak .func (.param .b32 r) shared_helper(.param .b32 x) { .reg .b32 %r; { ret; } }
.func inner() { ret; }
.visible .entry kernel(.param .u64 kernel_param_0) .maxntid 256, 1, 1 { ret; }
)";

TEST(PtxSymbols, DefinedAndNeededSymbolsAreFoundWithoutParsing) {
  const PtxSymbols symbols = scan_symbols(kModule, "t.ptx");
  using Set = std::set<std::string, std::less<>>;
  EXPECT_EQ(symbols.entries, (Set{"kernel"}));
  EXPECT_EQ(symbols.needed, (Set{"counter", "helper"}));
  // Kernels too: code of other texts may launch them.
  EXPECT_EQ(symbols.defined, (Set{"kernel", "pointer", "shared_helper", "table"}));
  EXPECT_EQ(symbols.variables, (Set{"hidden", "pointer", "table"}));
}

TEST(PtxSymbols, TheFirstFunctionAfterTheHeaderIsFound) {
  EXPECT_EQ(scan_symbols(".version 9.0\n.target sm_75\n.address_size 64\n.visible .func (.param "
                         ".b32 r) first() { ret; }",
                         "t.ptx")
                .defined.count("first"),
            1u);
}

TEST(PtxSymbols, TextsAreGroupedByWhatTheyNeed) {
  PtxSymbols user, library, stranger;
  user.needed = {"helper"};
  library.defined = {"helper", "other"};
  stranger.defined = {"alone"};
  const auto groups = group_by_need({user, stranger, library});
  EXPECT_EQ(groups, (std::vector<std::vector<std::size_t>>{{0, 2}, {1}}));
}

config::GpuSpec gpu(std::uint32_t major, std::uint32_t minor) {
  config::GpuSpec spec;
  spec.name = "test";
  spec.compute_major = major;
  spec.compute_minor = minor;
  return spec;
}

TEST(DeviceProperties, FollowTheGpuFile) {
  auto spec = gpu(7, 5);
  spec.clusters = 30;
  spec.memory_bytes = std::uint64_t{6} << 30;
  spec.sm.shared_bytes = 65536;
  spec.clocks.core_mhz = 1365;
  const cudaDeviceProp p = device_properties(spec);
  EXPECT_STREQ(p.name, "Heddle test");
  EXPECT_EQ(p.multiProcessorCount, 30);
  EXPECT_EQ(p.totalGlobalMem, std::uint64_t{6} << 30);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 65536u);
  EXPECT_EQ(p.clockRate, 1365000);
  EXPECT_EQ(device_attribute(spec, cudaDevAttrMultiProcessorCount), 30);
  EXPECT_EQ(device_attribute(spec, cudaDevAttrManagedMemory), 1);
  EXPECT_EQ(device_attribute(spec, cudaDevAttrIntegrated), 0);
  EXPECT_EQ(device_attribute(spec, static_cast<cudaDeviceAttr>(9999)), std::nullopt);
}

TEST(DeviceProperties, OldGpusHaveSmallerBlocksAndGrids) {
  EXPECT_EQ(block_limits(gpu(1, 3)).threads, 512u);
  EXPECT_EQ(block_limits(gpu(2, 0)).grid_x, 65535u);
  EXPECT_EQ(block_limits(gpu(3, 5)).grid_x, 2147483647u);
}

TEST(Errors, HaveCudasNamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST(Errors, TheLastErrorIsReturnedOnceAndSuccessKeepsIt) {
  answer(cudaErrorInvalidValue);
  answer(cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  answer(cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(ResultFile, IsWrittenCompletelyOrNotAtAll) {
  const std::string path =
      testing::TempDir() + "heddle_result_file_test_" + std::to_string(::getpid()) + ".json";
  write_atomically(path, "first");
  write_atomically(path, "second");
  EXPECT_EQ(read_file(path), "second");
  EXPECT_THROW(write_atomically(testing::TempDir() + "no/such/folder/run.json", "x"), UserError);
  EXPECT_THROW(write_atomically("/dev/full/run.json", "x"), UserError);
  ::unlink(path.c_str());
}

TEST(KernelProgressLine, HasTheKernelItsProgressAndTheSpeed) {
  gpu::KernelResult so_far;
  so_far.name = "_Z10bfs_kernelPi";
  so_far.cycles = 1200000;
  so_far.thread_instructions = 1200000ull * 312;
  so_far.warp_instructions = 4200000;
  EXPECT_EQ(progress_text(3, so_far, 2.0, 100),
            "kernel 3 bfs_kernel  1.2 M cycles  IPC 312  2.1 M warp instr/s");
  so_far.functional = true;
  EXPECT_EQ(progress_text(3, so_far, 2.0, 100), "kernel 3 bfs_kernel  2.1 M warp instr/s");
  EXPECT_EQ(progress_text(3, so_far, 2.0, 36), "kernel 3 bfs_...  2.1 M warp instr/s");
  EXPECT_EQ(progress_text(3, so_far, 2.0, 10).size(), 10U);
}

}  // namespace
}  // namespace heddle::cuda
