#include "exec/functional/ahead_ctas.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "base/own_threads.h"
#include "exec/state/decoded_instruction.h"

namespace heddle::exec {
namespace {

// Of a thread in a round, in warp instructions: about a tenth of a second.
constexpr std::uint64_t kMostInRound = std::uint64_t{1} << 23;
// A round is worth starting its threads when it is this part of the intended length.
constexpr std::uint64_t kWorthwhilePart = 8;
// A thread that executes so many times what is expected stops: its CTAs may never end.
constexpr std::uint64_t kMostTimesExpected = 16;
// A round is shorter when a thread stores more, in bytes of AheadStores.
constexpr std::size_t kMostStored = std::size_t{8} << 20;
constexpr int kMostSpinningRounds = 256;

// Does the instruction access memory that CTAs share by plain loads and stores alone?
bool only_loads_and_stores(const ptx::Instruction& i) {
  using ptx::Opcode;
  if (i.copy != isa::CopyStep::none) return false;
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::prefetch:
    case Opcode::wmma_load:
    case Opcode::wmma_store:
    case Opcode::membar:
    case Opcode::vprintf:
    case Opcode::assertfail: return true;
    case Opcode::device_malloc:
    case Opcode::device_free:
    case Opcode::device_runtime:
    case Opcode::cluster_arrive:
    case Opcode::mbarrier:
    case Opcode::mbarrier_count:
    case Opcode::wgmma: return false;
    default: break;
  }
  const bool own = i.space == isa::Space::shared || i.space == isa::Space::local ||
                   i.space == isa::Space::frame || i.space == isa::Space::param;
  return own || !isa::is_memory(i.op_class);
}

}  // namespace

// Another thread, with a CTA of its own.
class AheadCtas::Helper {
 public:
  Helper(AllocationClaims& claims, const Launch& launch, GlobalMemory& memory,
         const MachineView& machine, const std::shared_ptr<const DecodedKernel>& decoded,
         const CompiledKernel& compiled)
      : shared_claims_(claims),
        claims_(claims, &stores_),
        run_(launch, memory),
        cta_(run_, std::make_unique<Warps>(
                       launch, memory, machine, 1,
                       static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize), true,
                       decoded)) {
    run_.stop = &stop_;
    run_.compiled = &compiled;
    cta_.machine().use_claims(&claims_);
  }
  ~Helper() {
    stop();
    join();
  }
  void stop() { stop_ = 1; }

  void begin(const Numbering& numbering, std::uint64_t first, std::uint64_t end,
             std::uint64_t most_instructions) {
    run_.counts = {};
    stores_.clear();
    complete_ = false;
    const auto work = [this, &numbering, first, end, most_instructions] {
      try {
        complete_ = run(numbering, first, end, most_instructions);
      } catch (...) {  // the main thread finds a fault in its order
      }
    };
    try {
      thread_ = joinable_own_thread(work);
    } catch (const std::system_error&) {  // not complete
    }
  }
  // Whether all its CTAs have ended. Waits for them.
  bool complete() {
    join();
    return complete_;
  }
  const FunctionalCounts& counts() const { return run_.counts; }
  AheadStores& stores() { return stores_; }

 private:
  bool run(const Numbering& numbering, std::uint64_t first, std::uint64_t end,
           std::uint64_t most_instructions) {
    for (std::uint64_t n = first; n < end; ++n) {
      cta_.start(numbering(n));
      for (int spinning = 0; !cta_.finished();) {
        if (shared_claims_.conflict() || run_.counts.warp_instructions > most_instructions)
          return false;
        run_.stop_if_requested();
        cta_.run_round();
        spinning = cta_.all_spin() ? spinning + 1 : 0;
        if (spinning > kMostSpinningRounds) return false;
      }
    }
    return true;
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  const AllocationClaims& shared_claims_;
  AheadStores stores_;
  ThreadClaims claims_;
  StopRequest stop_{0};
  FunctionalRun run_;
  FunctionalCta cta_;
  bool complete_ = false;
  std::thread thread_;
};

bool AheadCtas::are_possible(const DecodedKernel& kernel) {
  return !kernel.machine_code &&
         std::all_of(kernel.code.begin(), kernel.code.end(), [](const DecodedInstruction& r) {
           return r.flow != Flow::clock && only_loads_and_stores(ptx_of(r));
         });
}

AheadCtas::AheadCtas(const Launch& launch, GlobalMemory& memory, const MachineView& machine,
                     const std::shared_ptr<const DecodedKernel>& decoded,
                     const CompiledKernel& compiled, Numbering numbering)
    : memory_(memory),
      main_claims_(claims_, nullptr),
      numbering_(std::move(numbering)),
      round_instructions_(launch.host.round_instructions) {
  for (std::uint32_t i = 1; i < launch.host.threads; ++i)
    helpers_.push_back(
        std::make_unique<Helper>(claims_, launch, memory, machine, decoded, compiled));
}

AheadCtas::~AheadCtas() {
  for (auto& helper : helpers_) helper->stop();
}

std::uint64_t AheadCtas::share_of_thread(std::uint64_t left, std::uint64_t instructions_of_cta,
                                         std::uint64_t threads, std::uint64_t round_instructions) {
  const std::uint64_t ctas = std::min(
      std::max<std::uint64_t>(1, round_instructions / instructions_of_cta), left / threads);
  return ctas * instructions_of_cta < round_instructions / kWorthwhilePart ? 0 : ctas;
}

void AheadCtas::begin(std::uint64_t n, std::uint64_t left, std::uint64_t instructions_of_cta) {
  const std::uint64_t threads = helpers_.size() + 1;
  const std::uint64_t ctas =
      share_of_thread(left, instructions_of_cta, threads, round_instructions_);
  if (ctas == 0) return;
  round_instructions_ =
      std::min(2 * round_instructions_, std::max(kMostInRound, instructions_of_cta));
  first_ahead_ = n + ctas;
  end_ahead_ = n + threads * ctas;
  active_ = true;
  for (std::size_t i = 0; i < helpers_.size(); ++i) {
    const std::uint64_t first = first_ahead_ + i * ctas;
    helpers_[i]->begin(numbering_, first, first + ctas,
                       kMostTimesExpected * ctas * instructions_of_cta);
  }
}

std::optional<FunctionalCounts> AheadCtas::finish() {
  active_ = false;
  bool complete = true;
  for (auto& helper : helpers_) complete = complete && helper->complete();
  if (!complete || claims_.conflict()) return std::nullopt;
  FunctionalCounts sum;
  for (auto& helper : helpers_) {
    helper->stores().apply(memory_);
    if (helper->stores().used_bytes() > kMostStored)
      round_instructions_ = std::max<std::uint64_t>(1, round_instructions_ / 4);
    sum.warp_instructions += helper->counts().warp_instructions;
    sum.thread_instructions += helper->counts().thread_instructions;
  }
  return sum;
}

}  // namespace heddle::exec
