// The driver API: PTX as text and linked, both forms of launches, memory, errors and the compiler's
// log.
#include "driver_program.h"

#include <cstring>

static const char* const kPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 offset = 5;
.visible .entry scale(.param .u64 data, .param .u32 factor) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [factor];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3];
  ld.global.u32 %r4, [offset];
  mad.lo.s32 %r3, %r3, %r1, %r4;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

static void run(CUmodule module) {
  CUfunction scale;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  CUdeviceptr data, offset;
  size_t bytes = 0;
  OK(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
  EXPECT(bytes == 4);
  OK(cuMemsetD32(offset, 6, 1));
  unsigned host[64], factor = 3;
  for (unsigned i = 0; i < 64; ++i) host[i] = i;
  OK(cuMemAlloc(&data, sizeof host));
  OK(cuMemcpyHtoD(data, host, sizeof host));
  void* parameters[] = {&data, &factor};
  OK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  struct {
    CUdeviceptr data;
    unsigned factor;
  } block = {data, 2};
  size_t block_bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &block_bytes, CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(host, data, sizeof host));
  EXPECT(host[0] == 18 && host[63] == 63 * 6 + 18);
  OK(cuMemFree(data));
  EXPECT(cuModuleGetFunction(&scale, module, "absent") == CUDA_ERROR_NOT_FOUND);
}

// A captured launch runs each time its graph is launched.
static void capture(CUmodule module) {
  CUfunction scale;
  CUdeviceptr data;
  CUstream stream;
  unsigned host[32], factor = 2;
  for (unsigned i = 0; i < 32; ++i) host[i] = i;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuMemAlloc(&data, sizeof host));
  OK(cuMemcpyHtoD(data, host, sizeof host));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  void* parameters[] = {&data, &factor};
  OK(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  OK(cuStreamIsCapturing(stream, &status));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  OK(cuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 1);
  CUgraphExec exec;
  OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(host, data, sizeof host));
  EXPECT(host[5] == (5 * 2 + 6) * 2 + 6);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
}

// Nodes: memset, kernel, copy, host function; then other parameters in the executable graph.
void nodes(CUmodule module) {
  CUfunction scale;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = {};
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.bytesize = 32 * sizeof(unsigned);
  CUgraphNode allocated, filled, launched, copied, called, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  CUdeviceptr data = memory.dptr;
  const CUDA_MEMSET_NODE_PARAMS fill = {data, 0, 7, 4, 32, 1};
  OK(cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, nullptr));
  unsigned factor = 3;
  void* arguments[] = {&data, &factor};
  CUDA_KERNEL_NODE_PARAMS how = {};
  how.func = scale;
  how.gridDimX = how.gridDimY = how.gridDimZ = how.blockDimY = how.blockDimZ = 1;
  how.blockDimX = 32;
  how.kernelParams = arguments;
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  any.kernel = how;
  OK(cuGraphAddNode(&launched, graph, &filled, nullptr, 1, &any));
  unsigned host[32] = {};
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = data;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = host;
  copy.WidthInBytes = sizeof host, copy.Height = copy.Depth = 1;
  OK(cuGraphAddMemcpyNode(&copied, graph, &launched, 1, &copy, nullptr));
  int calls = 0;
  const CUDA_HOST_NODE_PARAMS count = {[](void* n) { ++*static_cast<int*>(n); }, &calls};
  OK(cuGraphAddHostNode(&called, graph, &copied, 1, &count));
  OK(cuGraphAddMemFreeNode(&freed, graph, &copied, 1, data));

  size_t found = 0;
  OK(cuGraphNodeGetDependentNodes(copied, nullptr, nullptr, &found));
  EXPECT(found == 2);
  CUDA_KERNEL_NODE_PARAMS asked = {};
  OK(cuGraphKernelNodeGetParams(launched, &asked));
  EXPECT(asked.func == scale && asked.blockDimX == 32 &&
         *static_cast<unsigned*>(asked.kernelParams[1]) == 3);

  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(host[5] == 7 * 3 + 6 && calls == 1);
  factor = 5;
  OK(cuGraphExecKernelNodeSetParams(exec, launched, &how));
  OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(host[5] == 7 * 5 + 6 && calls == 2);
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  EXPECT(cuGraphAddNode(&called, graph, nullptr, nullptr, 0, &any) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
}

int main() {
  OK(cuInit(0));
  CUdevice device;
  CUcontext context;
  OK(cuDeviceGet(&device, 0));
  EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  OK(cuCtxCreate(&context, 0, device));
  CUctxCreateParams parameters = {};  // CUDA 13's structure
  CUcontext other;
  OK(cuCtxCreate(&other, &parameters, 0, device));
  OK(cuCtxDestroy(other));
  CUmodule module;
  OK(cuModuleLoadData(&module, kPtx));
  run(module);
  OK(cuModuleUnload(module));

  char log[200] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT(cuModuleLoadDataEx(&module, ".version 7.0\n.target sm_70\nnonsense", 2, names, values) ==
         CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strstr(log, "nonsense"));

  CUlinkState link;
  void* image;
  size_t bytes;
  OK(cuLinkCreate(0, nullptr, nullptr, &link));
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kPtx), std::strlen(kPtx) + 1, "scale",
                   0, nullptr, nullptr));
  OK(cuLinkComplete(link, &image, &bytes));
  OK(cuModuleLoadData(&module, image));
  OK(cuLinkDestroy(link));
  run(module);

  capture(module);
  nodes(module);

  const char* name = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_INVALID_HANDLE, &name));
  EXPECT(name && std::strcmp(name, "CUDA_ERROR_INVALID_HANDLE") == 0);
  void* function = nullptr;
  CUdriverProcAddressQueryResult status;
  OK(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &status));
  EXPECT(function && status == CU_GET_PROC_ADDRESS_SUCCESS);
  void* newer = nullptr;
  OK(cuGetProcAddress("cuStreamGetCaptureInfo", &function, 12000, 0, &status));
  OK(cuGetProcAddress("cuStreamGetCaptureInfo", &newer, 12030, 0, &status));
  EXPECT(function && newer && function != newer);  // their signatures differ
  OK(cuGetProcAddress("cuCtxCreate", &function, 11040, 0, &status));
  OK(cuGetProcAddress("cuCtxCreate", &newer, 12050, 0, &status));
  EXPECT(newer == reinterpret_cast<void*>(&cuCtxCreate_v4) && function != newer);
  EXPECT(cuGetProcAddress("cuGraphExecUpdate", &function, 11000, 0, &status) ==
             CUDA_ERROR_NOT_FOUND &&
         status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT(cuGetProcAddress("malloc", &function, 12000, 0, &status) == CUDA_ERROR_NOT_FOUND &&
         status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT(cuGetErrorString(static_cast<CUresult>(12345), &name) == CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxDestroy(context));
  return report();
}
