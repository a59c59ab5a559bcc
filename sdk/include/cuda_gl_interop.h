// OpenGL is not part of Heddle. Including this header compiles; a call is an error at its line.
#pragma once

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned GLuint;
typedef unsigned GLenum;
#endif
#endif

#include "cuda_runtime.h"
#include "heddle/absent.h"

typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags {
  cudaGLMapFlagsNone = 0,
  cudaGLMapFlagsReadOnly = 1,
  cudaGLMapFlagsWriteDiscard = 2
};

#define HEDDLE_NAME(name) HEDDLE_ABSENT("OpenGL", cudaError_t, name)
HEDDLE_NAME(cudaGLGetDevices)
HEDDLE_NAME(cudaGLMapBufferObject)
HEDDLE_NAME(cudaGLMapBufferObjectAsync)
HEDDLE_NAME(cudaGLRegisterBufferObject)
HEDDLE_NAME(cudaGLSetBufferObjectMapFlags)
HEDDLE_NAME(cudaGLSetGLDevice)
HEDDLE_NAME(cudaGLUnmapBufferObject)
HEDDLE_NAME(cudaGLUnmapBufferObjectAsync)
HEDDLE_NAME(cudaGLUnregisterBufferObject)
HEDDLE_NAME(cudaGraphicsGLRegisterBuffer)
HEDDLE_NAME(cudaGraphicsGLRegisterImage)
#undef HEDDLE_NAME
