// Loads and stores.
#include "exec/compiled/access.h"
#include "exec/compiled/families.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Space;
using Xbyak::Label;
using Xbyak::Ymm;

// A parameter of the kernel: one value for all lanes.
bool load_parameter(LaneCode& c, const DecodedInstruction& r) {
  const isa::Instruction& in = *r.instruction;
  if (!r.uniform_pointer || in.vector != 1 || in.access_bytes < 4 ||
      in.access_bytes != r.dst_bytes[0] || c.has_guard() || r.offset < 0 ||
      r.offset % in.access_bytes != 0 || r.offset + in.access_bytes > c.parameter_bytes())
    return false;
  const bool wide = in.access_bytes == 8;
  c.mov(c.rax, c.at(offsetof(LaneContext, parameters)));
  const auto from = c.ptr[c.rax + static_cast<int>(r.offset)];
  const int first = c.begin_result(wide);
  for (int i = 0; i < (wide ? LaneCode::kWideVectors : LaneCode::kVectors); ++i)
    wide ? c.vpbroadcastq(Ymm(first + i), from) : c.vpbroadcastd(Ymm(first + i), from);
  c.end_result(r, first, wide);
  return true;
}

bool is_compiled(const DecodedInstruction& r, const LaneAccess& a) {
  const isa::Instruction& in = *r.instruction;
  const RowSource& base = r.src[0];
  if (r.uniform_pointer || !base.present || base.pair || r.machine.extra.present ||
      r.machine.address_shift != 0)
    return false;
  constexpr std::int64_t kMostOffset = 1 << 28;
  if (r.offset >= kMostOffset || r.offset <= -kMostOffset) return false;
  if (a.total() > 16 || (a.total() & (a.total() - 1)) != 0) return false;
  switch (in.space) {
    case Space::shared: return base.bytes == 4 && (r.offset & (a.total() - 1)) == 0;
    case Space::global:
    case Space::constant:
    case Space::generic: return base.bytes == 8;
    default: return false;
  }
}

// Do registers 0 to 3 suffice to move the elements?
bool extends(const DecodedInstruction& r, const LaneAccess& a) {
  for (std::size_t v = 0; a.is_load && v < static_cast<std::size_t>(a.elements); ++v)
    if (a.bytes < 4 || (a.bytes == 4 && r.dst_bytes[v] == 8)) return true;
  return false;
}

}  // namespace

LaneAccess access_of(const DecodedInstruction& r) {
  const ptx::Instruction& in = ptx_of(r);
  const bool is_load = in.opcode == Opcode::ld || in.opcode == Opcode::ldu;
  LaneAccess a{.in_shared = in.space == Space::shared,
               .bytes = in.access_bytes,
               .elements = in.vector,
               .is_load = is_load};
  if ((!is_load && in.opcode != Opcode::st) || !is_compiled(r, a)) return {.bytes = 0};
  a.offset = static_cast<int>(r.offset);
  return a;
}

bool compile_access(LaneCode& code, const DecodedInstruction& r, Label& interpret,
                    bool& needs_start) {
  const ptx::Instruction& in = ptx_of(r);
  if (in.opcode == Opcode::ld && in.space == Space::param) return load_parameter(code, r);
  LaneAccess a = access_of(r);
  if (a.bytes == 0) return false;
  if (extends(r, a)) code.use_temporaries();
  Label skip;
  if (code.has_guard()) {
    code.use_temporaries();
    code.store_all();
    code.test(code.guarded, code.guarded);
    code.jz(skip);
    code.expand(code.guarded, offsetof(LaneContext, guarded_lanes));
  }
  resolve_addresses(code, r.src[0], a, interpret);
  needs_start = a.is_needed_later;
  if (!a.is_load) store_elements(code, r, a, interpret);
  for (std::size_t v = 0; a.is_load && v < in.vector; ++v) {
    if (r.dst_bytes[v] == 0) continue;
    load_element(code, r, a, v);
    if (!code.has_guard()) continue;
    code.store_all();
    code.forget(r.dst[v], r.dst_bytes[v] == 8);
  }
  code.L(skip);
  return true;
}

}  // namespace heddle::exec
