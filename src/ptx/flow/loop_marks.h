// Which loops the heddle_ps pragmas of a function mark. heddle_ps_begin N marks the loops that
// every path enters after it and before heddle_ps_end; pairs nest, and the inner pair decides. A
// path that exits loops early ends the pairs that it did not begin. heddle_ps_loop N, after the
// label of a loop's header, marks that loop. A loop without a mark has that of the loop around it.
#pragma once

#include <span>

#include "ptx/flow/cfg.h"
#include "ptx/syntax/ast.h"

namespace heddle::ptx {

// Sets Loop::marked_group. `loops` are those of find_loops(cfg), with instructions counted from the
// function's first. UserError for a mark without a loop and an end without a begin.
void mark_loops(const AstUnit& unit, const AstFunction& function, const Cfg& cfg,
                std::span<const Instruction> code, std::span<Loop> loops);

}  // namespace heddle::ptx
