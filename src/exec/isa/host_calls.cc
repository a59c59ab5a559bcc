#include "exec/isa/host_calls.h"

#include "exec/fault.h"
#include "exec/isa/call_frame.h"
#include "exec/isa/device_calls.h"
#include "exec/isa/memory_access.h"
#include "exec/services/device_runtime.h"
#include "exec/services/print.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;

ReadMemory memory_of(Warp& w, int lane) {
  return [&w, lane](U64 address, void* to, U32 bytes) {
    return read_generic(w, lane, address, to, bytes);
  };
}

void print_lane(Warp& w, const DecodedInstruction& r, int lane) {
  const ReadMemory read = memory_of(w, lane);
  const auto format = read_text(read, argument(w, r, lane, 0));
  const auto printed = format ? print(read, *format, argument(w, r, lane, 1)) : std::nullopt;
  if (!printed) throw_bad_pointer(w, r, lane, "printf reads outside of the thread's memory");
  w.machine->printed += printed->text;
  give_result(w, r, lane, static_cast<U32>(printed->arguments));
}

U64 perform(Warp& w, const DecodedInstruction& r, int lane, U64 value) {
  DeviceServices* const services = w.machine->launch.services;
  if (ptx_of(r).opcode == Opcode::device_malloc)
    return services ? services->heap.allocate(value) : 0;
  if (value != 0 && !(services && services->heap.free(value))) {
    throw_bad_pointer(w, r, lane,
                      "free of an address that malloc has not given, or that is free already");
  }
  return 0;
}

template <class F>
void each_lane(U32 mask, F&& f) {
  for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

bool call_heap(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (w.machine->direct) {
    each_lane(mask, [&](int lane) {
      give_result(w, r, lane, perform(w, r, lane, argument(w, r, lane, 0)));
    });
    return true;
  }
  HostRequest& request = w.host_request;
  if (request.decoded == nullptr) {
    request.decoded = &r;
    request.lanes = mask;
    request.done = false;
    each_lane(mask, [&](int lane) {
      request.values[static_cast<std::size_t>(lane)] = argument(w, r, lane, 0);
    });
    w.machine->heap_requests.push_back(&w);
    return false;
  }
  check_invariant(request.decoded == &r && request.lanes == mask,
                  "a warp has two requests to the host");
  if (!request.done) return false;
  each_lane(mask, [&](int lane) {
    give_result(w, r, lane, request.values[static_cast<std::size_t>(lane)]);
  });
  request.decoded = nullptr;
  return true;
}

std::string triple(U32 x, U32 y, U32 z) {
  return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
}

// In CUDA's words.
std::string assertion_text(Warp& w, const DecodedInstruction& r, int lane) {
  const ReadMemory read = memory_of(w, lane);
  const auto text = [&](std::size_t n) {
    return read_text(read, argument(w, r, lane, n)).value_or("?");
  };
  const Dim3& block = w.machine->launch.block;
  const U32 thread = w.warp_in_cta * kWarpSize + static_cast<U32>(lane);
  return text(1) + ":" + std::to_string(static_cast<U32>(argument(w, r, lane, 2))) + ": " +
         text(3) + ": block: " + triple(w.cta->x, w.cta->y, w.cta->z) + ", thread: " +
         triple(thread % block.x, thread / block.x % block.y, thread / block.x / block.y) +
         " Assertion `" + text(0) + "` failed.\n";
}

}  // namespace

bool call_host(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (ptx_of(r).opcode == Opcode::device_runtime) return call_device_runtime(w, r, mask);
  if (ptx_of(r).opcode != Opcode::vprintf) return call_heap(w, r, mask);
  each_lane(mask, [&](int lane) { print_lane(w, r, lane); });
  if (w.machine->direct) serve_host_calls(*w.machine);
  return true;
}

void fail_assertion(Warp& w, const DecodedInstruction& r, U32 mask) {
  std::string text;
  each_lane(mask, [&](int lane) { text += assertion_text(w, r, lane); });
  throw_assertion(w, r, std::countr_zero(mask), text);
}

void serve_host_calls(Machine& machine) {
  if (machine.claims && machine.claims->runs_ahead()) throw CannotRunAhead{};
  for (Warp* w : machine.heap_requests) {
    HostRequest& request = w->host_request;
    each_lane(request.lanes, [&](int lane) {
      U64& value = request.values[static_cast<std::size_t>(lane)];
      value = perform(*w, *request.decoded, lane, value);
    });
    request.done = true;
  }
  machine.heap_requests.clear();
  for (Warp* w : machine.device_calls) machine.launch.services->runtime->collect(*w);
  machine.device_calls.clear();
  for (LaunchWarning& warning : machine.warnings)
    machine.launch.services->warnings.push_back(std::move(warning));
  machine.warnings.clear();
  if (machine.printed.empty()) return;
  if (machine.launch.services) machine.launch.services->printed.append(machine.printed);
  machine.printed.clear();
}

}  // namespace heddle::exec
