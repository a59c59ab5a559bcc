#include "ptx/payload.h"

#include "ptx/instruction.h"

namespace heddle::ptx {

Payload payload_for(Opcode opcode) {
  switch (opcode) {
    case Opcode::prmt: return PrmtMode{};
    case Opcode::shfl: return ShflMode{};
    case Opcode::cp_async: return AsyncCopy{};
    case Opcode::bulk_load:
    case Opcode::bulk_store: return BulkCopy{};
    case Opcode::cp_async_wait: return CopyWait{};
    case Opcode::dp4a:
    case Opcode::dp2a: return DotProduct{};
    case Opcode::testp: return TestProperty{};
    case Opcode::lop3: return Lop3Table{};
    case Opcode::vote: return VoteMode{};
    case Opcode::match: return MatchMode{};
    case Opcode::mbarrier: return Mbarrier{};
    case Opcode::cp_async_arrive: return CopyArrival{};
    case Opcode::tex:
    case Opcode::tld4: return TextureFetch{};
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return SurfaceAccess{};
    case Opcode::txq: return TextureQuery{};
    case Opcode::brx: return BranchTable{};
    case Opcode::call_through_site:
    case Opcode::vprintf:
    case Opcode::assertfail:
    case Opcode::device_malloc:
    case Opcode::device_free:
    case Opcode::device_runtime: return CallSiteIndex{};
    case Opcode::alloca: return StackAlignment{};
    case Opcode::wmma_load:
    case Opcode::wmma_store:
    case Opcode::mma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix: return Matrix{};
    case Opcode::wgmma: return Wgmma{};
    case Opcode::wgmma_wait: return ProductWait{};
    case Opcode::video: return Video{};
    default: return {};
  }
}

}  // namespace heddle::ptx
