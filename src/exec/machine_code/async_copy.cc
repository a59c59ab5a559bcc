// LDGSTS, UBLKCP, UBLKRED, UTMALDG, UTMASTG, UTMAREDG, STAS and REDAS, by the handlers of
// cp.async and cp.async.bulk.
#include "exec/isa/bulk_copy.h"
#include "exec/isa/decode.h"
#include "exec/machine_code/handlers.h"
#include "sass/operand_use.h"

namespace heddle::exec {
namespace {

// The uniform datapath starts one copy for the warp.
void copy_once(Warp& w, const DecodedInstruction& r, U32 mask) {
  bulk_copy_handler(ptx_of(r))(w, r, mask & -mask);
}

}  // namespace

Handler async_copy_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (sass::is_bulk_copy(i)) return copy_once;
  if (sass::is_remote_store(i)) return r.machine.extra.present ? nullptr : send_registers;
  if (i.opcode != sass::Opcode::LDGSTS) return nullptr;
  r.machine.pair_result = sass::has_flag(i, "ZFILL");
  return async_copy_handler(ptx_of(r));
}

}  // namespace heddle::exec
