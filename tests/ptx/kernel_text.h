// A module, a lowered kernel and its instructions as text that shows a change of any part.
#pragma once

#include <string>
#include <type_traits>

#include "ptx/module.h"
#include "tests/isa/instruction_text.h"

namespace heddle::ptx {

template <class T>
std::string bytes_text(const T& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  return fmt::format("{:02x}", fmt::join(bytes, bytes + sizeof value, ""));
}
inline std::string text_of(const Payload& payload) {
  return fmt::format("{}:", payload.index()) +
         std::visit(
             [](const auto& p) -> std::string {
               using T = std::decay_t<decltype(p)>;
               if constexpr (std::is_same_v<T, Matrix>)
                 return fmt::format("{} {} {} {} {}{}{}{}{}{}{} {}", p.m, p.n, p.k,
                                    static_cast<int>(p.part), p.columns, p.columns_b, p.second_b,
                                    p.half_c, p.transposed, p.wmma, p.sparse, p.selector);
               else if constexpr (std::is_same_v<T, Wgmma>)
                 return fmt::format("{} {} {} {}{}{}{} {} {} {} {} {}", p.n, p.k,
                                    static_cast<int>(p.type_b), p.negate_a, p.negate_b,
                                    p.transpose_a, p.transpose_b, p.constants, p.sparse,
                                    p.has_selector, p.selector, p.accumulators);
               else if constexpr (std::is_same_v<T, BulkCopy>)
                 return fmt::format("{} {} {} {}{}{}{}{}", p.shared_offset, p.mbarrier_offset,
                                    p.dimensions, p.from_shared, p.from_registers, p.multicast,
                                    p.im2col, p.has_offsets);
               else if constexpr (std::is_same_v<T, CopyWait>)
                 return fmt::format("{} {}", p.pending_groups, p.all);
               else if constexpr (std::has_unique_object_representations_v<T>)
                 return bytes_text(p);
               else
                 return "";
             },
             payload);
}
inline std::string text_of(const Operand& o) {
  if (!o) return "-";
  return fmt::format("{}.{}.{}{}.{}", static_cast<int>(o.kind), o.row, o.reg, o.negated ? "!" : "",
                     o.bytes);
}
inline std::string operation_text(const Instruction& i) {
  return fmt::format("{} {} {} {} {} {} {} {} {}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{} {} {}",
                     static_cast<int>(i.opcode), static_cast<int>(i.type),
                     static_cast<int>(i.source_type), static_cast<int>(i.rounding),
                     static_cast<int>(i.compare), static_cast<int>(i.bool_op),
                     static_cast<int>(i.part), static_cast<int>(i.atomic), +i.ftz, +i.sat,
                     +i.approx, +i.full, +i.uniform, +i.to_generic, +i.carry_out, +i.clamp, +i.left,
                     +i.shift_amount, +i.nan, +i.xorsign, +i.absolute, +i.relu, +i.satfinite,
                     +i.aligned, +i.cluster, static_cast<int>(i.special), text_of(i.payload));
}
inline std::string text_of(const Instruction& i) {
  std::string text = isa::text_of(i) + " / " + operation_text(i) + " / " + text_of(i.guard);
  for (const Operand& o : i.dst) text += " " + text_of(o);
  for (const Operand& o : i.src) text += " " + text_of(o);
  return text + fmt::format(" {} {} {} {} {}", i.fragments, i.convergence_point, i.matching_point,
                            i.clock_decides, i.clock_acts);
}
inline std::string text_of(const Kernel& k) {
  std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {}/{}/{} {} {} {} {} {} {} {} {} {}\n", k.name,
      k.parameter_bytes, k.architectural_registers, k.instructions_before, k.registers_per_thread,
      k.shared_bytes, k.local_bytes, k.uses_stack, k.uses_heap, k.uses_device_runtime,
      k.launches_kernels, k.max_threads, k.cluster.x, k.cluster.y, k.cluster.z,
      k.cluster_rules.is_explicit, k.cluster_rules.blocks_are_clusters, k.cluster_rules.most_ctas,
      static_cast<int>(k.cta_direction_hint), k.constant_bytes, k.register_rows, k.predicate_rows,
      k.frame_bytes, k.independent_threads);
  if (k.required_block)
    text +=
        fmt::format("{} {} {}\n", k.required_block->x, k.required_block->y, k.required_block->z);
  for (const Instruction& i : k.code) text += text_of(i) + "\n";
  for (const Loop& l : k.loops)
    text += fmt::format("loop {} {} {} {} {} {}\n", l.header, l.parent, l.depth, l.back_edges,
                        l.ranges, l.marked_group);
  for (const SourceLine& s : k.source_lines) text += fmt::format("{}:{} ", s.file, s.line);
  for (const Parameter& p : k.parameters)
    text += fmt::format("{} {} {} {}\n", p.name, p.offset, p.bytes, p.align);
  text += fmt::format("{} {} {} {} {}\n", k.register_names, k.constants, k.branch_tables,
                      k.clock_rows, k.clock_predicates);
  for (const PresetRegister& p : k.preset_registers)
    text += fmt::format("{} {} {} {}\n", static_cast<int>(p.special), p.row, p.index, p.bytes);
  for (const MatrixOperands& m : k.matrices) {
    for (const Operand& o : m.dst) text += " " + text_of(o);
    for (const Operand& o : m.src) text += " " + text_of(o);
  }
  for (const auto& accumulators : k.accumulators)
    for (const Operand& o : accumulators) text += " " + text_of(o);
  for (const ConvergencePoint& p : k.convergence_points) {
    text += fmt::format("\nconverge {}", p.blocks);
    for (const ConvergencePoint::Path& path : p.paths)
      text += fmt::format(" {} {}", path.reconvergence, path.from);
  }
  const auto slots = [&text](const std::vector<FrameSlot>& all) {
    for (const FrameSlot& s : all) text += fmt::format(" {}+{}", s.offset, s.bytes);
    text += ";";
  };
  for (const Function& f : k.functions) {
    text += fmt::format("\n{} {} {} {} {} {} {} {} {} {} {}", f.name, f.entry, f.address, f.framed,
                        f.first_row, f.rows, f.first_predicate, f.predicates, f.frame_first,
                        f.frame_bytes, f.local_bytes);
    slots(f.parameters), slots(f.results);
  }
  for (const CallSite& site : k.call_sites) {
    text += fmt::format("\ncall {}", site.callees);
    slots(site.arguments), slots(site.results);
  }
  return text;
}
inline std::string text_of(const Variable& v) {
  std::string text = fmt::format("{} {} {} {} {} {}\n", v.name, static_cast<int>(v.space), v.bytes,
                                 v.align, v.external, v.initial);
  for (const Variable::Relocation& r : v.relocations)
    text += fmt::format("{} {} {} {}\n", r.offset, r.symbol, r.generic, r.bytes);
  for (const auto address : v.sampler.address) text += fmt::format("{}", static_cast<int>(address));
  return text + fmt::format("{}{}\n", v.sampler.linear_filter, v.sampler.force_unnormalized);
}

}  // namespace heddle::ptx
