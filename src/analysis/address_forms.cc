#include "analysis/address_forms.h"

#include <algorithm>

#include "analysis/form_text.h"
#include "analysis/symbolic_evaluation.h"

namespace heddle::analysis {

struct AddressForms::Impl {
  const ptx::Kernel& kernel;
  SymbolicKernel symbolic;
  std::vector<const SymbolicAccess*> by_pc;
  std::vector<bool> unreached;  // by pc
  std::vector<std::int64_t> values;

  void set(Pc pc, const Point& point) {
    values[tid_x] = point.thread.x, values[tid_y] = point.thread.y, values[tid_z] = point.thread.z;
    values[ctaid_x] = point.cta.x, values[ctaid_y] = point.cta.y, values[ctaid_z] = point.cta.z;
    for (std::uint16_t l = by_pc[pc]->loop; l != ptx::Loop::kNone; l = kernel.loops[l].parent)
      values[symbolic.loops[l].counter] = point.iterations[l];
  }
};

AddressForms::AddressForms(const ptx::Kernel& kernel, const LaunchShape& launch)
    : impl_(
          std::make_unique<Impl>(Impl{kernel, evaluate_symbolically(kernel, launch), {}, {}, {}})) {
  impl_->by_pc.resize(kernel.code.size(), nullptr);
  impl_->values.resize(impl_->symbolic.forms.atoms(), 0);
  impl_->unreached.resize(kernel.code.size(), false);
  if (!impl_->symbolic.not_analysed.empty()) return;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const ptx::Instruction& i = kernel.code[pc];
    const bool accesses = i.op_class == ptx::OpClass::load || i.op_class == ptx::OpClass::store ||
                          i.op_class == ptx::OpClass::atomic;
    impl_->unreached[pc] =
        accesses && (i.space == ptx::Space::global || i.space == ptx::Space::local);
  }
  for (const SymbolicAccess& access : impl_->symbolic.accesses) {
    impl_->unreached[access.pc] = false;
    if (access.affine) impl_->by_pc[access.pc] = &access;
  }
}
AddressForms::~AddressForms() = default;

bool AddressForms::is_affine(Pc pc) const { return impl_->by_pc[pc] != nullptr; }

bool AddressForms::is_unreached(Pc pc) const { return impl_->unreached[pc]; }

std::uint64_t AddressForms::address(Pc pc, const Point& point) {
  impl_->set(pc, point);
  return static_cast<std::uint64_t>(
      impl_->symbolic.forms.evaluate(impl_->by_pc[pc]->address, impl_->values));
}

std::string AddressForms::forbidden(Pc pc, const Point& point) {
  impl_->set(pc, point);
  const SymbolicAccess& access = *impl_->by_pc[pc];
  const Forms& forms = impl_->symbolic.forms;
  for (std::uint16_t l = access.loop; l != ptx::Loop::kNone; l = impl_->kernel.loops[l].parent) {
    const SymbolicLoop& loop = impl_->symbolic.loops[l];
    if (loop.counted && point.iterations[l] > forms.evaluate(loop.last, impl_->values))
      return forms.atom(loop.counter).name + " <= " + form_text(forms, loop.last);
  }
  return forms.may_hold(access.condition, impl_->values) ? std::string{}
                                                         : condition_text(forms, access.condition);
}

std::string AddressForms::text(Pc pc) const {
  return form_text(impl_->symbolic.forms, impl_->by_pc[pc]->address);
}
std::size_t AddressForms::accesses() const {
  return static_cast<std::size_t>(std::count_if(impl_->by_pc.begin(), impl_->by_pc.end(),
                                                [](auto* a) { return a != nullptr; }));
}
const std::string& AddressForms::not_analysed() const { return impl_->symbolic.not_analysed; }

}  // namespace heddle::analysis
