// Control flow, barriers, the stack and the rest.
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& control_rows() {
  static const std::vector<FormRow> rows = {
      // Barriers (9.7.12)
      {"bar", O::bar, "cta? sync", "a:u32{, b:u32}"},
      {"bar", O::bar, "cta? arrive", "a:u32, b:u32"},
      {"bar", O::bar, "cta? red popc u32", "d, a:u32{, b:u32}, {!}c"},
      {"bar", O::bar, "cta? red and|or pred", "p, a:u32{, b:u32}, {!}c"},
      {"bar", O::bar, "warp sync", "membermask:u32"},
      {"barrier", O::bar, "cta? sync aligned?", "a:u32{, b:u32}"},
      {"barrier", O::bar, "cta? arrive aligned?", "a:u32, b:u32"},
      {"barrier", O::bar, "cta? red popc aligned? u32", "d, a:u32{, b:u32}, {!}c"},
      {"barrier", O::bar, "cta? red and|or aligned? pred", "p, a:u32{, b:u32}, {!}c"},
      // Control flow (9.7.11)
      {"bra", O::bra, "uni?", "tgt"},
      {"brx", O::brx, "idx uni?", "a:u32, tlist"},
      {"call", O::call, "uni?", "(ret), func, (params)"},
      {"ret", O::ret, "uni?", ""},
      {"exit", O::exit, "", ""},
      // Miscellaneous (9.7.17)
      {"trap", O::trap, "", ""},
      {"brkpt", O::brkpt, "", ""},
      {"pmevent", O::nop, "mask?", "a:imm"},
      // Synchronization (9.7.12)
      {"griddepcontrol", O::nop, "launch_dependents|wait", ""},
      // Miscellaneous (9.7.17)
      {"nanosleep", O::nanosleep, "u32", "t"},
      // Stack (9.7.15)
      {"alloca", O::alloca, "u32|u64", "d, size{, immAlign:imm}"},
      {"stacksave", O::stacksave, "u32|u64", "d"},
      {"stackrestore", O::stackrestore, "u32|u64", "a"},
  };
  return rows;
}

}  // namespace heddle::ptx
