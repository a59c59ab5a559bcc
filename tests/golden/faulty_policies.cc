// Policies of a plug-in that fail.
#include <stdexcept>

#include "sched/framework/plugin.h"

namespace heddle::sched {
namespace {

class Throwing final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    if (view.now > Cycle{500}) throw std::runtime_error("my policy is confused");
    return view.issuable.lowest();
  }
};

class NullPointer final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override { return view.issuable.lowest(); }
  void on_issue(const sm::Issue& issue) override {
    volatile int* none = nullptr;
    if (issue.now > Cycle{100}) *none = 1;
  }
};

class NotIssuable final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    return view.issuable.test(WarpSlot(0)) ? WarpSlot(2) : WarpSlot(0);
  }
};

class EndlessRecursion final : public sm::WarpScheduler {
 public:
  WarpSlot pick(const sm::IssueView& view) override {
    return view.now > Cycle{500} ? WarpSlot(depth(1)) : view.issuable.lowest();
  }

 private:
  [[gnu::noinline]] static int depth(int n) {
    volatile char local[4096];
    local[0] = static_cast<char>(n);
    return n == 0 ? 0 : depth(n + 1) + local[0];
  }
};

PolicyEntry throwing() { return policy<Throwing>("throwing", "throws", "a test"); }
PolicyEntry null_pointer() { return policy<NullPointer>("null-pointer", "crashes", "a test"); }
PolicyEntry recursion() { return policy<EndlessRecursion>("recursion", "recurses", "a test"); }
PolicyEntry not_issuable() { return policy<NotIssuable>("not-issuable", "picks others", "a test"); }

}  // namespace
}  // namespace heddle::sched

HEDDLE_PLUGIN(heddle::sched::throwing, heddle::sched::null_pointer, heddle::sched::recursion,
              heddle::sched::not_issuable)
