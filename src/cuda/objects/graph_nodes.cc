#include "cuda/objects/graph_nodes.h"

#include "cuda/objects/parameters.h"
#include "cuda/process/kernel_names.h"

namespace heddle::cuda {

cudaError_t kernel_operation(Session& session, const ptx::Kernel* kernel,
                             const cudaKernelNodeParams& p, Operation& operation) {
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  Request request{kernel, p.func, {p.gridDim, p.blockDim, p.sharedMemBytes}, {}};
  if (!gather_parameters(*kernel, p.kernelParams, p.extra, request.parameters))
    return cudaErrorInvalidValue;
  if (const cudaError_t error = describe_launch(session, request, operation); error != cudaSuccess)
    return error;
  operation.kernel = p;
  operation.kernel_name = kernel_short_name(kernel->name);
  for (const auto& parameter : kernel->parameters) {
    const auto* const first = request.parameters.data() + parameter.offset;
    operation.arguments.emplace_back(first, first + parameter.bytes);
  }
  for (auto& argument : operation.arguments) operation.argument_pointers.push_back(argument.data());
  operation.kernel.kernelParams = operation.argument_pointers.data();
  operation.kernel.extra = nullptr;
  return cudaSuccess;
}

}  // namespace heddle::cuda
