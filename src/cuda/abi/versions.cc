// The calls with the symbol versions of CUDA 11 and 12, in addition to CUDA 13's, so that one
// library serves programs that were linked with any of the three (decision 031). Each is a jump;
// arguments and results do not change.
#define HEDDLE_JUMP(alias, name, version, target)                                         \
  asm(".text\n.globl " #alias "\n.type " #alias ", @function\n" #alias ":\n jmp " #target \
      "\n.size " #alias ", . - " #alias "\n.symver " #alias ", " #name "@" version "\n");
#define HEDDLE_OLDER(name, of11, of12)                              \
  HEDDLE_JUMP(heddle_at_11_##name, name, "libcudart.so.11.0", of11) \
  HEDDLE_JUMP(heddle_at_12_##name, name, "libcudart.so.12", of12)
#define HEDDLE_CALL(name) HEDDLE_OLDER(name, name, name)
#define HEDDLE_CHANGED(name, of11, of12) HEDDLE_OLDER(name, of11, of12)
#define HEDDLE_VARIANT(name, suffix) HEDDLE_VARIANT_(name, name##suffix)
#define HEDDLE_VARIANT_(name, variant)                                                        \
  asm(".text\n.globl " #variant "\n.type " #variant ", @function\n" #variant ":\n jmp " #name \
      "\n.size " #variant ", . - " #variant "\n");                                            \
  HEDDLE_OLDER(variant, name, name)
#define HEDDLE_REFUSED(name, needs) HEDDLE_OLDER(name, name, name)

#include "cuda/abi/runtime_calls.inc"
#include "cuda/runtime/refused_calls.inc"

// CUDA 12's names with suffixes for calls that CUDA 13 names without.
HEDDLE_JUMP(heddle_v2_cudaMemPrefetchAsync, cudaMemPrefetchAsync_v2, "libcudart.so.12",
            cudaMemPrefetchAsync)
HEDDLE_JUMP(heddle_v2_cudaMemAdvise, cudaMemAdvise_v2, "libcudart.so.12", cudaMemAdvise)
HEDDLE_JUMP(heddle_v2_cudaGraphAddDependencies, cudaGraphAddDependencies_v2, "libcudart.so.12",
            cudaGraphAddDependencies)
HEDDLE_JUMP(heddle_v2_cudaGraphAddNode, cudaGraphAddNode_v2, "libcudart.so.12", cudaGraphAddNode)
HEDDLE_JUMP(heddle_v2_cudaGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes_v2,
            "libcudart.so.12", cudaGraphNodeGetDependentNodes)
HEDDLE_JUMP(heddle_v2_cudaGraphRemoveDependencies, cudaGraphRemoveDependencies_v2,
            "libcudart.so.12", cudaGraphRemoveDependencies)
HEDDLE_JUMP(heddle_v2_11_cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2, "libcudart.so.11.0",
            heddle_cudaStreamGetCaptureInfo_12)
HEDDLE_JUMP(heddle_v2_cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v2, "libcudart.so.12",
            heddle_cudaStreamGetCaptureInfo_12)
HEDDLE_JUMP(heddle_v3_cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v3, "libcudart.so.12",
            cudaStreamGetCaptureInfo)

// Calls of the driver have no symbol versions; newer signatures have a suffix.
#define HEDDLE_DRIVER(name)
#define HEDDLE_DRIVER_VARIANT(name, suffix) HEDDLE_ALSO(name, name##suffix)
#define HEDDLE_ALSO(name, variant)                                                            \
  asm(".text\n.globl " #variant "\n.type " #variant ", @function\n" #variant ":\n jmp " #name \
      "\n.size " #variant ", . - " #variant "\n");
#include "cuda/abi/driver_calls.inc"
