// Decodes lowered instructions.

#include "exec/isa/decode.h"
#include "base/diagnostics.h"
#include "exec/state/machine.h"
#include "ptx/flow/sync_operations.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

constexpr std::uint32_t kRowBytes = 128;

void nothing(Warp&, const DecodedInstruction&, std::uint32_t) {}

bool is_half(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}

Flow flow_of(const ptx::Instruction& i) {
  if (ptx::member_source(i) >= 0 || ((ptx::is_matrix(i.opcode) || i.opcode == Opcode::wgmma) &&
                                     i.convergence_point != ptx::ConvergencePoint::kNone))
    return Flow::converge;
  switch (i.opcode) {
    case Opcode::bra: return Flow::branch;
    case Opcode::brx: return Flow::indexed_branch;
    case Opcode::call: return Flow::call;
    case Opcode::call_through_site: return Flow::call_through_site;
    case Opcode::vprintf:
    case Opcode::device_malloc:
    case Opcode::device_free:
    case Opcode::device_runtime: return Flow::host;
    case Opcode::read_special: return Flow::clock;
    case Opcode::ret: return Flow::return_;
    case Opcode::exit: return Flow::exit;
    case Opcode::wgmma_commit: return Flow::barrier;
    case Opcode::bar: return i.barrier == ptx::BarrierOp::warp_sync ? Flow::plain : Flow::barrier;
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::assertfail: return Flow::trap;
    default: return Flow::plain;
  }
}

Handler handler_of(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::nop:
    case Opcode::membar:
    case Opcode::nanosleep:
    case Opcode::bar:
    case Opcode::cp_async_commit:
    case Opcode::cp_async_wait:
    case Opcode::wgmma_wait: return nothing;
    case Opcode::wgmma: return warpgroup_handler(i);
    case Opcode::cp_async: return async_copy_handler(i);
    case Opcode::bulk_load:
    case Opcode::bulk_store: return bulk_copy_handler(i);
    case Opcode::mbarrier:
    case Opcode::mbarrier_count:
    case Opcode::cp_async_arrive: return mbarrier_handler(i);
    case Opcode::mma: return matrix_multiply_handler(i);
    case Opcode::wmma_load:
    case Opcode::wmma_store:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix: return matrix_memory_handler(i);
    case Opcode::video: return video_handler(i);
    case Opcode::pack: return packed_convert_handler(i);
    case Opcode::mov:
    case Opcode::mov_vector:
    case Opcode::read_special:
    case Opcode::cvta:
    case Opcode::isspacep:
    case Opcode::mapa:
    case Opcode::getctarank:
    case Opcode::cluster_arrive:
    case Opcode::createpolicy: return move_handler(i);
    case Opcode::alloca:
    case Opcode::stacksave:
    case Opcode::stackrestore:
    case Opcode::local_address: return stack_handler(i);
    case Opcode::cvt: return convert_handler(i);
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::set:
    case Opcode::setp: return compare_handler(i);
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::prefetch: return memory_handler(i);
    case Opcode::atom:
    case Opcode::red:
    case Opcode::atom_wide: return atomic_handler(i);
    case Opcode::ld_wide:
    case Opcode::st_wide: return wide_memory_handler(i);
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::istypep: return texture_handler(i);
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return surface_handler(i);
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::elect: return warp_handler(i);
    default: break;
  }
  if (const Handler logic = logic_handler(i)) return logic;  // no handler of another opcode
  if (i.type == Type::f32) return float32_handler(i);
  if (i.type == Type::f32x2) return float32x2_handler(i);
  if (i.type == Type::f64) return float64_handler(i);
  if (is_half(i.type)) return half_handler(i);
  return integer_handler(i);
}

class Decoder {
 public:
  explicit Decoder(const ptx::Kernel& kernel)
      : always_(static_cast<std::uint16_t>(kernel.predicate_rows)),
        unwanted_(static_cast<std::uint16_t>(kernel.predicate_rows + 1)),
        kernel_(kernel),
        communicating_(kernel.loops.size(), 0),
        encloses_(kernel.loops.size(), 0) {
    for (const ptx::Instruction& i : kernel.code)
      if (communicates(i)) mark_loops(i.loop);
    for (std::size_t n = 0; n < communicating_.size(); ++n)
      if (const std::size_t around = kernel.loops[n].parent;
          communicating_[n] && around < encloses_.size())
        encloses_[around] = depth(around);
  }

  DecodedInstruction decode(const ptx::Instruction& i, Pc pc) const {
    DecodedInstruction r;
    r.instruction = &i;
    r.flow = flow_of(i);
    r.guard = predicate_source(i.guard);
    for (std::size_t n = 0; n < r.src.size(); ++n) {
      r.src_predicate[n] = predicate_source(i.src[n]);
      if (i.src[n].kind == Operand::Kind::reg || i.src[n].kind == Operand::Kind::constant)
        r.src[n] = row_source(i.src[n]);
    }
    for (std::size_t n = 0; n < i.dst.size(); ++n) {
      const bool is_predicate = i.dst[n].kind == Operand::Kind::pred;
      r.dst_predicate[n] = is_predicate ? i.dst[n].row : unwanted_;
      if (i.dst[n].kind == Operand::Kind::reg)
        r.dst[n] = i.dst[n].row * kRowBytes, r.dst_bytes[n] = i.dst[n].bytes;
    }
    if (overlaps(i)) r.direct = 0;
    r.uniform_pointer = !r.src[0].present;
    r.offset = i.address_offset;
    if (i.opcode == Opcode::set || i.opcode == Opcode::setp) r.compare = compare_function(i);
    r.closes_spin_loop = i.opcode == Opcode::bra && i.loop < communicating_.size() &&
                         communicating_[i.loop] && i.target <= pc;
    r.enclosing_level = r.closes_spin_loop ? encloses_[i.loop] : std::uint8_t{0};
    r.cta_barrier = cta_barrier(i);
    if (const int members = ptx::member_source(i); members >= 0)
      r.members = static_cast<std::uint8_t>(members);
    if (r.flow != Flow::plain && r.flow != Flow::converge && r.flow != Flow::clock) return r;
    r.handler = handler_of(i);
    if (r.handler == nullptr)
      throw UserError(SourceLocation{kernel_.module, static_cast<int>(i.ptx_line), 0},
                      "this form of the instruction cannot be executed");
    return r;
  }

 private:
  // True for an instruction that reads what other threads may write: past the L1, or ordered with
  // their writes.
  static bool communicates(const ptx::Instruction& i) {
    if (i.opcode == Opcode::membar || i.opcode == Opcode::mbarrier) return true;
    if (i.opcode == Opcode::ld &&
        (i.cache == ptx::CacheOperator::cg || i.cache == ptx::CacheOperator::cv))
      return true;
    return i.opcode == Opcode::atom || i.opcode == Opcode::atom_wide || i.opcode == Opcode::call ||
           i.opcode == Opcode::call_through_site ||
           (i.opcode == Opcode::ld && i.ordering != ptx::Ordering::weak);
  }
  void mark_loops(std::size_t loop) {
    for (; loop < communicating_.size(); loop = kernel_.loops[loop].parent)
      communicating_[loop] = 1;
  }
  // 1 for an outermost loop.
  std::uint8_t depth(std::size_t loop) const {
    std::size_t n = 1;
    while (n < kEnclosingLoops && (loop = kernel_.loops[loop].parent) < kernel_.loops.size()) ++n;
    return static_cast<std::uint8_t>(n);
  }
  std::uint8_t cta_barrier(const ptx::Instruction& i) const {
    if (i.opcode != Opcode::bar || i.barrier != ptx::BarrierOp::sync || i.cluster ||
        i.src[0].kind != Operand::Kind::constant || i.src[1])
      return DecodedInstruction::kNoBarrier;
    const std::uint32_t number = kernel_.constants[i.src[0].row * std::size_t{32}];
    return number < ptx::kClusterBarrier ? static_cast<std::uint8_t>(number)
                                         : DecodedInstruction::kNoBarrier;
  }
  PredicateSource predicate_source(const Operand& o) const {
    if (o.kind == Operand::Kind::pred) return {o.row, o.negated ? ~std::uint32_t{0} : 0};
    if (o.kind == Operand::Kind::constant) {
      const bool on = kernel_.constants[o.row * std::size_t{32}] != 0;
      return {always_, on != o.negated ? 0 : ~std::uint32_t{0}};
    }
    return {always_, 0};
  }
  static RowSource row_source(const Operand& o) {
    return {o.row * kRowBytes, static_cast<std::uint8_t>(o.kind == Operand::Kind::constant ? 1 : 0),
            o.bytes, true};
  }
  // Does a destination overlap a source row other than lane by lane?
  static bool overlaps(const ptx::Instruction& i) {
    for (const Operand& d : i.dst) {
      if (d.kind != Operand::Kind::reg) continue;
      for (const Operand& s : i.src) {
        if (s.kind != Operand::Kind::reg || (s.row == d.row && s.bytes == d.bytes)) continue;
        if (s.row < d.row + d.bytes / 4 && d.row < s.row + s.bytes / 4) return true;
      }
    }
    return false;
  }

  std::uint16_t always_, unwanted_;
  const ptx::Kernel& kernel_;
  std::vector<char> communicating_;  // by loop
  std::vector<std::uint8_t> encloses_;
};

bool stores_to_shared(const ptx::Instruction& i) {
  return i.opcode == Opcode::st && i.space == ptx::Space::shared;
}

const ptx::Instruction kEnd = [] {
  ptx::Instruction end;
  end.opcode = Opcode::exit;
  end.op_class = ptx::OpClass::exit_;
  return end;
}();

}  // namespace

std::shared_ptr<const DecodedKernel> decode_ptx(const ptx::Kernel& kernel) {
  const Decoder decoder{kernel};
  std::vector<DecodedInstruction> code;
  code.reserve(kernel.code.size() + 1);
  for (const ptx::Instruction& i : kernel.code)
    code.push_back(decoder.decode(i, static_cast<Pc>(code.size())));
  code.push_back(
      // a kernel without an exit at its end stops there
      decoder.decode(kEnd, static_cast<Pc>(code.size())));
  for (std::size_t n = kernel.code.size(); n-- > 0;) {
    if (code[n].flow == Flow::plain)
      code[n].store_ahead = stores_to_shared(kernel.code[n]) || code[n + 1].store_ahead;
  }
  DecodedKernel decoded{.kernel = &kernel,
                        .code = std::move(code),
                        .constants = kernel.constants,
                        .register_rows = kernel.register_rows,
                        .predicate_rows = kernel.predicate_rows,
                        .frame_bytes = kernel.frame_bytes,
                        .preset_registers = kernel.preset_registers,
                        .clock_rows = kernel.clock_rows,
                        .clock_predicates = kernel.clock_predicates};
  for (const ptx::PresetRegister& p : kernel.preset_registers)
    if (p.special == ptx::SpecialRegister::local_frame) decoded.local_frame_row = p.row;
  return std::make_shared<const DecodedKernel>(std::move(decoded));
}

}  // namespace heddle::exec
