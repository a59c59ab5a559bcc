// Owners of isl's objects.
#pragma once

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <memory>

namespace heddle::analysis {

template <auto kFree>
struct IslFree {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using IslContext = std::unique_ptr<isl_ctx, IslFree<isl_ctx_free>>;
using IslSet = std::unique_ptr<isl_set, IslFree<isl_set_free>>;
using IslValue = std::unique_ptr<isl_val, IslFree<isl_val_free>>;

}  // namespace heddle::analysis
