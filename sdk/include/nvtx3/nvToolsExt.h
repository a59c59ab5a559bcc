// The NVIDIA tools extension without a tool: ranges and marks have no effect.
#pragma once
#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#if defined(__cplusplus)
#define HEDDLE_NVTX static inline
#else
#define HEDDLE_NVTX static __inline__ __attribute__((unused))
#endif

HEDDLE_NVTX void nvtxInitialize(const void* reserved) { (void)reserved; }
HEDDLE_NVTX void nvtxMarkA(const char* message) { (void)message; }
HEDDLE_NVTX void nvtxMarkW(const wchar_t* message) { (void)message; }
HEDDLE_NVTX void nvtxMarkEx(const nvtxEventAttributes_t* event) { (void)event; }
HEDDLE_NVTX nvtxRangeId_t nvtxRangeStartA(const char* message) { return (void)message, 0; }
HEDDLE_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) { return (void)message, 0; }
HEDDLE_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return (void)event, 0;
}
HEDDLE_NVTX void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }
HEDDLE_NVTX int nvtxRangePushA(const char* message) {
  return (void)message, NVTX_NO_PUSH_POP_TRACKING;
}
HEDDLE_NVTX int nvtxRangePushW(const wchar_t* message) {
  return (void)message, NVTX_NO_PUSH_POP_TRACKING;
}
HEDDLE_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  return (void)event, NVTX_NO_PUSH_POP_TRACKING;
}
HEDDLE_NVTX int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
HEDDLE_NVTX void nvtxNameCategoryA(uint32_t category, const char* name) {
  (void)category, (void)name;
}
HEDDLE_NVTX void nvtxNameOsThreadA(uint32_t thread, const char* name) { (void)thread, (void)name; }
HEDDLE_NVTX void nvtxNameOsThreadW(uint32_t thread, const wchar_t* name) {
  (void)thread, (void)name;
}
HEDDLE_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  return (void)name, (nvtxDomainHandle_t)0;
}
HEDDLE_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
  return (void)name, (nvtxDomainHandle_t)0;
}
HEDDLE_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
HEDDLE_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                         const char* text) {
  return (void)domain, (void)text, (nvtxStringHandle_t)0;
}
HEDDLE_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                         const char* name) {
  (void)domain, (void)category, (void)name;
}
HEDDLE_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  (void)domain, (void)event;
}
HEDDLE_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                 const nvtxEventAttributes_t* event) {
  return (void)domain, (void)event, 0;
}
HEDDLE_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  (void)domain, (void)range;
}
HEDDLE_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                      const nvtxEventAttributes_t* event) {
  return (void)domain, (void)event, NVTX_NO_PUSH_POP_TRACKING;
}
HEDDLE_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return (void)domain, NVTX_NO_PUSH_POP_TRACKING;
}
#undef HEDDLE_NVTX

#if defined(UNICODE)
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
