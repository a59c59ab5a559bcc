#include "exec/fault.h"

#include <bit>
#include <cstdio>

#include "base/demangle.h"

namespace heddle::exec {

std::string hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string mask_text(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::string triple(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string program_line(const Launch& launch) {
  return launch.program_name.empty() ? "" : "\n  program  " + launch.program_name;
}

std::string source_place(const isa::Kernel& kernel, const isa::Instruction& instruction) {
  std::string text;
  if (instruction.source > 0 && instruction.source < kernel.source_lines.size()) {
    const isa::SourceLine& line = kernel.source_lines[instruction.source];
    if (!line.file.empty()) text = line.file + ":" + std::to_string(line.line) + ", ";
  }
  return text + (kernel.module.empty() ? std::string("line ") : kernel.module + ":") +
         std::to_string(instruction.ptx_line);
}

namespace {

std::string kernel_line(const Machine& machine, const isa::Instruction& instruction) {
  const isa::Kernel& kernel = *machine.launch.kernel;
  return program_line(machine.launch) + "\n  kernel   " + readable_name(kernel.name) + "  (" +
         source_place(kernel, instruction) + ")";
}

std::string thread_line(const Warp& w, int lane) {
  const Dim3& block = w.machine->launch.block;
  const std::uint64_t t =
      std::uint64_t{w.warp_in_cta} * kWarpSize + static_cast<std::uint64_t>(lane);
  return "\n  thread   " + triple(t % block.x, t / block.x % block.y, t / block.x / block.y) +
         " of CTA " + triple(w.cta->x, w.cta->y, w.cta->z);
}

const char* access_name(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::st:
    case ptx::Opcode::wmma_store:
    case ptx::Opcode::stmatrix: return "store";
    case ptx::Opcode::atom:
    case ptx::Opcode::red: return "atomic access";
    default: return "load";
  }
}

const char* space_name(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared: return "shared memory of the CTA";
    case ptx::Space::local: return "local memory of the thread";
    case ptx::Space::param: return "parameters of the kernel";
    case ptx::Space::frame: return "call parameters";
    default: return "memory";
  }
}

// The fault carries the text printed in this window, because the window does not end.
[[noreturn]] void fail(const Machine& m, KernelFault::Kind kind, const std::string& message,
                       const std::string& said = {}) {
  throw KernelFault(kind, message, m.printed, said);
}

}  // namespace

std::string sync_name(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::shfl: return "shfl.sync";
    case ptx::Opcode::vote: return "vote.sync";
    case ptx::Opcode::match: return "match.sync";
    case ptx::Opcode::redux: return "redux.sync";
    case ptx::Opcode::elect: return "elect.sync";
    default: return i.barrier == ptx::BarrierOp::warp_sync ? "bar.warp.sync" : "a barrier";
  }
}

std::string lone_lanes(const Warp& w, const DecodedInstruction& r, std::uint32_t lanes,
                       std::uint32_t others) {
  return "heddle: warning: each branch executes " + sync_name(ptx_of(r)) +
         " alone: its target has no independent thread scheduling" +
         kernel_line(*w.machine, *r.instruction) + thread_line(w, std::countr_zero(lanes)) +
         "\n  lanes    " + mask_text(lanes) + " execute it without lanes " + mask_text(others) +
         " of the warp, which may execute a matching one\n  From sm_70 on they execute it "
         "together. "
         "Compile for sm_70 or later to simulate that.";
}

std::string out_of_bounds(const Warp& w, const DecodedInstruction& r, int lane, ptx::Space space,
                          std::uint64_t address, std::uint32_t bytes, std::uint64_t size) {
  const Machine& m = *w.machine;
  std::string where;
  if (space == ptx::Space::global) {
    // An access that begins inside an allocation and runs past its end is described by its last
    // byte.
    const bool begins_inside = m.memory.valid(Address{address}, 1);
    where = hex(address) + ", " +
            m.memory.describe(begins_inside ? Address{address + bytes - 1} : Address{address});
  } else {
    where = "offset " + hex(address) + " in the " + space_name(space) + ", which has " +
            std::to_string(size) + " bytes";
  }
  return "heddle: out-of-bounds " + std::string(access_name(ptx_of(r))) + " of " +
         std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
         kernel_line(m, *r.instruction) + thread_line(w, lane) + "\n  address  " + where;
}

void throw_out_of_bounds(const Warp& w, const DecodedInstruction& r, int lane, ptx::Space space,
                         std::uint64_t address, std::uint32_t bytes, std::uint64_t size) {
  fail(*w.machine, KernelFault::Kind::illegal_address,
       out_of_bounds(w, r, lane, space, address, bytes, size));
}

void throw_misaligned(const Warp& w, const DecodedInstruction& r, int lane, std::uint64_t address,
                      std::uint32_t bytes) {
  fail(*w.machine, KernelFault::Kind::misaligned_address,
       "heddle: misaligned " + std::string(access_name(ptx_of(r))) + " of " +
           std::to_string(bytes) + " bytes" + kernel_line(*w.machine, *r.instruction) +
           thread_line(w, lane) + "\n  address  " + hex(address) + ", which is not a multiple of " +
           std::to_string(bytes));
}

void throw_bad_texture(const Warp& w, const DecodedInstruction& r, int lane,
                       const std::string& what) {
  const char* doing = "texture fetch from ";
  if (ptx_of(r).opcode == ptx::Opcode::txq) doing = "query of ";
  if (ptx_of(r).opcode == ptx::Opcode::suld) doing = "surface load from ";
  if (ptx_of(r).opcode == ptx::Opcode::sust) doing = "surface store to ";
  if (ptx_of(r).opcode == ptx::Opcode::sured) doing = "surface reduction at ";
  fail(
      *w.machine, KernelFault::Kind::illegal_address,
      "heddle: " + (doing + what) + kernel_line(*w.machine, *r.instruction) + thread_line(w, lane));
}

void throw_trap(const Warp& w, const DecodedInstruction& r, int lane, const std::string& what) {
  fail(*w.machine, KernelFault::Kind::trap,
       "heddle: " + what + kernel_line(*w.machine, *r.instruction) + thread_line(w, lane));
}

void throw_assertion(const Warp& w, const DecodedInstruction& r, int lane,
                     const std::string& said) {
  fail(*w.machine, KernelFault::Kind::assertion,
       "heddle: device assertion failed" + kernel_line(*w.machine, *r.instruction) +
           thread_line(w, lane),
       said);
}

void throw_illegal_call(const Warp& w, const DecodedInstruction& r, int lane,
                        std::uint64_t address) {
  std::string what = "which is no function's address";
  static const std::vector<ptx::Function> none;
  for (const ptx::Function& f :
       w.machine->decoded->machine_code ? none : ptx_kernel(*w.machine).functions)
    if (f.address == address)
      what = "the function " + demangle(f.name) + ", whose parameters do not fit";
  fail(*w.machine, KernelFault::Kind::illegal_call,
       "heddle: call of " + hex(address) + ", " + what + kernel_line(*w.machine, *r.instruction) +
           thread_line(w, lane));
}

void throw_stack_overflow(const Warp& w, const DecodedInstruction& r, int lane) {
  const Machine& m = *w.machine;
  fail(*w.machine, KernelFault::Kind::stack_overflow,
       "heddle: stack overflow: " + std::to_string(m.launch.stack_bytes) +
           " bytes per thread do not suffice, at call level " +
           std::to_string(w.stack.call_depth()) +
           "; cudaDeviceSetLimit(cudaLimitStackSize, ...) gives more" +
           kernel_line(m, *r.instruction) + thread_line(w, lane));
}

void throw_bad_pointer(const Warp& w, const DecodedInstruction& r, int lane,
                       const std::string& what) {
  fail(*w.machine, KernelFault::Kind::illegal_address,
       "heddle: " + what + kernel_line(*w.machine, *r.instruction) + thread_line(w, lane));
}

}  // namespace heddle::exec
