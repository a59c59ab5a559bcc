// cudaCreateChannelDesc<T>(): the channels of a vector type, for arrays and textures.
#pragma once

#include "cuda_runtime_api.h"
#include "vector_types.h"

template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
#define HEDDLE_CHANNELS(type, count, bits, kind)                                           \
  template <>                                                                              \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                             \
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind}; \
  }
#define HEDDLE_CHANNEL_SET(scalar, name, bits, kind) \
  HEDDLE_CHANNELS(scalar, 1, bits, kind)             \
  HEDDLE_CHANNELS(name##1, 1, bits, kind)            \
  HEDDLE_CHANNELS(name##2, 2, bits, kind)            \
  HEDDLE_CHANNELS(name##3, 3, bits, kind)            \
  HEDDLE_CHANNELS(name##4, 4, bits, kind)
HEDDLE_CHANNEL_SET(signed char, char, 8, cudaChannelFormatKindSigned)
HEDDLE_CHANNEL_SET(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
HEDDLE_CHANNEL_SET(short, short, 16, cudaChannelFormatKindSigned)
HEDDLE_CHANNEL_SET(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
HEDDLE_CHANNEL_SET(int, int, 32, cudaChannelFormatKindSigned)
HEDDLE_CHANNEL_SET(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
HEDDLE_CHANNEL_SET(float, float, 32, cudaChannelFormatKindFloat)
HEDDLE_CHANNELS(char, 1, 8, cudaChannelFormatKindSigned)
#undef HEDDLE_CHANNEL_SET
#undef HEDDLE_CHANNELS

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}
