#include "exec/machine_code/decode.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "exec/fault.h"
#include "exec/isa/memory_access.h"
#include "exec/machine_code/convergence.h"
#include "exec/machine_code/handlers.h"
#include "exec/machine_code/launch_bank.h"
#include "exec/machine_code/layout.h"
#include "sass/image_fields.h"
#include "sass/listing.h"
#include "sass/operand_use.h"
#include "sass/register_ranges.h"

namespace heddle::exec {
namespace {

using sass::Opcode;
using sass::Operand;
using sass::OperandForm;
using sass::OperandKind;

using Family = Handler (*)(const sass::Instruction&, DecodedInstruction&);
constexpr std::array<Family, 16> kFamilies{
    memory_handler,    system_handler,  atomic_handler,  async_copy_handler,
    integer_handler,   logic_handler,   float_handler,   move_handler,
    predicate_handler, convert_handler, double_handler,  half_handler,
    lane_handler,      matrix_handler,  texture_handler, barrier_object_handler};

// A spin loop has few instructions and stores nothing (a longer one reads what is ordered).
constexpr Pc kLongestPollingLoop = 32;

void refuse(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const auto& kernel = static_cast<const sass::Kernel&>(w.machine->kernel());
  const auto reason = kernel.refusals.find(w.pc);
  throw_trap(
      w, r, std::countr_zero(mask),
      "an instruction of the machine code cannot be executed: " +
          (reason != kernel.refusals.end() ? reason->second : sass::instruction_text(sass_of(r))));
}
// The register of the address in shared memory is missing in what ptxas 11.8 to 13.1 makes of
// cp.async with a cache policy, and on a card the instruction is illegal (Marlin's issue 44).
void refuse_unwritten(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  throw_trap(w, r, std::countr_zero(mask),
             "an instruction of the machine code cannot be executed: " +
                 sass::instruction_text(sass_of(r)) +
                 " reads a uniform register that no instruction of the kernel writes; compile it "
                 "without a cache policy, or run the PTX");
}
bool refuse_control(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step*) {
  if (mask) refuse(w, r, mask);
  w.stack.advance(w.pc + 1);
  return false;
}

// BMOV.32.PQUAD MACTIVE: the other lanes of a quad execute the instruction, too, wherever they are.
bool execute_in_quads(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step*) {
  constexpr std::uint32_t kFirstOfQuads = 0x11111111, kQuad = 0xf;
  const std::uint32_t pairs = mask | mask >> 1;
  if (mask) r.handler(w, r, ((pairs | pairs >> 2) & kFirstOfQuads) * kQuad);
  w.stack.advance(w.pc + 1);
  return false;
}

class MachineCodeDecoder {
 public:
  explicit MachineCodeDecoder(const sass::Kernel& kernel)
      : kernel_(kernel), layout_(kernel), out_(std::make_shared<DecodedKernel>()) {
    out_->kernel = &kernel;
    out_->machine_code = true;
    out_->register_rows = layout_.rows();
    out_->scratch_rows = kMostRegisters + 2;
    out_->predicate_rows = kPredicateRows + 1;
    out_->constant_bank = launch_bank;
    out_->constants.assign(std::size_t{kMostRegisters} * kWarpSize, 0);
    add_row(1);
  }

  std::shared_ptr<const DecodedKernel> decode() {
    out_->code.reserve(kernel_.code.size() + 1);
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) out_->code.push_back(decode(pc));
    DecodedInstruction end;  // behind the last instruction
    end.instruction = &kernel_.code.back();
    set_predicates(end);
    end.handler = refuse;
    end.machine.control = refuse_control;
    end.flow = Flow::machine_code;
    out_->code.push_back(end);
    for (std::size_t n = kernel_.code.size(); n-- > 0;) {
      const sass::KernelInstruction& i = kernel_.code[n];
      if (out_->code[n].flow == Flow::plain)
        out_->code[n].store_ahead =
            (i.op_class == isa::OpClass::store && i.space == isa::Space::shared) ||
            out_->code[n + 1].store_ahead;
    }
    return std::move(out_);
  }

 private:
  // The code between BMOV.32.PQUAD MACTIVE and the BMOV that restores it is straight-line.
  DecodedInstruction decode(Pc pc) {
    DecodedInstruction r = decode_alone(pc);
    const sass::Instruction& i = kernel_.code[pc].code;
    if (i.form && i.opcode == Opcode::BMOV && i.form->operands[0].text == "MACTIVE") {
      in_quads_ = sass::has_flag(i, "PQUAD");
    } else if (in_quads_ && r.handler != refuse) {
      const bool plain = r.flow == Flow::plain && i.guard.predicate == sass::kTruePredicate;
      r.machine.control = execute_in_quads;
      r.flow = Flow::machine_code;
      if (!plain) r.handler = refuse;
    }
    return r;
  }
  DecodedInstruction decode_alone(Pc pc) {
    const sass::KernelInstruction& i = kernel_.code[pc];
    DecodedInstruction r;
    r.instruction = &i;
    set_predicates(r);
    if (pc >= kernel_.first_system_call) {
      constexpr std::uint32_t kReturnAddress = 20;
      r.src[0] = {kReturnAddress * kRowBytesOfLanes, 0, 4, true};
      r.machine.control = system_call_function();
      r.flow = Flow::machine_code;
      return r;
    }
    if (!i.code.form) {
      r.handler = refuse;
      return r;
    }
    set_guard(i.code, r);
    const bool copies = sass::is_bulk_copy(i.code);
    const bool fits = copies || set_operands(i.code, r);
    if (copies) set_bulk_copy(i.code, r);
    if (sass::is_remote_store(i.code)) set_remote_store(i.code, r);
    const std::uint8_t of_shared_address = i.code.operands[0].uniform;
    if (i.code.opcode == Opcode::LDGSTS && of_shared_address != sass::kZeroUniformRegister &&
        !writes_uniform(of_shared_address)) {
      r.handler = refuse_unwritten;
      return r;
    }
    r.direct = overlaps(i.code, r) ? 0 : ~std::uint32_t{0};
    if (const ControlFunction control = control_function(i.code)) {
      r.machine.control = control;
      r.flow = i.barrier != isa::BarrierOp::none ? Flow::barrier : Flow::machine_code;
      r.closes_spin_loop = i.code.opcode == Opcode::BRA && i.target <= pc && polls(i.target, pc);
      return r;
    }
    for (const Family family : kFamilies) {
      if (!fits || r.handler) break;
      DecodedInstruction tried = r;
      if ((tried.handler = family(i.code, tried))) r = tried;
    }
    if (!r.handler) {
      r.handler = refuse;
    } else if (sass::ends_group(i.code)) {
      r.machine.control = multiply_and_arrive;
      r.flow = Flow::barrier;
    }
    return r;
  }

  // Nothing is read or written.
  void set_predicates(DecodedInstruction& r) const {
    r.guard = {always(), 0};
    r.src_predicate.fill({always(), 0});
    r.dst_predicate.fill(unwanted());
    r.dst.fill(scratch());
  }
  std::uint16_t always() const { return static_cast<std::uint16_t>(out_->predicate_rows); }
  std::uint16_t unwanted() const { return static_cast<std::uint16_t>(out_->predicate_rows + 1); }
  std::uint32_t scratch() const { return out_->register_rows * kRowBytesOfLanes; }

  PredicateSource predicate_source(bool uniform, std::uint8_t index, bool negated) const {
    const std::uint32_t flip = negated ? ~std::uint32_t{0} : 0;
    if (index == sass::kTruePredicate) return {always(), flip};
    return {uniform ? uniform_predicate_row(index) : predicate_row(index), flip};
  }
  void set_guard(const sass::Instruction& i, DecodedInstruction& r) const {
    r.guard = predicate_source(i.guard.uniform, i.guard.predicate, i.guard.negated);
  }

  // False: there are more operands than places.
  bool set_operands(const sass::Instruction& i, DecodedInstruction& r) {
    std::size_t sources = set_addresses(i, r), results = 0, predicates = 0, written = 0;
    for (std::size_t k = 0; k < i.form->operands.size(); ++k) {
      const Operand& operand = i.operands[k];
      const OperandForm& form = i.form->operands[k];
      switch (operand.kind) {
        case OperandKind::predicate:
        case OperandKind::uniform_predicate: {
          const bool uniform = operand.kind == OperandKind::uniform_predicate;
          if (form.written) {
            if (written == r.dst_predicate.size()) return false;
            r.dst_predicate[written++] = operand.index == sass::kTruePredicate ? unwanted()
                                         : uniform ? uniform_predicate_row(operand.index)
                                                   : predicate_row(operand.index);
          } else {
            if (predicates == r.src_predicate.size()) return false;
            r.src_predicate[predicates++] =
                predicate_source(uniform, operand.index, operand.negated);
          }
          break;
        }
        case OperandKind::barrier:
          r.machine.extra = {layout_.barrier(operand.index) * kRowBytesOfLanes, 0, 4, true};
          break;
        case OperandKind::memory:
        case OperandKind::label:
        case OperandKind::text:
        case OperandKind::scoreboard:
        case OperandKind::scoreboards:
        case OperandKind::special:
        case OperandKind::shape: break;
        default:
          if (form.hidden) break;  // the descriptor of global memory
          if (form.written) {
            if (results == r.dst.size()) return false;
            r.dst[results] = row_of(operand) * kRowBytesOfLanes;
            r.dst_bytes[results++] = is_zero(operand) ? 0 : 4;
            break;
          }
          if (operand.kind == OperandKind::constant && is_load_of_constant(i)) break;
          if (sources == r.src.size()) return false;
          r.src[sources] = source_of(i, k);
          r.src_flags = static_cast<std::uint16_t>(r.src_flags | (operand.negated * kNegated |
                                                                  operand.absolute * kAbsolute |
                                                                  operand.inverted * kInverted)
                                                                     << (3 * sources));
          ++sources;
          break;
      }
    }
    if (i.opcode == Opcode::B2R) {
      r.src[0] = {layout_.barrier_result() * kRowBytesOfLanes, 0, 4, true};
      r.src_predicate[0] = {kBarrierPredicate, 0};
    }
    if (sass::is_of_image(i.opcode)) set_image(i, r);
    if (i.opcode == Opcode::WARPSYNC || i.opcode == Opcode::ENDCOLLECTIVE)
      r.machine.extra = {layout_.continuation() * kRowBytesOfLanes, 0, 4, true};
    if (i.opcode == Opcode::RPCMOV) {
      for (const OperandForm& form : i.form->operands) {
        if (form.kind != OperandKind::text) continue;
        const std::uint32_t row = layout_.return_pc(form.text == "Rpc.HI") * kRowBytesOfLanes;
        if (r.src[0].present)
          r.dst[0] = row;
        else
          r.src[0] = {row, 0, 4, true};
      }
    }
    if (i.opcode == Opcode::BAR) {
      r.dst[0] = layout_.barrier_result() * kRowBytesOfLanes;
      r.dst_predicate[0] = kBarrierPredicate;
    }
    return true;
  }
  // The addresses, the barrier, and the size or the coordinates are in uniform registers.
  void set_bulk_copy(const sass::Instruction& i, DecodedInstruction& r) const {
    using Source = ptx::CopySource;
    const bool loads = sass::is_bulk_load(i);
    const auto uniform = [&](std::uint8_t number, bool pair, std::uint32_t behind = 0) {
      return register_row(true, number, pair, behind);
    };
    const std::uint8_t to = i.operands[0].uniform, from = i.operands[1].uniform;
    if (sass::tensor_dimensions(i) > 0) {
      r.src[Source::global] = uniform(from, true);
      r.src[Source::shared] = uniform(to, false);
      if (loads) r.src[Source::mbarrier] = uniform(to, false, 1);
      if (loads && (has_flag(i, "MULTICAST") || has_flag(i, "IM2COL")))
        r.src[Source::bytes] = uniform(i.operands[2].index, false);
      r.machine.extra = uniform(to, false, loads ? 2 : 1);
      return;
    }
    r.src[Source::global] = uniform(loads ? from : to, !sass::is_bulk_from_shared(i));
    r.src[Source::shared] = uniform(loads ? to : from, false);
    if (loads) r.src[Source::mbarrier] = uniform(to, false, 1);
    r.src[Source::bytes] = uniform(i.operands[2].index, false);
    r.machine.address_shift = 4;
  }
  // The addresses of the data and of the barrier are a pair.
  void set_remote_store(const sass::Instruction& i, DecodedInstruction& r) const {
    using Source = ptx::CopySource;
    const RowSource data = r.src[1];
    const std::uint8_t first = i.operands[0].index;
    r.src[Source::global] = data;
    r.src[Source::shared] = register_row(false, first);
    r.src[Source::mbarrier] = register_row(false, first, false, 1);
    r.offset = 0;
  }
  // The handle: a word of a constant bank, a uniform register, or, of a surface, the last register.
  void set_image(const sass::Instruction& i, DecodedInstruction& r) {
    if (const auto reg = sass::bindless_handle(i)) {
      r.machine.extra = register_row(false, static_cast<std::uint8_t>(*reg));
      return;
    }
    const Operand *last = nullptr, *uniform = nullptr, *bank = nullptr, *offset = nullptr;
    for (std::size_t k = 0; k < i.form->operands.size(); ++k) {
      const Operand& o = i.operands[k];
      if (o.kind == OperandKind::reg && !i.form->operands[k].written) last = &o;
      if (o.kind == OperandKind::uniform) uniform = &o;
      if (o.kind != OperandKind::immediate) continue;
      if (!bank)
        bank = &o;
      else if (!offset)
        offset = &o;
    }
    if (uniform) {
      r.machine.extra = register_row(true, uniform->index);
    } else if (bank && offset) {
      r.machine.extra = {bank_rows(static_cast<std::uint32_t>(bank->value),
                                   static_cast<std::uint32_t>(offset->value) * 4, 1),
                         1, 4, true};
    } else if (last) {
      r.machine.extra = register_row(false, last->index);
    }
  }
  static bool is_load_of_constant(const sass::Instruction& i) {
    return i.opcode == Opcode::LDC || i.opcode == Opcode::ULDC;
  }
  // The number of sources that are of addresses.
  std::size_t set_addresses(const sass::Instruction& i, DecodedInstruction& r) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < i.form->operands.size(); ++k) {
      const Operand& operand = i.operands[k];
      if (operand.kind == OperandKind::constant && is_load_of_constant(i)) {
        if (operand.uniform != sass::kZeroUniformRegister)
          r.src[0] = register_row(true, operand.uniform);
        else if (operand.index != sass::kZeroRegister)
          r.src[0] = register_row(false, operand.index);
        r.uniform_pointer = !r.src[0].present;
        r.offset = operand.value;  // the user's constants are in device memory
        if (operand.bank == sass::kUserBank)
          r.offset += static_cast<std::int64_t>(kernel_.user_constants.value);
        return 1;
      }
      if (operand.kind != OperandKind::memory) continue;
      // LDGSTS names the destination, in shared memory, first: it becomes src[1].
      const std::size_t place = i.opcode == Opcode::LDGSTS ? 1 - count : 0;
      set_address(i, k, place, r);
      ++count;
    }
    return count;
  }
  void set_address(const sass::Instruction& i, std::size_t k, std::size_t place,
                   DecodedInstruction& r) const {
    const Operand& operand = i.operands[k];
    const sass::AddressWidth width = sass::address_width(i, i.form->operands[k]);
    if (operand.index != sass::kZeroRegister)
      r.src[place] = register_row(false, operand.index, width.wide_base);
    if (operand.uniform != sass::kZeroUniformRegister)
      (place == 0 ? r.machine.extra : r.src[kSharedUniform]) =
          register_row(true, operand.uniform, width.wide_uniform);
    if (place == 0) r.offset = operand.value;
    r.uniform_pointer = !r.src[0].present;
    r.machine.address_shift = static_cast<std::uint8_t>(sass::address_shift(i, k));
  }
  // The register that is `behind` a register, with the next one if it is a pair. RZ and URZ are
  // zeros, as many as are wanted.
  RowSource register_row(bool uniform, std::uint8_t number, bool pair = false,
                         std::uint32_t behind = 0) const {
    const auto bytes = static_cast<std::uint8_t>(pair ? 8 : 4);
    const bool zero = number == (uniform ? sass::kZeroUniformRegister : sass::kZeroRegister);
    const std::uint32_t first = uniform ? layout_.uniform(number) : number;
    return {zero ? 0 : (first + behind) * kRowBytesOfLanes, zero, bytes, true, pair};
  }
  static bool is_zero(const Operand& o) {
    return (o.kind == OperandKind::reg && o.index == sass::kZeroRegister) ||
           (o.kind == OperandKind::uniform && o.index == sass::kZeroUniformRegister);
  }
  // Of a register; the scratch rows for RZ.
  std::uint32_t row_of(const Operand& o) const {
    if (is_zero(o)) return out_->register_rows;
    return o.kind == OperandKind::uniform ? layout_.uniform(o.index) : std::uint32_t{o.index};
  }

  RowSource source_of(const sass::Instruction& i, std::size_t k) {
    const Operand& operand = i.operands[k];
    const OperandForm& form = i.form->operands[k];
    RowSource source;
    source.present = true;
    source.base = 1;
    const bool two = form.registers == 2;
    if (operand.kind == OperandKind::immediate) {
      const auto value = static_cast<std::uint64_t>(operand.value);
      if (two && form.type == sass::ImmediateType::f64)
        source.offset = constant_rows({0, static_cast<std::uint32_t>(value)});
      else if (two)
        source.offset = constant_rows(
            {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
      else
        source.offset = constant_rows({static_cast<std::uint32_t>(value)});
    } else if (operand.kind == OperandKind::constant) {
      source.offset =
          bank_rows(operand.bank, static_cast<std::uint32_t>(operand.value), two ? 2 : 1);
    } else {
      return register_row(operand.kind == OperandKind::uniform, operand.index);
    }
    return source;
  }

  std::uint32_t add_row(std::uint32_t word) {
    const auto row = static_cast<std::uint32_t>(out_->constants.size() / kWarpSize);
    out_->constants.insert(out_->constants.end(), kWarpSize, word);
    return row;
  }
  std::uint32_t constant_rows(const std::vector<std::uint32_t>& words) {
    const auto [known, added] = immediates_.try_emplace(words, 0);
    if (added) {
      known->second = static_cast<std::uint32_t>(out_->constants.size() / kWarpSize);
      for (const std::uint32_t word : words) add_row(word);
    }
    return known->second * kRowBytesOfLanes;
  }
  std::uint32_t bank_rows(std::uint32_t bank, std::uint32_t offset, std::uint32_t count) {
    const auto [known, added] = bank_words_.try_emplace(std::array{bank, offset, count}, 0);
    if (added) {
      known->second = static_cast<std::uint32_t>(out_->constants.size() / kWarpSize);
      for (std::uint32_t n = 0; n < count; ++n)
        out_->launch_words.push_back({add_row(0), bank, offset + 4 * n});
    }
    return known->second * kRowBytesOfLanes;
  }

  // Does the kernel write a uniform register anywhere?
  bool writes_uniform(int number) const {
    return std::ranges::any_of(kernel_.code, [&](const sass::KernelInstruction& i) {
      for (std::size_t k = 0; i.code.form && k < i.code.form->operands.size(); ++k) {
        if (!i.code.form->operands[k].written) continue;
        for (const sass::RegisterRange& range : sass::register_ranges(i.code, k))
          if (range.uniform && range.first <= number && number < range.first + range.count)
            return true;
      }
      return false;
    });
  }

  // Does a destination overlap a source otherwise than lane by lane?
  bool overlaps(const sass::Instruction& i, const DecodedInstruction&) const {
    for (std::size_t d = 0; d < i.form->operands.size(); ++d) {
      const Operand& to = i.operands[d];
      if (!i.form->operands[d].written || !is_register(to) || is_zero(to)) continue;
      const int first = static_cast<int>(row_of(to)), count = sass::register_count(i, d);
      for (std::size_t s = 0; s < i.form->operands.size(); ++s) {
        const Operand& from = i.operands[s];
        if (i.form->operands[s].written || !is_register(from) || is_zero(from)) continue;
        const int row = static_cast<int>(row_of(from)), rows = sass::register_count(i, s);
        if (row < first + count && first < row + rows && !(row == first && rows == count))
          return true;
      }
    }
    return false;
  }
  static bool is_register(const Operand& o) {
    return o.kind == OperandKind::reg || o.kind == OperandKind::uniform;
  }

  // Does the loop read what other threads may write?
  bool polls(Pc first, Pc last) const {
    bool reads_shared = false, stores = false;
    for (Pc pc = first; pc <= last; ++pc) {
      const sass::KernelInstruction& i = kernel_.code[pc];
      if (i.op_class == isa::OpClass::memory_barrier || i.op_class == isa::OpClass::call ||
          (i.op_class == isa::OpClass::atomic && i.write_count > 0) ||
          (i.is_load() && i.ordering != isa::Ordering::weak))
        return true;
      reads_shared =
          reads_shared ||
          (i.is_load() && (i.space == isa::Space::shared || i.space == isa::Space::generic));
      stores = stores || i.is_store() || i.op_class == isa::OpClass::barrier;
    }
    return reads_shared && !stores && last - first < kLongestPollingLoop;
  }

  bool in_quads_ = false;
  const sass::Kernel& kernel_;
  RegisterLayout layout_;
  std::shared_ptr<DecodedKernel> out_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> immediates_;    // to their first row
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> bank_words_;  // likewise
};

}  // namespace

std::shared_ptr<const DecodedKernel> decode_machine_code(const sass::Kernel& kernel) {
  return MachineCodeDecoder(kernel).decode();
}

}  // namespace heddle::exec
