// mbarriers, bulk copies and clusters: their forms, and what the modifiers of mbarrier mean.
#include "ptx/forms/forms_table.h"
#include "ptx/forms/modifiers.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& async_rows() {
  static const std::vector<FormRow> rows = {
      // mbarrier (9.7.12)
      {"mbarrier", O::mbarrier, "init ATSHARED? b64", "[addr], count:u32"},
      {"mbarrier", O::mbarrier, "inval ATSHARED? b64", "[addr]"},
      {"mbarrier", O::mbarrier, "expect_tx|complete_tx relaxed? CTASCOPE? ATSHARED? b64",
       "[addr], txCount:u32"},
      {"mbarrier", O::mbarrier, "arrive|arrive_drop release|relaxed? CTASCOPE? ATSHARED? b64",
       "d/_, [addr]{, count:u32}"},
      {"mbarrier", O::mbarrier,
       "arrive|arrive_drop expect_tx release|relaxed? CTASCOPE? ATSHARED? b64",
       "d/_, [addr], txCount:u32"},
      {"mbarrier", O::mbarrier,
       "arrive|arrive_drop noComplete release|relaxed? CTASCOPE? ATSHARED? b64",
       "d/_, [addr], count:u32"},
      {"mbarrier", O::mbarrier, "test_wait acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p, [addr], state:b64"},
      {"mbarrier", O::mbarrier, "test_wait parity acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p, [addr], phaseParity:u32"},
      {"mbarrier", O::mbarrier, "try_wait acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p, [addr], state:b64{, suspendTimeHint:u32}"},
      {"mbarrier", O::mbarrier, "try_wait parity acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p, [addr], phaseParity:u32{, suspendTimeHint:u32}"},
      {"mbarrier", O::mbarrier_count, "pending_count b64", "d:b32, state:b64"},
      {"cp", O::cp_async_arrive, "async mbarrier arrive noinc? ATSHARED? b64", "[addr]"},
      // cp.async.bulk (9.7.8)
      {"cp", O::bulk_load,
       "async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes L2HINT?",
       "[dstMem:shared], [srcMem], size:u32, [mbar:shared]{, cache-policy}"},
      {"cp", O::bulk_load,
       "async bulk shared::cluster global mbarrier::complete_tx::bytes multicast::cluster L2HINT?",
       "[dstMem:shared], [srcMem], size:u32, [mbar:shared], ctaMask:b16{, cache-policy}"},
      {"cp", O::bulk_load, "async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
       "[dstMem:shared], [srcMem:shared], size:u32, [mbar:shared]"},
      {"cp", O::bulk_store, "async bulk global shared::cta bulk_group L2HINT?",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::nop, "async bulk prefetch L2 global L2HINT?", "[srcMem], size:u32{, cache-policy}"},
      {"cp", O::bulk_load,
       "async bulk tensor DIMENSIONS shared::cluster|shared::cta global tile? "
       "mbarrier::complete_tx::bytes L2HINT?",
       "[dstMem:shared], [tensorMap, c], [mbar:shared]{, cache-policy}"},
      {"cp", O::bulk_load,
       "async bulk tensor DIMENSIONS shared::cluster global tile? mbarrier::complete_tx::bytes "
       "multicast::cluster L2HINT?",
       "[dstMem:shared], [tensorMap, c], [mbar:shared], ctaMask:b16{, cache-policy}"},
      {"cp", O::bulk_load,
       "async bulk tensor PIXELS shared::cluster|shared::cta global im2col "
       "mbarrier::complete_tx::bytes L2HINT?",
       "[dstMem:shared], [tensorMap, c], [mbar:shared], im2colOffsets{, cache-policy}"},
      {"cp", O::bulk_load,
       "async bulk tensor PIXELS shared::cluster global im2col mbarrier::complete_tx::bytes "
       "multicast::cluster L2HINT?",
       "[dstMem:shared], [tensorMap, c], [mbar:shared], im2colOffsets, ctaMask:b16{, "
       "cache-policy}"},
      {"cp", O::bulk_store,
       "async bulk tensor PIXELS global shared::cta im2col_no_offs bulk_group L2HINT?",
       "[tensorMap, c], [srcMem:shared]{, cache-policy}"},
      {"cp", O::nop, "async bulk prefetch tensor PIXELS L2 global im2col L2HINT?",
       "[tensorMap, c], im2colOffsets{, cache-policy}"},
      {"cp", O::bulk_store,
       "async bulk tensor DIMENSIONS global shared::cta tile? bulk_group L2HINT?",
       "[tensorMap, c], [srcMem:shared]{, cache-policy}"},
      {"cp", O::nop, "async bulk prefetch tensor DIMENSIONS L2 global tile? L2HINT?",
       "[tensorMap, c]{, cache-policy}"},
      {"cp", O::bulk_load,
       "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes add u32|s32|u64",
       "[dstMem:shared], [srcMem:shared], size:u32, [mbar:shared]"},
      {"cp", O::bulk_load,
       "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes min|max u32|s32",
       "[dstMem:shared], [srcMem:shared], size:u32, [mbar:shared]"},
      {"cp", O::bulk_load,
       "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes inc|dec u32",
       "[dstMem:shared], [srcMem:shared], size:u32, [mbar:shared]"},
      {"cp", O::bulk_load,
       "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes BOOL b32",
       "[dstMem:shared], [srcMem:shared], size:u32, [mbar:shared]"},
      {"cp", O::bulk_store,
       "reduce async bulk global shared::cta bulk_group L2HINT? add u32|s32|u64|f32|f64",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::bulk_store,
       "reduce async bulk global shared::cta bulk_group L2HINT? add noftz f16|bf16",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::bulk_store,
       "reduce async bulk global shared::cta bulk_group L2HINT? min|max u32|s32|u64|s64|f16|bf16",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::bulk_store, "reduce async bulk global shared::cta bulk_group L2HINT? inc|dec u32",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::bulk_store, "reduce async bulk global shared::cta bulk_group L2HINT? BOOL b32|b64",
       "[dstMem], [srcMem:shared], size:u32{, cache-policy}"},
      {"cp", O::bulk_store,
       "reduce async bulk tensor DIMENSIONS global shared::cta add|min|max|inc|dec|and|or|xor "
       "tile? "
       "bulk_group L2HINT?",
       "[tensorMap, c], [srcMem:shared]{, cache-policy}"},
      {"cp", O::bulk_store,
       "reduce async bulk tensor PIXELS global shared::cta add|min|max|inc|dec|and|or|xor "
       "im2col_no_offs "
       "bulk_group L2HINT?",
       "[tensorMap, c], [srcMem:shared]{, cache-policy}"},
      {"prefetch", O::nop, "const|param? tensormap", "[a]"},
      {"cp", O::nop, "async bulk commit_group", ""},
      {"cp", O::membar, "async bulk wait_group read?", "N:imm"},
      // Clusters (9.7.12; mapa and getctarank: 9.7.8)
      {"barrier", O::cluster_arrive, "cluster arrive release|relaxed? aligned?", ""},
      {"barrier", O::bar, "cluster wait acquire? aligned?", ""},
      {"mapa", O::mapa, "shared::cluster? u32|u64", "d, a/var, b:u32"},
      {"getctarank", O::getctarank, "shared::cluster? u32|u64", "d:b32, a/var"},
      // Fences that order other proxies (9.7.12)
      {"fence", O::membar, "proxy async global|shared::cta|shared::cluster?", ""},
      {"fence", O::membar,
       "proxy async::generic acquire|release "
       "sync_restrict::shared::cluster|sync_restrict::shared::cta cluster",
       ""},
      {"fence", O::membar,
       "acquire|release sync_restrict::shared::cluster|sync_restrict::shared::cta cluster", ""},
      {"fence", O::membar, "mbarrier_init release cluster", ""},
      {"fence", O::membar, "proxy tensormap::generic release SCOPE", ""},
      {"fence", O::nop, "proxy tensormap::generic acquire SCOPE", "[addr], size:imm"},
  };
  return rows;
}

bool apply_mbarrier_modifier(Mbarrier& mbarrier, std::string_view modifier) {
  struct Named {
    std::string_view modifier;
    MbarrierOp op;
  };
  static constexpr Named kOps[] = {{"init", MbarrierOp::init},
                                   {"inval", MbarrierOp::inval},
                                   {"complete_tx", MbarrierOp::complete_tx},
                                   {"arrive", MbarrierOp::arrive},
                                   {"arrive_drop", MbarrierOp::arrive_drop},
                                   {"test_wait", MbarrierOp::wait},
                                   {"try_wait", MbarrierOp::wait}};
  for (const Named& named : kOps) {
    if (named.modifier == modifier) return mbarrier.op = named.op, true;
  }
  if (modifier == "expect_tx")
    mbarrier.expects_bytes = true;  // alone it is the operation, which is the default
  else if (modifier == "noComplete")
    mbarrier.no_complete = true;
  else if (modifier == "parity")
    mbarrier.by_parity = true;
  else
    return false;
  return true;
}

}  // namespace heddle::ptx
