// LDGSTS, by the handler of cp.async.
#include "exec/isa/decode.h"
#include "exec/machine_code/handlers.h"

namespace heddle::exec {

Handler async_copy_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (i.opcode != sass::Opcode::LDGSTS) return nullptr;
  // The offset of the shared address may have a uniform register, and a predicate be without ZFILL.
  if (i.operands[0].uniform != sass::kZeroUniformRegister) return nullptr;
  const bool always = r.src_predicate[0].row == kPredicateRows + 1 && r.src_predicate[0].flip == 0;
  if (!always && !sass::has_flag(i, "ZFILL")) return nullptr;
  return async_copy_handler(ptx_of(r));
}

}  // namespace heddle::exec
