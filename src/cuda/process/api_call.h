// What every API function does around its own work: it takes the session's lock, keeps exceptions
// inside, and sets the thread's last error.
#pragma once

#include <exception>
#include <mutex>
#include <utility>

#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop

#include "base/library_errors.h"
#include "cuda/process/session.h"

namespace heddle::cuda {

// What the API knows of the thread that calls it.
struct CallingThread {
  cudaError_t last_error = cudaSuccess;
  ContextStack contexts;
  bool in_driver_call = false;    // a call of the runtime is part of one of the driver
  bool in_host_function = false;  // of a stream
};
CallingThread& calling_thread();

// Read by cudaPeekAtLastError, cleared by cudaGetLastError.
inline cudaError_t& last_error() { return calling_thread().last_error; }

// Calls work(session) under the lock. An exception ends the process with a message.
template <class Work>
auto guarded(Work&& work) {
  Session& session = Session::get();
  const std::lock_guard lock(session.calls.mutex);
  ++session.calls.count;
  try {
    return std::forward<Work>(work)(session);
  } catch (const exec::KernelFault& fault) {
    session.stop_for_fault(fault);
  } catch (const exec::Interrupted& interrupted) {
    session.stop_for_signal(interrupted.signal, interrupted.warp_places);
  } catch (const std::exception& error) {
    session.stop_for_user_error(describe_error(error));
  }
}

// The same for a call that returns an error code and needs no context. After a device fault it
// returns the fault's code and does not call work.
template <class Work>
cudaError_t api_without_context(Work&& work) {
  const cudaError_t error = guarded([&](Session& session) -> cudaError_t {
    const cudaError_t fault = session.fault_error();
    return fault == cudaSuccess ? work(session) : fault;
  });
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

// The same for all other calls, which host functions of streams must not make.
template <class Work>
cudaError_t api(Work&& work) {
  return api_without_context([&](Session& session) -> cudaError_t {
    CallingThread& thread = calling_thread();
    if (thread.in_host_function) return cudaErrorNotPermitted;
    if (!thread.in_driver_call) session.contexts.bind_runtime(thread.contexts);
    return work(session);
  });
}

// The same for a call that needs an idle device, for example because it frees memory.
template <class Work>
cudaError_t api_when_idle(Work&& work) {
  return api([&](Session& session) -> cudaError_t {
    const cudaError_t error = session.streams.wait_for_all();
    return error == cudaSuccess ? work(session) : error;
  });
}

// For a call whose result needs neither the device nor an object.
inline cudaError_t answer(cudaError_t error) {
  return api([error](Session&) { return error; });
}

// Prints on stderr why a call returns an error: a real GPU only returns the code.
void explain(const char* call, const std::string& why);

}  // namespace heddle::cuda
