#include "cuda/process/faults.h"

#include "cuda/objects/error_names.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kMaxCallsAfterFault = 10000;

}  // namespace

cudaError_t Faults::error_of(exec::KernelFault::Kind kind) {
  using Kind = exec::KernelFault::Kind;
  switch (kind) {
    case Kind::assertion: return cudaErrorAssert;
    case Kind::illegal_address: return cudaErrorIllegalAddress;
    case Kind::misaligned_address: return cudaErrorMisalignedAddress;
    case Kind::illegal_call: return cudaErrorInvalidPc;
    case Kind::stack_overflow: return cudaErrorHardwareStackError;
    case Kind::trap:
    case Kind::deadlock: break;
  }
  return cudaErrorLaunchFailure;
}

std::string Faults::count_call() {
  if (++calls_ <= kMaxCallsAfterFault) return {};
  return "the program has ignored a device fault: " + std::to_string(kMaxCallsAfterFault) +
         " calls after it have returned " + error_name(error_);
}

}  // namespace heddle::cuda
