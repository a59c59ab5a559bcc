#include "exec/isa/device_calls.h"

#include <bit>

#include "exec/fault.h"
#include "exec/isa/call_frame.h"
#include "exec/isa/memory_access.h"

namespace heddle::exec {
namespace {

DeviceCall call_of(Warp& w, const DecodedInstruction& r, int lane) {
  const ptx::CallSite& site = site_of(w, r);
  DeviceCall call;
  call.function = &site.runtime;
  call.launch = &w.machine->launch;
  call.cta = w.cta->linear;
  call.thread = w.warp_in_cta * kWarpSize + static_cast<std::uint32_t>(lane);
  call.cycle = w.now;
  for (std::size_t n = 0; n < site.arguments.size() && n < call.arguments.size(); ++n)
    call.arguments[n] = frame_of(w, lane) + site.arguments[n].offset;
  call.read = [&w, lane](std::uint64_t address, void* to, std::uint32_t bytes) {
    return read_generic(w, lane, address, to, bytes);
  };
  call.write = [&w, lane](std::uint64_t address, const void* from, std::uint32_t bytes) {
    return write_generic(w, lane, address, from, bytes);
  };
  call.fault = [&w, &r, lane](const std::string& what) { throw_bad_pointer(w, r, lane, what); };
  return call;
}

}  // namespace

bool serve_device_call(Warp& w, DeviceRuntime& runtime) {
  HostRequest& request = w.host_request;
  const DecodedInstruction& r = *request.decoded;
  for (std::uint32_t rest = request.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto result = runtime.call(call_of(w, r, lane));
    if (!result) return false;
    request.values[static_cast<std::size_t>(lane)] = *result;
  }
  return request.done = true;
}

bool call_device_runtime(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  Machine& m = *w.machine;
  DeviceRuntime* const runtime = m.launch.services ? m.launch.services->runtime : nullptr;
  if (!runtime)
    throw_trap(w, r, std::countr_zero(mask), "a call of the device runtime, which does not exist");
  HostRequest& request = w.host_request;
  if (request.decoded == nullptr) {
    request.decoded = &r;
    request.lanes = mask;
    request.done = false;
    if (!m.direct) m.device_calls.push_back(&w);
  }
  check_invariant(request.decoded == &r && request.lanes == mask,
                  "a warp has two requests to the host");
  if (m.direct && !request.done)
    check_invariant(serve_device_call(w, *runtime), "a thread of a functional run waits");
  if (!request.done) {
    if (w.step) w.step->waits_for_call = true;
    return false;
  }
  for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    give_result(w, r, lane, request.values[static_cast<std::size_t>(lane)]);
  }
  request.decoded = nullptr;
  return true;
}

}  // namespace heddle::exec
