// The registers that a loop carries from one iteration to the next, as forms of its counter, and
// the number of its last iteration.
#pragma once

#include <optional>
#include <vector>

#include "analysis/symbolic_evaluation.h"
#include "analysis/symbolic_values.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

// The state at the end of an iteration that is followed by another.
struct BackEdge {
  ConditionId condition;
  RegisterState state;
};

class LoopBounds {
 public:
  LoopBounds(const ptx::Kernel& kernel, Forms& forms, SymbolicValues& values, std::uint16_t loop)
      : kernel_(kernel), forms_(forms), values_(values), loop_(loop) {}

  // The loop carries a register; it holds `first` in the first iteration.
  void carry(std::uint16_t reg, ValueId first);
  void set_unknowns(RegisterState& state) const;
  // `exits` are the conditions of the first pass on which an iteration is the last.
  void solve(const std::vector<BackEdge>& edges, const std::vector<ConditionId>& exits,
             ConditionId entry);
  void set_solutions(RegisterState& state) const;
  const SymbolicLoop& result() const { return loop_result_; }
  // The value of a register behind the loop.
  ValueId after_loop(ValueId value, bool last_known);

 private:
  struct Carried {
    std::uint16_t reg = 0;
    ValueId first = 0, unknown = 0, solution = 0;
    AtomId atom = 0;
    bool is_form = false, solved = false;
  };
  void solve_register(Carried& carried, const std::vector<BackEdge>& edges);
  std::optional<Form> last_iteration(const std::vector<ConditionId>& exits, ConditionId entry);
  // The first iteration in which a comparison holds; none when it is not known. `only`: nothing
  // else ends the loop.
  std::optional<Form> first_iteration(ConditionId exit, ConditionId entry, bool only);
  std::int64_t iterations_without_overflow() const;
  // Unsigned counters do not wrap: quotients by 2^32 are zero.
  Form without_wrap(const Form& form) const;

  const ptx::Kernel& kernel_;
  Forms& forms_;
  SymbolicValues& values_;
  std::uint16_t loop_;
  std::vector<Carried> carried_;
  AtomId counter_ = 0;
  SymbolicLoop loop_result_;
};

}  // namespace heddle::analysis
