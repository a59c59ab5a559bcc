// A kernel whose plain instructions and branches are compiled for the host, for functional
// runs. The interpreter executes the rest, and decides about everything else.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "exec/compiled/lane_context.h"

namespace heddle::exec {

class LaneCode;

class CompiledKernel {
 public:
  // Null when the kernel, or this host, has no compiled form.
  static std::unique_ptr<const CompiledKernel> compile(const DecodedKernel& kernel);
  // Throws Xbyak::Error where the host does not allow generated code.
  explicit CompiledKernel(const DecodedKernel& kernel);
  ~CompiledKernel();
  CompiledKernel(const CompiledKernel&) = delete;
  CompiledKernel& operator=(const CompiledKernel&) = delete;

  // Where compiled code begins, by `all lanes are active`. Null: the instruction is not compiled.
  struct Entries {
    bool leads = false;                             // it is the first instruction of a block
    std::array<const std::uint8_t*, 2> at_start{};  // of the block
    std::array<const std::uint8_t*, 2> in_block{};  // after an exit in the same pass through it
  };
  const Entries& entries(Pc pc) const { return entries_[pc]; }

  bool is_compiled(Pc pc) const { return compiled_[pc] != 0; }

  struct Exit {
    Pc pc;             // where the warp continues
    bool reached;      // a reconvergence point; otherwise the interpreter executes its instruction
    bool needs_start;  // what is behind it in the block, too
  };
  // Runs the warp of the context from an entry or a resumption on.
#ifdef __clang__  // generated code has no signature that -fsanitize=function could read
  [[clang::no_sanitize("function")]]
#endif
  Exit run(LaneContext& context, const std::uint8_t* from, bool all_active) const {
    context.starts = starts_.data();
    const std::uint32_t end = enter_[all_active](&context, from);
    return {end & ~(kReached | kNeedsStart), (end & kReached) != 0, (end & kNeedsStart) != 0};
  }

 private:
  friend class KernelCompiler;
  using Enter = std::uint32_t (*)(LaneContext*, const std::uint8_t*);
  static constexpr std::uint32_t kReached = 0x80000000, kNeedsStart = 0x40000000;

  std::unique_ptr<LaneCode> code_;
  std::vector<char> compiled_;               // by pc
  std::vector<Entries> entries_;             // by pc
  std::vector<const std::uint8_t*> starts_;  // Entries::at_start of some lanes
  std::array<Enter, 2> enter_{};             // [all lanes are active]
};

}  // namespace heddle::exec
