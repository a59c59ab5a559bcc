// What every API function does around its own work: one caller at a time, no exception out of C,
// the thread's last error.
#pragma once

#include <exception>
#include <mutex>
#include <utility>

#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop

#include "base/diagnostics.h"
#include "cuda/process/session.h"

namespace heddle::cuda {

// The calling thread's last error: read by cudaPeekAtLastError, taken by cudaGetLastError.
cudaError_t& last_error();

template <class Work>
auto guarded(Work&& work) {
  Session& session = Session::get();
  const std::lock_guard lock(session.mutex);
  try {
    return std::forward<Work>(work)(session);
  } catch (const UserError& mistake) {
    session.stop_for_mistake(mistake.what());
  } catch (const exec::KernelFault& fault) {
    session.stop_for_fault(fault);
  } catch (const exec::Interrupted& asked) {
    session.stop_for_signal(asked.signal, asked.warp_places);
  } catch (const std::exception& error) {
    report_violation(error.what());
  }
}

template <class Work>
cudaError_t api(Work&& work) {
  const cudaError_t error = guarded([&](Session& session) -> cudaError_t {
    const cudaError_t fault = session.fault_error();
    return fault == cudaSuccess ? work(session) : fault;
  });
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

// Calls that need no device and no lock to be judged.
inline cudaError_t answer(cudaError_t error) {
  return api([error](Session&) { return error; });
}

// Says on stderr why a call is about to return an error that a real GPU would not explain.
void explain(const char* call, const std::string& why);

}  // namespace heddle::cuda
