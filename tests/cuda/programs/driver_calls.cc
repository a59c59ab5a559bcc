// Less common calls of the driver API: pools, hints, copies of every kind, and queries, also of
// captures and graphs.
#include "driver_program.h"

#include <cstring>
#include <vector>

static CUdevice device;
static CUfunction add;

static unsigned word_at(CUdeviceptr address) {
  unsigned word = 0;
  OK(cuMemcpyDtoH(&word, address, sizeof word));
  return word;
}

static void libraries_and_their_kernels() {
  CUlibrary library, found;
  OK(cuLibraryLoadData(&library, kAddModule, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  OK(cuLibraryGetKernelCount(&count, library));
  EXPECT(count == 2);
  CUkernel kernels[2] = {}, kernel;
  OK(cuLibraryEnumerateKernels(kernels, 2, library));
  OK(cuLibraryGetKernel(&kernel, library, "add"));
  EXPECT(kernel == kernels[0] || kernel == kernels[1]);
  OK(cuKernelGetLibrary(&found, kernel));
  EXPECT(found == library);
  const char* name = nullptr;
  OK(cuKernelGetName(&name, kernel));
  EXPECT(name && std::strcmp(name, "add") == 0);
  size_t offset = 0, bytes = 0;
  OK(cuKernelGetParamInfo(kernel, 1, &offset, &bytes));
  EXPECT(offset == 8 && bytes == 4);
  EXPECT(cuKernelGetParamInfo(kernel, 2, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
  OK(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, device));
  CUmodule module, of_function;
  CUfunction function, functions[2] = {};
  OK(cuLibraryGetModule(&module, library));
  OK(cuModuleGetFunctionCount(&count, module));
  OK(cuModuleEnumerateFunctions(functions, 2, module));
  EXPECT(count == 2 && functions[0] && functions[1]);
  OK(cuKernelGetFunction(&function, kernel));
  OK(cuFuncGetModule(&of_function, function));
  EXPECT(of_function == module);
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  OK(cuFuncLoad(function));
  OK(cuFuncIsLoaded(&state, function));
  EXPECT(state == CU_FUNCTION_LOADING_STATE_LOADED);
  OK(cuFuncGetParamInfo(function, 0, &offset, &bytes));
  EXPECT(offset == 0 && bytes == 8);
  OK(cuLibraryUnload(library));
}

static void pools() {
  CUmemoryPool own, chosen;
  CUmemPoolProps p = {};
  p.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  OK(cuDeviceGetDefaultMemPool(&chosen, device));
  OK(cuMemPoolCreate(&own, &p));
  OK(cuDeviceSetMemPool(device, own));
  cuuint64_t keep = 1 << 20;
  OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  int reuse = 0;
  OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &reuse));
  EXPECT(reuse == 1);
  CUmemAccessDesc access = {};
  access.location = p.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemPoolSetAccess(own, &access, 1));
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  OK(cuMemPoolGetAccess(&flags, own, &access.location));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUdeviceptr data = 0;
  OK(cuMemAllocFromPoolAsync(&data, 256, own, nullptr));
  OK(cuMemsetD32(data, 4, 64));
  EXPECT(word_at(data + 252) == 4);
  OK(cuMemFreeAsync(data, nullptr));
  OK(cuMemPoolTrimTo(own, 0));
  OK(cuMemPoolDestroy(own));
}

static void managed_memory_and_pointers() {
  CUdeviceptr data = 0, start = 0;
  OK(cuMemAllocManaged(&data, 4096, CU_MEM_ATTACH_GLOBAL));
  CUmemLocation here = {};
  here.type = CU_MEM_LOCATION_TYPE_DEVICE;
  OK(cuMemPrefetchAsync(data, 4096, here, 0, nullptr));
  OK(cuMemAdvise(data, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
  int mostly = 9, prefetched = 9, preferred = 9, readers[3] = {9, 9, 9};
  CUmem_range_attribute hints[] = {
      CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
      CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
  void* stored[] = {&mostly, &prefetched, &preferred, readers};
  size_t sizes[] = {sizeof mostly, sizeof prefetched, sizeof preferred, sizeof readers};
  OK(cuMemRangeGetAttributes(stored, sizes, hints, 4, data, 4096));
  EXPECT(mostly == 1 && prefetched == 0 && preferred == CU_DEVICE_INVALID &&
         readers[0] == CU_DEVICE_INVALID);
  CUmemLocation host = {};
  host.type = CU_MEM_LOCATION_TYPE_HOST;
  OK(cuMemPrefetchAsync(data + 1024, 1024, host, 0, nullptr));
  OK(cuMemAdvise(data, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  OK(cuMemAdvise(data, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, here));
  OK(cuMemAdvise(data, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
  OK(cuMemRangeGetAttributes(stored, sizes, hints, 4, data, 4096));
  EXPECT(prefetched == CU_DEVICE_INVALID && preferred == CU_DEVICE_CPU && readers[0] == 0 &&
         readers[1] == CU_DEVICE_CPU && readers[2] == CU_DEVICE_INVALID);
  OK(cuMemRangeGetAttribute(&prefetched, sizeof prefetched,
                            CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, data + 1024, 1024));
  EXPECT(prefetched == CU_DEVICE_CPU);  // of this part only
  int managed = 0, ordinal = 5;
  size_t bytes = 0;
  CUpointer_attribute asked[] = {
      CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* answers[] = {&managed, &ordinal, &start, &bytes};
  OK(cuPointerGetAttributes(4, asked, answers, data + 100));
  EXPECT(managed == 1 && ordinal == 0 && start == data && bytes == 4096);
  int on_stack = 0;
  OK(cuPointerGetAttributes(1, asked, answers, reinterpret_cast<CUdeviceptr>(&on_stack)));
  EXPECT(managed == 0);
  unsigned long long id = 0, other_id = 0;
  CUmemoryPool pool = nullptr;
  unsigned access = 0;
  OK(cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, data));
  OK(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, data));
  EXPECT(access == 3 && pool == nullptr);
  CUdeviceptr of_pool, plain;
  OK(cuMemAllocAsync(&of_pool, 256, nullptr));
  OK(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, of_pool));
  EXPECT(pool != nullptr);
  OK(cuMemFreeAsync(of_pool, nullptr));
  OK(cuMemAlloc(&plain, 256));
  OK(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, plain));
  EXPECT(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_HOST_POINTER, plain) ==
         CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(plain));
  OK(cuMemAlloc(&plain, 256));  // the same place, another allocation
  OK(cuPointerGetAttribute(&other_id, CU_POINTER_ATTRIBUTE_BUFFER_ID, plain));
  EXPECT(id != other_id);
  OK(cuMemFree(plain));
  const unsigned yes = 1;
  OK(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, data));
  OK(cuMemFree(data));
}

static void copies_and_fills() {
  CUdeviceptr from, to;
  OK(cuMemAlloc(&from, 1024));
  OK(cuMemAlloc(&to, 1024));
  OK(cuMemsetD32(from, 0, 256));
  OK(cuMemsetD2D8Async(from, 64, 0x11, 4, 2, nullptr));
  OK(cuMemsetD2D16Async(from + 4, 64, 0x2222, 2, 2, nullptr));
  OK(cuMemsetD2D32Async(from + 8, 64, 0x33333333, 1, 2, nullptr));
  EXPECT(word_at(from + 64) == 0x11111111 && word_at(from + 68) == 0x22222222 &&
         word_at(from + 72) == 0x33333333 && word_at(from + 76) == 0);
  CUcontext context;
  OK(cuCtxGetCurrent(&context));
  OK(cuMemcpyPeerAsync(to, context, from, context, 128, nullptr));
  EXPECT(word_at(to + 72) == 0x33333333);
  CUDA_MEMCPY3D_PEER box = {};
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = from, box.dstDevice = to + 512;
  box.srcContext = box.dstContext = context;
  box.srcPitch = 64, box.srcHeight = 2, box.dstPitch = 16, box.dstHeight = 2;
  box.WidthInBytes = 12, box.Height = 2, box.Depth = 1;
  OK(cuMemcpy3DPeer(&box));
  EXPECT(word_at(to + 512 + 16 + 8) == 0x33333333);
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = 32, shape.Format = CU_AD_FORMAT_UNSIGNED_INT32, shape.NumChannels = 1;
  CUarray first, second;
  OK(cuArrayCreate(&first, &shape));
  OK(cuArrayCreate(&second, &shape));
  unsigned host[32], back[8] = {};
  for (unsigned i = 0; i < 32; ++i) host[i] = 100 + i;
  OK(cuMemcpyHtoAAsync(first, 0, host, sizeof host, nullptr));
  OK(cuMemcpyAtoA(second, 16, first, 32, 32));
  OK(cuMemcpyAtoHAsync(back, second, 16, sizeof back, nullptr));
  EXPECT(back[0] == 108 && back[7] == 115);
  CUDA_MEMCPY2D part = {};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY, part.srcArray = first, part.srcXInBytes = 40;
  part.dstMemoryType = CU_MEMORYTYPE_HOST, part.dstHost = back, part.dstXInBytes = 4;
  part.WidthInBytes = 8, part.Height = 1;
  OK(cuMemcpy2D(&part));
  EXPECT(back[0] == 108 && back[1] == 110 && back[2] == 111 && back[3] == 111);
  OK(cuArrayDestroy(first));
  OK(cuArrayDestroy(second));
  OK(cuMemFree(from));
  OK(cuMemFree(to));
}

static void streams_and_captures() {
  CUstream stream, other;
  CUdeviceptr data;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  OK(cuMemAlloc(&data, 128));
  OK(cuMemsetD32(data, 1, 32));
  unsigned long long id = 0, other_id = 0;
  OK(cuStreamGetId(stream, &id));
  OK(cuStreamGetId(other, &other_id));
  EXPECT(id != other_id);
  CUstreamAttrValue value = {}, stored = {};
  value.accessPolicyWindow.num_bytes = 77;
  OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
  OK(cuStreamCopyAttributes(other, stream));
  OK(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &stored));
  EXPECT(stored.accessPolicyWindow.num_bytes == 77);
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  OK(cuEventRecordWithFlags(event, stream, 0));
  OK(cuEventSynchronize(event));

  CUgraph graph, same;
  CUgraphNode empty;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  OK(cuStreamBeginCaptureToGraph(stream, graph, &empty, nullptr, 1,
                                 CU_STREAM_CAPTURE_MODE_RELAXED));
  unsigned amount = 4;
  void* parameters[] = {&data, &amount};
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t capture = 0;
  const CUgraphNode* last = nullptr;
  size_t count = 0;
  OK(cuStreamGetCaptureInfo(stream, &status, &capture, &same, &last, nullptr, &count));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && same == graph && count == 1 &&
         last[0] != empty);
  CUgraphNode launched = last[0];
  OK(cuStreamUpdateCaptureDependencies(stream, &launched, nullptr, 1, 1));
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr));
  OK(cuStreamEndCapture(stream, &same));
  EXPECT(same == graph);
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  EXPECT(word_at(data) == 9);

  CUkernelNodeAttrValue priority = {}, asked = {};
  priority.priority = -2;
  OK(cuGraphKernelNodeSetAttribute(launched, CU_LAUNCH_ATTRIBUTE_PRIORITY, &priority));
  OK(cuGraphKernelNodeGetAttribute(launched, CU_LAUNCH_ATTRIBUTE_PRIORITY, &asked));
  EXPECT(asked.priority == -2);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuStreamDestroy(other));
  OK(cuMemFree(data));
}

// A conditional body whose condition every launch resets, memory that a launch allocates, and a
// user object.
static void graphs() {
  CUgraph graph;
  CUdeviceptr data;
  OK(cuMemAlloc(&data, 128));
  OK(cuMemsetD32(data, 1, 32));
  OK(cuGraphCreate(&graph, 0));
  CUcontext context;
  OK(cuCtxGetCurrent(&context));
  CUgraphConditionalHandle condition;
  OK(cuGraphConditionalHandleCreate(&condition, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams p = {};
  p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  p.conditional.handle = condition;
  p.conditional.type = CU_GRAPH_COND_TYPE_IF;
  p.conditional.size = 1;
  p.conditional.ctx = context;
  CUgraphNode either, inside, allocated, freed;
  OK(cuGraphAddNode(&either, graph, nullptr, nullptr, 0, &p));
  unsigned amount = 6;
  void* parameters[] = {&data, &amount};
  CUDA_KERNEL_NODE_PARAMS how = {};
  how.func = add;
  how.gridDimX = how.gridDimY = how.gridDimZ = how.blockDimY = how.blockDimZ = 1;
  how.blockDimX = 32;
  how.kernelParams = parameters;
  OK(cuGraphAddKernelNode(&inside, p.conditional.phGraph_out[0], nullptr, 0, &how));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = {}, asked = {};
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.bytesize = 1000;
  OK(cuGraphAddMemAllocNode(&allocated, graph, &either, 1, &memory));
  OK(cuGraphAddMemFreeNode(&freed, graph, &allocated, 1, memory.dptr));
  OK(cuGraphMemAllocNodeGetParams(allocated, &asked));
  EXPECT(asked.dptr == memory.dptr && asked.bytesize == 1000);
  int ends = 0;
  CUuserObject object;
  OK(cuUserObjectCreate(
      &object, &ends, [](void* n) { ++*static_cast<int*>(n); }, 1,
      CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  OK(cuUserObjectRetain(object, 1));
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  OK(cuUserObjectRelease(object, 1));
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) OK(cuGraphLaunch(exec, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(word_at(data) == 13);
  cuuint64_t bytes = 0, zero = 0;
  OK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &bytes));
  EXPECT(bytes == 2 << 20);
  OK(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
  OK(cuGraphExecDestroy(exec));
  OK(cuDeviceGraphMemTrim(device));
  OK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &bytes));
  EXPECT(bytes == 0 && ends == 0);
  OK(cuGraphReleaseUserObject(graph, object, 1));
  EXPECT(ends == 1);
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(data));
}

static void occupancy() {
  int grid = 0, block = 0, same_grid = 0, same_block = 0;
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, nullptr, 0, 512));
  OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&same_grid, &same_block, add, nullptr, 0, 512, 0));
  EXPECT(grid == same_grid && block == same_block && block > 0);
  int per_block = 0;
  OK(cuDeviceGetAttribute(&per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device));
  size_t one = 0, many = 0;
  OK(cuOccupancyAvailableDynamicSMemPerBlock(&one, add, 1, 64));
  OK(cuOccupancyAvailableDynamicSMemPerBlock(&many, add, 8, 64));
  EXPECT(one == static_cast<size_t>(per_block) && many > 0 && many < one);
  EXPECT(cuOccupancyAvailableDynamicSMemPerBlock(&one, add, 0, 64) == CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxResetPersistingL2Cache());
}

// The workspace of a cooperative launch is memory of the device.
static void cooperative_launches_without_memory() {
  std::vector<CUdeviceptr> parts;
  CUdeviceptr part = 0;
  for (size_t bytes = size_t{1} << 40; bytes >= 256; bytes /= 2)
    while (cuMemAlloc(&part, bytes) == CUDA_SUCCESS) parts.push_back(part);
  unsigned amount = 1;
  void* arguments[] = {&parts.back(), &amount};
  const auto launch = [&] {
    return cuLaunchCooperativeKernel(add, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments);
  };
  EXPECT(launch() == CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemFree(parts.front()));
  OK(launch());
  OK(cuCtxSynchronize());
  for (size_t i = 1; i < parts.size(); ++i) OK(cuMemFree(parts[i]));
}

int main() {
  CUcontext context;
  CUmodule module;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
  int affinity = 7;
  OK(cuDeviceGetExecAffinitySupport(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
  EXPECT(affinity == 0);
  OK(cuModuleLoadData(&module, kAddModule));
  OK(cuModuleGetFunction(&add, module, "add"));
  CUlaunchConfig config = {};  // without attributes
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  int blocks = 0;  // of clusters, which this GPU does not have
  EXPECT(cuOccupancyMaxPotentialClusterSize(&blocks, add, &config) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuOccupancyMaxActiveClusters(&blocks, add, &config) == CUDA_ERROR_NOT_SUPPORTED);
  config.numAttrs = 1;  // but without an address
  EXPECT(cuOccupancyMaxPotentialClusterSize(&blocks, add, &config) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuOccupancyMaxActiveClusters(&blocks, add, &config) == CUDA_ERROR_INVALID_VALUE);
  libraries_and_their_kernels();
  pools();
  managed_memory_and_pointers();
  copies_and_fills();
  streams_and_captures();
  graphs();
  occupancy();
  cooperative_launches_without_memory();
  return report();
}
