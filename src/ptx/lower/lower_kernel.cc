#include <algorithm>

#include "ptx/flow/cfg.h"
#include "ptx/flow/clock_flow.h"
#include "ptx/flow/convergence_points.h"
#include "ptx/flow/liveness.h"
#include "ptx/flow/loop_marks.h"
#include "ptx/flow/loops.h"
#include "ptx/flow/sync_operations.h"
#include "ptx/lower/lower.h"
#include "ptx/lower/timing_fields.h"

namespace heddle::ptx {

namespace {

// One function of the kernel, with the results of its analyses.
struct Part {
  LoweredFunction lowered;
  Cfg cfg;
  Liveness liveness;
  ClockFlow clocks;
  Pc base = 0;
  std::uint32_t first_table = 0;
  std::uint32_t demand = 0;                 // registers per thread, callees included
  WarpSynchrony synchrony;                  // what the function or its callees execute
  std::vector<WarpSynchrony> synchrony_at;  // by instruction
};

std::vector<std::uint8_t> register_words(const AstFunction& function) {
  std::vector<std::uint8_t> words;
  for (const AstRegister& r : function.registers) {
    words.push_back(r.type == Type::pred ? 0 : bytes_of(r.type) >= 8 ? 2 : 1);
  }
  return words;
}

// Atomics and barriers write their results after later instructions have issued, so those results
// must not share rows.
void mark_late_writers(const std::vector<Instruction>& code, std::uint16_t base,
                       std::vector<RowRequest>& requests) {
  for (const Instruction& i : code) {
    if (i.opcode != Opcode::atom && i.opcode != Opcode::bar) continue;
    for (std::uint8_t w = 0; w < i.write_count; ++w) requests[i.writes[w] - base].exclusive = true;
  }
}

// Assigns rows of registers and predicates, after those of the previous functions.
void assign_storage(Part& part, const AstFunction& function, Kernel& kernel) {
  const std::uint16_t base = part.lowered.first_register;
  std::vector<RowRequest> general(function.registers.size()), predicates(function.registers.size());
  for (std::size_t r = 0; r < function.registers.size(); ++r) {
    const Type type = function.registers[r].type;
    RowRequest& request = type == Type::pred ? predicates[r] : general[r];
    request.range = part.liveness.ranges[r];
    if (type != Type::pred && bytes_of(type) >= 8) request.rows = 2;
  }
  mark_late_writers(part.lowered.code, base, general);
  mark_late_writers(part.lowered.code, base, predicates);
  for (std::size_t r = 0; r < part.clocks.registers.size(); ++r)
    if (part.clocks.registers[r]) general[r].exclusive = predicates[r].exclusive = true;
  const RowAssignment general_rows = assign_rows(general), predicate_rows = assign_rows(predicates);
  const auto patch = [&](Operand& operand) {
    if (!operand || operand.reg == Operand::kNoReg) return;
    const std::size_t r = operand.reg - base;
    const std::uint32_t row = operand.kind == Operand::Kind::pred
                                  ? kernel.predicate_rows + predicate_rows.first_row[r]
                                  : kernel.register_rows + general_rows.first_row[r];
    if (row > 0xfffe) throw UserError("kernel '" + kernel.name + "' uses too many registers");
    operand.row = static_cast<std::uint16_t>(row);
  };
  for (Instruction& i : part.lowered.code) {
    patch(i.guard);
    for (Operand& operand : i.dst) patch(operand);
    for (Operand& operand : i.src) patch(operand);
    if (!has_fragments(i.opcode)) continue;
    if (i.opcode == Opcode::wgmma)
      for (Operand& operand : kernel.accumulators[i.as<Wgmma>().accumulators]) patch(operand);
    for (Operand& operand : kernel.matrices[i.fragments].dst) patch(operand);
    for (Operand& operand : kernel.matrices[i.fragments].src) patch(operand);
  }
  Function& described = kernel.functions.back();
  described.first_row = kernel.register_rows;
  described.rows = general_rows.rows;
  described.pairs = general_rows.pairs;
  described.first_predicate = kernel.predicate_rows;
  described.predicates = predicate_rows.rows;
  for (std::size_t r = 0; r < part.clocks.registers.size(); ++r) {
    if (!part.clocks.registers[r]) continue;
    for (std::uint8_t n = 0; n < general[r].rows && general[r].range.used(); ++n)
      kernel.clock_rows.push_back(kernel.register_rows + general_rows.first_row[r] + n);
    if (predicates[r].range.used())
      kernel.clock_predicates.push_back(kernel.predicate_rows + predicate_rows.first_row[r]);
  }
  kernel.register_rows += general_rows.rows;
  kernel.predicate_rows += predicate_rows.rows;
}

void mark_clocks(Part& part) {
  for (std::size_t pc = 0; pc < part.clocks.acts.size(); ++pc) {
    part.lowered.code[pc].clock_decides = part.clocks.decided[pc] != 0;
    part.lowered.code[pc].clock_acts = part.clocks.acts[pc] != 0;
  }
}

void mark_control_flow(const AstUnit& unit, const AstFunction& function, Part& part,
                       Kernel& kernel) {
  LoopForest forest = find_loops(part.cfg);
  mark_loops(unit, function, part.cfg, part.lowered.code, forest.loops);
  const auto first_loop = kernel.loops.size();
  for (Pc pc = 0; pc < part.lowered.code.size(); ++pc) {
    Instruction& i = part.lowered.code[pc];
    const std::uint32_t block = part.cfg.block_of[pc];
    if (const std::uint16_t loop = forest.innermost[block];
        loop != Loop::kNone && first_loop + loop < Loop::kNone) {
      i.loop = static_cast<std::uint16_t>(first_loop + loop);
      i.loop_header = forest.loops[loop].header == pc;
    }
    const bool diverges = i.opcode == Opcode::brx || (i.opcode == Opcode::bra && i.guard);
    const std::uint32_t meet = part.cfg.postdominator[block];
    if (i.opcode == Opcode::brx) i.as<BranchTable>().index += part.first_table;
    if (diverges && meet != Cfg::kNone) i.reconvergence = part.base + part.cfg.blocks[meet].first;
    if (i.opcode == Opcode::bra) i.target += part.base;
  }
  for (Loop loop : forest.loops) {
    loop.header += part.base;
    if (loop.parent != Loop::kNone)
      loop.parent = static_cast<std::uint16_t>(loop.parent + first_loop);
    for (Pc& pc : loop.back_edges) pc += part.base;
    for (auto& [first, end] : loop.ranges) first += part.base, end += part.base;
    kernel.loops.push_back(std::move(loop));
  }
}

// Numbers the operations of a kernel: matching instructions have the same number.
class OperationNumbers {
 public:
  std::size_t of(const Instruction& i) {
    const auto same = [&](const Instruction* other) { return matches(i, *other); };
    const auto found = std::find_if(first_.begin(), first_.end(), same);
    const auto number = static_cast<std::size_t>(found - first_.begin());
    if (found == first_.end()) first_.push_back(&i);
    return number;
  }

 private:
  std::vector<const Instruction*> first_;  // by number
};

// What each instruction executes itself.
void find_warp_synchrony(std::vector<Part>& parts) {
  OperationNumbers numbers;
  for (Part& part : parts) {
    const std::vector<Instruction>& code = part.lowered.code;
    part.synchrony_at.resize(code.size());
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      WarpSynchrony& here = part.synchrony_at[pc];
      here.converges = converges(code[pc]) && code[pc].op_class != OpClass::call;
      if (!may_match(code[pc])) continue;
      if (const std::size_t number = numbers.of(code[pc]); number < here.operations.size())
        here.operations.set(number);
    }
  }
}

// Adds what the callees execute.
void propagate_warp_synchrony(std::vector<Part>& parts) {
  find_warp_synchrony(parts);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = parts.size(); n-- > 0;) {  // callees follow their callers
      const WarpSynchrony before = parts[n].synchrony;
      for (std::size_t pc = 0; pc < parts[n].lowered.code.size(); ++pc) {
        WarpSynchrony& here = parts[n].synchrony_at[pc];
        if (const auto& callees = parts[n].lowered.callees[pc]; !callees.empty()) {
          here = {};
          for (const std::uint32_t callee : callees) {
            const WarpSynchrony& executed = parts[callee].synchrony;
            here.in_several |= here.operations & executed.operations;
            here.operations |= executed.operations;
            here.converges |= executed.converges;
          }
        }
        parts[n].synchrony.converges |= here.converges;
        parts[n].synchrony.operations |= here.operations;
      }
      changed = changed || parts[n].synchrony != before;
    }
  }
}

void mark_convergence_points(std::vector<Part>& parts, Kernel& kernel) {
  propagate_warp_synchrony(parts);
  std::vector<FunctionSyncs> functions;
  functions.reserve(parts.size());
  for (Part& part : parts)
    functions.push_back({part.cfg, std::move(part.synchrony_at), part.base, part.lowered.code});
  kernel.convergence_points = find_convergence_points(functions);
}

// Registers per thread: at a call, those live across it and those of its callee. A recursive call
// saves the registers of the outer call on the stack, as compiled code does, so each function
// counts once.
std::uint32_t demand_of(std::vector<Part>& parts, std::uint32_t index, std::vector<char>& known) {
  Part& part = parts[index];
  if (known[index]) return part.demand;
  known[index] = 1;
  part.demand = 1;
  for (std::size_t pc = 0; pc < part.lowered.code.size(); ++pc) {
    part.demand = std::max(part.demand, part.liveness.demand[pc]);
    for (std::uint32_t callee : part.lowered.callees[pc]) {
      const std::uint32_t inner = demand_of(parts, callee, known);
      part.demand = std::max(part.demand, part.liveness.demand_after[pc] + inner);
    }
  }
  return part.demand;
}

Function describe(const Ast& ast, FunctionRef ref, const Layout& layout, Pc entry) {
  const AstUnit& unit = ast.units[ref.unit];
  const AstFunction& function = unit.functions[ref.function];
  Function out;
  out.name = function.name;
  out.entry = entry;
  out.address = address_of_function(ast, ref);
  if (function.is_entry) return out;
  out.parameters = frame_slots(layout, ref.unit, unit, function.parameters);
  out.results = frame_slots(layout, ref.unit, unit, function.results);
  if (const auto frame = layout.frames.find(ref); frame != layout.frames.end()) {
    out.framed = true;
    out.frame_first = static_cast<std::uint32_t>(frame->second.first);
    out.frame_bytes = static_cast<std::uint32_t>(frame->second.bytes);
    out.local_bytes = static_cast<std::uint32_t>(frame->second.local_bytes);
  }
  return out;
}

bool moves_stack(const Instruction& i) {
  return i.opcode == Opcode::alloca || i.opcode == Opcode::stacksave;
}

void describe(Kernel& kernel, const Ast& ast, FunctionRef entry, const Layout& layout) {
  const AstUnit& unit = ast.units[entry.unit];
  const AstFunction& function = unit.functions[entry.function];
  kernel.name = function.name;
  kernel.module = unit.name;
  kernel.source_lines.emplace_back();
  kernel.max_threads = function.max_threads;
  kernel.required_block = function.required_block;
  kernel.cluster = function.cluster;
  kernel.cluster_rules = {function.explicit_cluster || function.blocks_are_clusters,
                          function.blocks_are_clusters, function.max_cluster_ctas};
  kernel.independent_threads = unit.target >= 70;
  kernel.cta_direction_hint = function.cta_direction;
  for (std::uint32_t f = 0; f < entry.function; ++f)
    kernel.instructions_before += static_cast<std::uint32_t>(unit.functions[f].code.size());
  for (std::uint32_t v : function.parameters) {
    const AstVariable& variable = unit.variables[v];
    if (variable.hidden) continue;
    kernel.parameters.push_back(
        {variable.name, static_cast<std::uint32_t>(layout.offsets.at({entry.unit, v})),
         static_cast<std::uint32_t>(variable.bytes), static_cast<std::uint32_t>(variable.align)});
  }
  kernel.parameter_bytes = static_cast<std::uint32_t>(layout.parameter_bytes);
  kernel.shared_bytes = static_cast<std::uint32_t>(layout.shared_bytes);
  kernel.local_bytes = static_cast<std::uint32_t>(layout.local_bytes);
  kernel.frame_bytes = static_cast<std::uint32_t>(layout.frame_bytes);
  std::uint64_t constant_bytes = 0;
  for (const Variable& variable : ast.variables)
    if (variable.space == VariableSpace::constant) constant_bytes += variable.bytes;
  kernel.constant_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(constant_bytes, 0xffffffff));
}

}  // namespace

Kernel lower_kernel(const Ast& ast, FunctionRef entry, const SymbolAddresses& addresses) {
  const CallGraph calls = find_calls(ast, entry);
  const std::vector<FunctionRef>& functions = calls.functions;
  const Layout layout = lay_out(ast, calls);
  Kernel kernel;
  describe(kernel, ast, entry, layout);
  KernelBuilder builder{ast, addresses, layout, calls, kernel, {}, {}, {}};

  std::vector<Part> parts(functions.size());
  Pc base = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const AstFunction& function = ast.units[functions[f].unit].functions[functions[f].function];
    Part& part = parts[f];
    part.lowered = lower_function(builder, functions[f]);
    part.base = base;
    base += static_cast<Pc>(part.lowered.code.size());
    std::vector<std::vector<Pc>> tables(function.branch_tables.begin(),
                                        function.branch_tables.end());
    part.cfg = build_cfg(part.lowered.code, tables);
    part.first_table = static_cast<std::uint32_t>(kernel.branch_tables.size());
    for (std::vector<Pc>& table : tables) {
      for (Pc& pc : table) pc += part.base;
      kernel.branch_tables.push_back(std::move(table));
    }
    part.clocks = find_clock_dependence(part.lowered.code, part.cfg, part.lowered.first_register,
                                        function.registers.size());
    part.liveness = find_liveness(part.lowered.code, part.cfg, part.lowered.first_register,
                                  register_words(function), kernel.accumulators);
  }
  if (!kernel.preset_registers.empty()) {
    kernel.register_rows =
        kernel.preset_registers.back().row + kernel.preset_registers.back().bytes / 4u;
  }
  mark_convergence_points(parts, kernel);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    Part& part = parts[f];
    kernel.functions.push_back(describe(ast, functions[f], layout, part.base));
    const AstUnit& unit = ast.units[functions[f].unit];
    const AstFunction& function = unit.functions[functions[f].function];
    assign_storage(part, function, kernel);
    mark_control_flow(unit, function, part, kernel);
    mark_clocks(part);
    for (std::size_t pc = 0; pc < part.lowered.code.size(); ++pc) {
      Instruction& i = part.lowered.code[pc];
      if (i.opcode == Opcode::call) i.target = parts[part.lowered.callees[pc].front()].base;
      kernel.uses_stack = kernel.uses_stack || moves_stack(i);
    }
    kernel.uses_stack = kernel.uses_stack || kernel.functions.back().framed;
    kernel.code.insert(kernel.code.end(), part.lowered.code.begin(), part.lowered.code.end());
  }
  for (Instruction& i : kernel.code) set_timing_fields(i);
  kernel.instructions.assign(kernel.code.begin(), kernel.code.end());
  std::sort(kernel.clock_rows.begin(), kernel.clock_rows.end());
  std::sort(kernel.clock_predicates.begin(), kernel.clock_predicates.end());
  std::vector<char> known(parts.size(), 0);
  kernel.registers_per_thread = demand_of(parts, 0, known);
  // .maxnreg limits only the number that occupancy uses; nothing is spilled.
  const std::uint32_t bound = ast.units[entry.unit].functions[entry.function].max_registers;
  if (bound != 0) kernel.registers_per_thread = std::min(kernel.registers_per_thread, bound);
  return kernel;
}

}  // namespace heddle::ptx
