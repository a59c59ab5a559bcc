// Builds kernels instruction by instruction, and a device to run them on.
#pragma once

#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "exec/state/launch.h"
#include "ptx/kernel.h"

namespace heddle::exec::test {

using ptx::Compare;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::SpecialRegister;
using ptx::Type;

inline int bytes_of(Type t) {
  switch (t) {
    case Type::u8:
    case Type::s8:
    case Type::b8: return 1;
    case Type::u16:
    case Type::s16:
    case Type::b16:
    case Type::f16: return 2;
    case Type::u64:
    case Type::s64:
    case Type::b64:
    case Type::f64: return 8;
    default: return 4;
  }
}

class Builder {
 public:
  ptx::Kernel kernel;

  Builder() {
    kernel.name = "kernel";
    kernel.module = "test.ptx";
  }

  Operand reg32() { return reg(4); }
  Operand reg64() { return reg(8); }
  Operand pred() {
    Operand o;
    o.kind = Operand::Kind::pred;
    o.bytes = 0;
    o.row = static_cast<std::uint16_t>(kernel.predicate_rows++);
    return o;
  }
  Operand imm32(std::uint32_t value) {
    Operand o;
    o.kind = Operand::Kind::constant;
    o.row = static_cast<std::uint16_t>(kernel.constants.size() / 32);
    kernel.constants.insert(kernel.constants.end(), 32, value);
    return o;
  }
  Operand imm64(std::uint64_t value) {
    Operand o = imm32(0);
    kernel.constants.resize(kernel.constants.size() + 32);
    o.bytes = 8;
    for (std::size_t l = 0; l < 32; ++l)
      std::memcpy(&kernel.constants[o.row * std::size_t{32} + 2 * l], &value, 8);
    return o;
  }
  Operand immf(float v) { return imm32(std::bit_cast<std::uint32_t>(v)); }
  Operand special(SpecialRegister s) {
    const Operand o = reg32();
    kernel.preset_registers.push_back({s, o.row, 0});
    return o;
  }

  Instruction& emit(Opcode op, Type type, std::vector<Operand> dst = {},
                    std::vector<Operand> src = {}) {
    Instruction i;
    i.opcode = op;
    i.type = type;
    i.payload = ptx::payload_for(op);
    for (std::size_t n = 0; n < dst.size(); ++n) i.dst[n] = dst[n];
    for (std::size_t n = 0; n < src.size(); ++n) i.src[n] = src[n];
    i.ptx_line = static_cast<std::uint32_t>(kernel.code.size() + 1);
    kernel.code.push_back(i);
    return kernel.code.back();
  }
  Instruction& ld(Space space, Type type, Operand dst, Operand base, std::int64_t offset = 0) {
    Instruction& i = emit(Opcode::ld, type, {dst}, {base});
    i.space = space;
    i.address_offset = offset;
    i.op_class = ptx::OpClass::load;
    i.access_bytes = static_cast<std::uint8_t>(bytes_of(type));
    return i;
  }
  Instruction& st(Space space, Type type, Operand base, Operand value, std::int64_t offset = 0) {
    Instruction& i = emit(Opcode::st, type, {}, {base, value});
    i.space = space;
    i.address_offset = offset;
    i.op_class = ptx::OpClass::store;
    i.access_bytes = static_cast<std::uint8_t>(bytes_of(type));
    return i;
  }
  Instruction& setp(Compare c, Type type, Operand p, Operand a, Operand b) {
    Instruction& i = emit(Opcode::setp, type, {p}, {a, b});
    i.source_type = type;
    i.compare = c;
    return i;
  }
  // Branch targets are patched when the pc of the label is known.
  Pc here() const { return static_cast<Pc>(kernel.code.size()); }
  Pc bra(Operand guard = {}) {
    Instruction& i = emit(Opcode::bra, Type::none);
    i.guard = guard;
    return here() - 1;
  }
  void bind(Pc branch, Pc target, Pc reconvergence = kNoPc) {
    kernel.code[branch].target = target;
    kernel.code[branch].reconvergence = reconvergence;
  }
  Instruction& bar(std::uint32_t id = 0) {
    Instruction& i = emit(Opcode::bar, Type::none, {}, {imm32(id)});
    i.barrier = ptx::BarrierOp::sync;
    i.op_class = ptx::OpClass::barrier;
    return i;
  }
  void ret() { emit(Opcode::ret, Type::none); }

  // base + (global thread number) * bytes, where parameter 0 holds the base.
  Operand element_address(std::uint32_t parameter, std::uint32_t bytes) {
    if (!thread_) {
      thread_ = reg32();
      emit(Opcode::mad, Type::s32, {thread_},
           {special(SpecialRegister::ctaid_x), special(SpecialRegister::ntid_x),
            special(SpecialRegister::tid_x)})
          .part = ptx::MulPart::lo;
    }
    const Operand base = reg64(), address = reg64();
    ld(Space::param, Type::u64, base, {}, parameter * 8);
    kernel.parameter_bytes = std::max(kernel.parameter_bytes, parameter * 8 + 8);
    emit(Opcode::mad, Type::u32, {address}, {thread_, imm32(bytes), base}).part =
        ptx::MulPart::wide;
    return address;
  }
  Operand thread() const { return thread_; }

 private:
  Operand reg(int bytes) {
    Operand o;
    o.kind = Operand::Kind::reg;
    o.bytes = static_cast<std::uint8_t>(bytes);
    o.row = static_cast<std::uint16_t>(kernel.register_rows);
    kernel.register_rows += static_cast<std::uint32_t>(bytes / 4);
    o.reg = static_cast<std::uint16_t>(kernel.architectural_registers++);
    return o;
  }
  Operand thread_{};
};

// A device whose arrays are the kernel's parameters.
struct Bench {
  GlobalMemory memory{std::uint64_t{64} << 20};
  std::vector<Address> arrays;

  template <class T>
  Address array(const std::vector<T>& values) {
    const Address a = memory.allocate(values.size() * sizeof(T),
                                      "cudaMalloc #" + std::to_string(arrays.size() + 1));
    std::memcpy(memory.host(a), values.data(), values.size() * sizeof(T));
    arrays.push_back(a);
    return a;
  }
  template <class T>
  std::vector<T> read(Address a, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.host(a), count * sizeof(T));
    return values;
  }
  Launch launch(const ptx::Kernel& kernel, Dim3 grid, Dim3 block) const {
    Launch l;
    l.kernel = &kernel;
    l.grid = grid;
    l.block = block;
    l.parameters.resize(std::max<std::size_t>(kernel.parameter_bytes, arrays.size() * 8));
    for (std::size_t i = 0; i < arrays.size(); ++i)
      std::memcpy(&l.parameters[i * 8], &arrays[i].value, 8);
    return l;
  }
  FunctionalCounts run(const ptx::Kernel& kernel, Dim3 grid, Dim3 block) {
    return run_functionally(launch(kernel, grid, block), memory, {});
  }
};

}  // namespace heddle::exec::test
