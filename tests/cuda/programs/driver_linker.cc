// The linker of the driver API and the options of loading: logs, sizes and times that are written
// back, and the errors of each call.
#include "driver_program.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

const char* const kCalls = R"(.version 6.4
.target sm_50
.address_size 64
.extern .func (.param .b32 r) triple (.param .b32 a);
.visible .global .align 4 .u32 offset = 5;
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [%rd1];
  { .param .b32 a; .param .b32 q;
    st.param.b32 [a], %r1;
    call (q), triple, (a);
    ld.param.b32 %r2, [q]; }
  ld.global.u32 %r3, [offset];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
const char* const kDefines = R"(.version 6.4
.target sm_50
.address_size 64
.visible .func (.param .b32 r) triple (.param .b32 a) {
  .reg .b32 %x<2>;
  ld.param.b32 %x0, [a];
  mul.lo.u32 %x1, %x0, 3;
  st.param.b32 [r], %x1;
  ret;
}
)";
const char* const kReads = R"(.version 6.4
.target sm_50
.address_size 64
.extern .global .align 4 .u32 nowhere;
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [nowhere];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
const char* const kWrong =
    ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { frob.u32 %r1; }";

// Logs of 400 bytes that hold something else at first, and a time.
struct Options {
  char information[400], error[400];
  float milliseconds = -1;
  CUjit_option names[7] = {CU_JIT_INFO_LOG_BUFFER,  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                           CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                           CU_JIT_WALL_TIME,        CU_JIT_LOG_VERBOSE,
                           CU_JIT_MAX_REGISTERS};
  void* values[7] = {information,
                     reinterpret_cast<void*>(sizeof information),
                     error,
                     reinterpret_cast<void*>(sizeof error),
                     &milliseconds,
                     reinterpret_cast<void*>(1),
                     reinterpret_cast<void*>(32)};
  Options() {
    std::memset(information, 'G', sizeof information);
    std::memset(error, 'G', sizeof error);
  }
  size_t information_bytes() const { return reinterpret_cast<size_t>(values[1]); }
  size_t error_bytes() const { return reinterpret_cast<size_t>(values[3]); }
};

CUresult add(CUlinkState link, const char* text, const char* name) {
  return cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1, name,
                       0, nullptr, nullptr);
}

void links_two_texts() {
  Options options;
  CUlinkState link;
  CUmodule module;
  CUfunction k;
  CUdeviceptr data, offset;
  void* image;
  size_t bytes = 0;
  OK(cuLinkCreate(7, options.names, options.values, &link));
  OK(add(link, kCalls, "calls.ptx"));
  OK(add(link, kDefines, "defines.ptx"));
  OK(cuLinkComplete(link, &image, &bytes));
  EXPECT(bytes > 0 && options.information[0] == 0 && options.error[0] == 0);
  EXPECT(options.milliseconds >= 0);
  OK(cuModuleLoadData(&module, image));
  OK(cuLinkDestroy(link));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuModuleGetFunction(&k, module, "k"));
  OK(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
  OK(cuMemAlloc(&data, 4));
  unsigned value = 7, ten = 10;
  OK(cuMemcpyHtoD(data, &value, 4));
  OK(cuMemcpyHtoD(offset, &ten, 4));
  void* parameters[] = {&data};
  OK(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(&value, data, 4));
  EXPECT(value == 31);
}

void finds_mistakes_where_the_driver_does() {
  Options undefined, twice, wrong;
  CUlinkState link;
  void* image;
  size_t bytes;
  OK(cuLinkCreate(7, undefined.names, undefined.values, &link));
  OK(add(link, kCalls, "calls.ptx"));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_SOURCE);
  EXPECT(std::strstr(undefined.error, "triple") && std::strstr(undefined.error, "calls.ptx"));
  EXPECT(undefined.error_bytes() == std::strlen(undefined.error));
  OK(cuLinkDestroy(link));

  OK(cuLinkCreate(7, twice.names, twice.values, &link));
  OK(add(link, kDefines, "one.ptx"));
  EXPECT(add(link, kDefines, "two.ptx") == CUDA_ERROR_INVALID_SOURCE);
  EXPECT(std::strstr(twice.error, "triple") && std::strstr(twice.error, "two.ptx"));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_SOURCE);
  OK(cuLinkDestroy(link));

  wrong.values[3] = reinterpret_cast<void*>(10);  // the log is cut
  OK(cuLinkCreate(7, wrong.names, wrong.values, &link));
  EXPECT(add(link, kWrong, "wrong.ptx") == CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strcmp(wrong.error, "wrong.ptx") == 0 && wrong.error_bytes() == 9);
  EXPECT(wrong.error[10] == 'G');
  OK(cuLinkDestroy(link));

  Options without_size, without_buffer;  // nothing is written to a buffer of no size
  OK(cuLinkCreate(1, &without_size.names[2], &without_size.values[2], &link));
  EXPECT(add(link, kWrong, "wrong.ptx") == CUDA_ERROR_INVALID_PTX && without_size.error[0] == 'G');
  OK(cuLinkDestroy(link));
  OK(cuLinkCreate(1, &without_buffer.names[3], &without_buffer.values[3], &link));
  EXPECT(add(link, kWrong, "wrong.ptx") == CUDA_ERROR_INVALID_PTX);
  OK(cuLinkDestroy(link));

  OK(cuLinkCreate(0, nullptr, nullptr, &link));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_VALUE);  // nothing to link
  EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 0, "", 0, nullptr, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, nullptr, nullptr) ==
         CUDA_ERROR_FILE_NOT_FOUND);
  OK(cuLinkDestroy(link));
}

// A library can hold PTX; that of the device runtime, whose functions Heddle has, can be empty.
void links_libraries() {
  const std::string folder = "/tmp/" + std::to_string(getpid());
  OK(std::system(("mkdir -p " + folder).c_str()) ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
  const std::string runtime = folder + "/libcudadevrt.a", empty = folder + "/libempty.a",
                    texts = folder + "/libtriple.a";
  const std::string begin = "!<arch>\n";
  std::ofstream(runtime) << begin;
  std::ofstream(empty) << begin << '\0' << "machine code";
  std::ofstream(texts) << begin << '\0' << kDefines << '\0';
  CUlinkState link;
  void* image;
  size_t bytes;
  OK(cuLinkCreate(0, nullptr, nullptr, &link));
  OK(add(link, kCalls, "calls.ptx"));
  OK(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, runtime.c_str(), 0, nullptr, nullptr));
  OK(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, texts.c_str(), 0, nullptr, nullptr));
  OK(cuLinkComplete(link, &image, &bytes));
  CUmodule module;
  OK(cuModuleLoadData(&module, image));
  OK(cuLinkDestroy(link));
  OK(cuModuleUnload(module));

  OK(cuLinkCreate(0, nullptr, nullptr, &link));
  EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, empty.c_str(), 0, nullptr, nullptr) ==
         CUDA_ERROR_NO_BINARY_FOR_GPU);
  OK(cuLinkDestroy(link));
  EXPECT(std::system(("rm -r " + folder).c_str()) == 0);
}

void loads_only_complete_modules() {
  CUmodule module;
  CUfunction k;
  Options options;
  options.values[4] = nullptr;  // not an address: the value becomes the time
  OK(cuModuleLoadDataEx(&module, kDefines, 7, options.names, options.values));
  EXPECT(options.information[0] == 0 && options.information_bytes() == 0);
  EXPECT(options.error[0] == 0 && options.error_bytes() == 0);
  float milliseconds = -1;
  std::memcpy(&milliseconds, &options.values[4], sizeof milliseconds);
  EXPECT(milliseconds >= 0);
  EXPECT(cuModuleGetFunction(&k, module, "k") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleLoadData(&module, kCalls) == CUDA_ERROR_INVALID_PTX);
  EXPECT(cuModuleLoadData(&module, kReads) == CUDA_ERROR_INVALID_PTX);
  EXPECT(cuModuleLoadData(&module, kWrong) == CUDA_ERROR_INVALID_PTX);
  EXPECT(cuModuleLoadData(&module, "x") == CUDA_ERROR_INVALID_PTX);
  EXPECT(cuModuleLoadData(&module, "") == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(cuModuleLoadData(&module, "\177ELF") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleLoadData(&module, "//heddle: linked PTX\n99\n.version 7.0") ==
         CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleLoad(&module, "/nonexistent.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT(cuModuleLoadDataEx(&module, kDefines, 1, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

int main() {
  CUcontext context;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  links_two_texts();
  finds_mistakes_where_the_driver_does();
  links_libraries();
  loads_only_complete_modules();
  return report();
}
