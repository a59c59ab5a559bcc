#include "cuda/objects/contexts.h"

#include <algorithm>

namespace heddle::cuda {

bool ContextStack::push(ContextHandle context) {
  if (depth_ == handles_.size()) return false;
  handles_[depth_++] = context;
  return true;
}

ContextHandle ContextStack::pop() {
  const ContextHandle context = current();
  if (depth_ > 0) --depth_;
  return context;
}

void ContextStack::remove(ContextHandle context) {
  auto* const end = std::remove(handles_.begin(), handles_.begin() + depth_, context);
  depth_ = static_cast<std::size_t>(end - handles_.begin());
}

bool Contexts::release_primary() {
  if (!primary_active()) return false;
  if (retained_ > 0)
    --retained_;
  else
    runtime_uses_primary_ = false;
  return true;
}

void Contexts::reset_primary() {
  retained_ = 0;
  runtime_uses_primary_ = false;
}

void Contexts::bind_runtime(ContextStack& stack) {
  if (stack.current() != 0) return;
  runtime_uses_primary_ = true;
  stack.push(kPrimary);
}

bool Contexts::exists(ContextHandle context) const {
  return context == kPrimary ? primary_active() : created_.contains(context);
}

unsigned* Contexts::flags(ContextHandle context) {
  const auto found = created_.find(context);
  return found == created_.end() ? nullptr : &found->second;
}

}  // namespace heddle::cuda
