// The parameters of iPAWS.
#pragma once

#include <cstdint>
#include <tuple>

#include "policies/parameters.h"
#include "sched/adaptive/ipaws_state.h"

namespace heddle::sched {

enum class GreedySide { gto, ccws, mascar, mascar_lrr };
enum class RecoverEnd { either, match, exit };
enum class Scope { gpu, sm };
enum class RecoverTarget { finished, busiest_live };
enum class StallOf { each_ready, each_passed, longest_held_up, oldest_ready, oldest_valid };
enum class StallIn { any_slot, empty_slot };
// While several kernels run. The SMs that follow the decision for a kernel that an SM runs alone,
// and for kernels that share SMs.
enum class WhereAlone { own_sm, gpu };
enum class WhereShared { gpu, pair };
// The kernel whose warps come first after the decision, where kernels share SMs.
enum class KernelOrder { alternate, favoured };

struct IpawsOptions {
  GreedySide greedy = GreedySide::gto;
  bool recover = true;
  Interest interest = Interest::up_to_most_stalled;
  RecoverTarget recover_target = RecoverTarget::finished;
  RecoverEnd recover_end = RecoverEnd::either;
  Scope decide = Scope::gpu;
  WhereAlone decide_alone = WhereAlone::own_sm;
  WhereShared decide_shared = WhereShared::gpu;
  KernelOrder kernel_order = KernelOrder::alternate;
  CountBy count_by = CountBy::warp;
  BarrierScore barrier_score = BarrierScore::other_issue;
  StallOf stall_of = StallOf::each_ready;
  StallIn stall_in = StallIn::any_slot;
  std::uint32_t min_exit_instructions = 0;
  static auto parameters() {
    using O = IpawsOptions;
    const char* const paper = "Lee et al., HPCA 2016";
    return std::make_tuple(
        choice("greedy", &O::greedy, {"gto", "ccws", "mascar", "mascar_lrr"},
               "the greedy scheduler: runs until the decision, and after a decision for greedy; "
               "mascar: with order=gto; mascar_lrr: with its own order",
               paper),
        choice("recover", &O::recover, {"no", "yes"},
               "whether warps with fewer instructions catch up before round robin begins", paper),
        choice("recover_target", &O::recover_target, {"finished", "busiest_live"},
               "the instructions that the newest warp has to issue to catch up: as many as the "
               "warp that ended first on the GPU, or as the busiest live warp of its SM",
               "finished: section 3.4 of the paper"),
        choice("recover_end", &O::recover_end, {"either", "match", "exit"},
               "end of catching up: the newest warp has issued as many instructions as "
               "recover_target (match), or has ended (exit)",
               "section 3.4 of the paper names both as the same"),
        choice("decide", &O::decide, {"gpu", "sm"},
               "gpu: the first SM in which a warp ends decides for all; sm: each SM decides",
               paper),
        choice(
            "decide_alone", &O::decide_alone, {"own_sm", "gpu"},
            "while several kernels run, for a kernel that runs alone on an SM: the SM decides for "
            "itself, or the first SM in which a warp of that kernel ends decides for all",
            "own_sm: section 4.3 of the paper, pCKE"),
        choice(
            "decide_shared", &O::decide_shared, {"gpu", "pair"},
            "where kernels share SMs: the first pair of SMs that decides for a kernel decides for "
            "all SMs, or each pair decides for itself; always pair with decide=sm",
            "section 4.3 of the paper, sCKE, names the pair only; gpu: an interpretation, as with "
            "one kernel"),
        choice("kernel_order", &O::kernel_order, {"alternate", "favoured"},
               "where kernels share an SM, the kernel whose warps come first once the SM follows a "
               "decision for its favoured kernel: each in turn by cycle, or the favoured one",
               "an interpretation: the paper does not say"),
        choice("count_by", &O::count_by, {"warp", "cta"},
               "whether instructions and stalls are counted per warp or per CTA", paper),
        choice("barrier_score", &O::barrier_score, {"other_issue", "all_cycles", "off"},
               "time at a barrier that is added to a warp's score: cycles in which another warp "
               "issues, all cycles, or none",
               paper),
        choice("interest", &O::interest, {"no", "yes", "older"},
               "the warps that are compared: all, those up to the most stalled one, or only those "
               "that are older than it",
               "section 3.2 of the paper calls the most stalled warp the limit; its table 3 has a "
               "program in which all warps count"),
        choice("stall_of", &O::stall_of,
               {"each_ready", "each_passed", "longest_held_up", "oldest_ready", "oldest_valid"},
               "the warps that are charged with a stall: every ready warp that lacks its unit; of "
               "these those that the greedy order comes to before the warp that issues, the one "
               "that has waited longest, or the oldest; or the oldest valid warp",
               "each_ready: section 3.2 of the paper has a separate counter for each warp"),
        choice("stall_in", &O::stall_in, {"any_slot", "empty_slot"},
               "the issue slots in which a stall is charged: all, or those in which no warp issues",
               "any_slot: section 3.2 of the paper counts every stall"),
        number("min_exit_instructions", &O::min_exit_instructions, 0u, 1u << 30, "instructions",
               "warps that end after fewer instructions do not start the decision",
               "an interpretation"));
  }
};

}  // namespace heddle::sched
