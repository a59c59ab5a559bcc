// Instructions on mbarriers, bulk copies, and barriers of clusters: their table of forms, and what
// their modifiers mean. A cluster is one CTA.
#include "ptx/forms/forms.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& async_rows() {
  static const std::vector<FormRow> rows = {
      {"mbarrier", O::mbarrier, "init ATSHARED? b64", "m :u32"},
      {"mbarrier", O::mbarrier, "inval ATSHARED? b64", "m"},
      {"mbarrier", O::mbarrier, "expect_tx|complete_tx relaxed? CTASCOPE? ATSHARED? b64", "m :u32"},
      {"mbarrier", O::mbarrier, "arrive|arrive_drop release|relaxed? CTASCOPE? ATSHARED? b64",
       "d_ m :u32?"},
      {"mbarrier", O::mbarrier,
       "arrive|arrive_drop expect_tx release|relaxed? CTASCOPE? ATSHARED? b64", "d_ m :u32"},
      {"mbarrier", O::mbarrier,
       "arrive|arrive_drop noComplete release|relaxed? CTASCOPE? ATSHARED? b64", "d_ m :u32"},
      {"mbarrier", O::mbarrier, "test_wait acquire|relaxed? CTASCOPE? ATSHARED? b64", "p m :b64"},
      {"mbarrier", O::mbarrier, "test_wait parity acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p m :u32"},
      {"mbarrier", O::mbarrier, "try_wait acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p m :b64 :u32?"},
      {"mbarrier", O::mbarrier, "try_wait parity acquire|relaxed? CTASCOPE? ATSHARED? b64",
       "p m :u32 :u32?"},
      {"mbarrier", O::mbarrier_count, "pending_count b64", "e :b64"},
      {"cp", O::cp_async_arrive, "async mbarrier arrive noinc? ATSHARED? b64", "m"},
      {"cp", O::bulk_load,
       "async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes L2HINT?",
       "s m :u32 B h"},
      {"cp", O::bulk_store, "async bulk global shared::cta bulk_group L2HINT?", "m s :u32 h"},
      {"cp", O::nop, "async bulk prefetch L2 global L2HINT?", "m :u32 h"},
      {"cp", O::nop, "async bulk commit_group", ""},
      {"cp", O::membar, "async bulk wait_group read?", "i"},
      {"barrier", O::nop, "cluster arrive release|relaxed? aligned?", ""},
      {"barrier", O::bar, "cluster wait acquire? aligned?", ""},
      {"mapa", O::mov, "shared::cluster? u32|u64", "d V H"},
      {"getctarank", O::mov, "shared::cluster? u32|u64", "e U"},
      {"fence", O::membar, "proxy async global|shared::cta|shared::cluster?", ""},
      {"fence", O::membar,
       "proxy async::generic acquire|release "
       "sync_restrict::shared::cluster|sync_restrict::shared::cta cluster",
       ""},
      {"fence", O::membar,
       "acquire|release sync_restrict::shared::cluster|sync_restrict::shared::cta cluster", ""},
      {"fence", O::membar, "mbarrier_init release cluster", ""},
  };
  return rows;
}

bool apply_mbarrier_word(Mbarrier& mbarrier, std::string_view word) {
  struct Named {
    std::string_view word;
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
    if (named.word == word) return mbarrier.op = named.op, true;
  }
  if (word == "expect_tx")
    mbarrier.expects_bytes = true;  // alone it is the operation, which is the default
  else if (word == "noComplete")
    mbarrier.no_complete = true;
  else if (word == "parity")
    mbarrier.by_parity = true;
  else
    return false;
  return true;
}

}  // namespace heddle::ptx
