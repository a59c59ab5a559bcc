// Signatures up to CUDA 12, and that version's names of the later ones.
#pragma once

#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphAddNode_v2 cudaGraphAddNode
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
#define cudaMemAdvise_v2 cudaMemAdvise
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies

static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device,
                                               cudaStream_t stream = 0) {
  const cudaMemLocation location = {
      device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device < 0 ? 0 : device};
  return ::cudaMemPrefetchAsync(pointer, count, location, 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t count,
                                        enum cudaMemoryAdvise advice, int device) {
  const cudaMemLocation location = {
      device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device < 0 ? 0 : device};
  return ::cudaMemAdvise(pointer, count, advice, location);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                               cudaGraphNode_t* error_node, char* log,
                                               size_t bytes) {
  if (error_node) *error_node = 0;
  if (log && bytes) *log = 0;
  return ::cudaGraphInstantiate(exec, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t* error_node,
                                              enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                            cudaGraphNode_t* to, size_t* count) {
  return ::cudaGraphGetEdges(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t* dependencies,
                                                       size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, dependencies, 0, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t* dependents,
                                                         size_t* count) {
  return ::cudaGraphNodeGetDependentNodes(node, dependents, 0, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, 0, count);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           cudaGraphNodeParams* params) {
  return ::cudaGraphAddNode(node, graph, dependencies, 0, count, params);
}
static inline cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, enum cudaStreamCaptureStatus* status, unsigned long long* id = 0,
    cudaGraph_t* graph = 0, const cudaGraphNode_t** dependencies = 0, size_t* count = 0) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, 0, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                              cudaGraphNode_t* dependencies,
                                                              size_t count, unsigned flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, 0, count, flags);
}
