// The values of cudaError_t that the device runtime returns to kernels.
#pragma once

namespace heddle::gpu::cuda_error {

inline constexpr int kNone = 0;
inline constexpr int kInvalidValue = 1;
inline constexpr int kMemoryAllocation = 2;
inline constexpr int kInvalidDevicePointer = 17;
inline constexpr int kUnsupportedLimit = 215;
inline constexpr int kInvalidDeviceFunction = 98;
inline constexpr int kInvalidDevice = 101;
inline constexpr int kInvalidHandle = 400;
inline constexpr int kMaxDepthExceeded = 65;   // of launches
inline constexpr int kSyncDepthExceeded = 68;  // of cudaDeviceSynchronize
inline constexpr int kPendingLaunchesExceeded = 69;

}  // namespace heddle::gpu::cuda_error
