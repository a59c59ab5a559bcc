#include "ptx/forms/modifiers.h"

namespace heddle::ptx {

namespace {

// The class for the type: int_add is fp_add for f32 and dp_add for f64.
OpClass by_type(Type type, OpClass integer) {
  if (!is_float(type)) return integer;
  const int kind = static_cast<int>(integer) - static_cast<int>(OpClass::int_add);
  const OpClass first = type == Type::f64 ? OpClass::dp_add : OpClass::fp_add;
  return static_cast<OpClass>(static_cast<int>(first) + kind);
}

}  // namespace

OpClass class_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::addc:
    case Opcode::sub:
    case Opcode::subc: return by_type(i.type, OpClass::int_add);
    case Opcode::min:
    case Opcode::max: return by_type(i.type, OpClass::int_max);
    case Opcode::mul:
    case Opcode::mul24: return by_type(i.type, OpClass::int_mul);
    case Opcode::mad:
    case Opcode::madc:
    case Opcode::mad24:
    case Opcode::fma: return by_type(i.type, OpClass::int_mad);
    case Opcode::div:
    case Opcode::rem: return by_type(i.type, OpClass::int_div);
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh: return OpClass::sfu;
    case Opcode::shfl:
    case Opcode::redux: return OpClass::shuffle;
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::prefetch:
    case Opcode::cp_async:
    case Opcode::bulk_load:
    case Opcode::ld_wide:
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::suld:
    case Opcode::wmma_load:
    case Opcode::ldmatrix: return OpClass::load;
    case Opcode::mma:
    case Opcode::wgmma: return OpClass::tensor;
    case Opcode::movmatrix: return OpClass::shuffle;
    case Opcode::st:
    case Opcode::st_wide:
    case Opcode::bulk_store:
    case Opcode::sust:
    case Opcode::wmma_store:
    case Opcode::stmatrix: return OpClass::store;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::sured:
    case Opcode::mbarrier:
    case Opcode::atom_wide: return OpClass::atomic;
    case Opcode::membar:
    case Opcode::cp_async_wait:
    case Opcode::wgmma_wait: return OpClass::memory_barrier;
    case Opcode::bra:
    case Opcode::brx: return OpClass::branch;
    case Opcode::bar:
    case Opcode::wgmma_commit: return OpClass::barrier;
    case Opcode::call: return OpClass::call;
    case Opcode::ret: return OpClass::return_;
    case Opcode::exit: return OpClass::exit_;
    default: return OpClass::alu;
  }
}

}  // namespace heddle::ptx
