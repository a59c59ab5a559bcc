// Floating-point instructions.
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

// Single and double precision (9.7.3).
const std::vector<FormRow>& float_rows() {
  static const std::vector<FormRow> rows = {
      {"add", O::add, "RND? ftz? sat? f32", "d, a, b"},
      {"add", O::add, "RND? f64", "d, a, b"},
      {"sub", O::sub, "RND? ftz? sat? f32", "d, a, b"},
      {"sub", O::sub, "RND? f64", "d, a, b"},
      {"mul", O::mul, "RND? ftz? sat? f32", "d, a, b"},
      {"mul", O::mul, "RND? f64", "d, a, b"},
      {"fma", O::fma, "RND ftz? sat? f32", "d, a, b, c"},
      {"fma", O::fma, "RND f64", "d, a, b, c"},
      {"add", O::add, "RND? ftz? f32x2", "d, a, b"},
      {"sub", O::sub, "RND? ftz? f32x2", "d, a, b"},
      {"mul", O::mul, "RND? ftz? f32x2", "d, a, b"},
      {"fma", O::fma, "RND ftz? f32x2", "d, a, b, c"},
      {"mad", O::fma, "RND ftz? sat? f32", "d, a, b, c"},  // the same operation since sm_20
      {"mad", O::fma, "RND f64", "d, a, b, c"},
      {"div", O::div, "approx|full|rn|rz|rm|rp ftz? f32", "d, a, b"},
      {"div", O::div, "RND f64", "d, a, b"},
      {"abs", O::abs, "ftz? f32", "d, a"},
      {"abs", O::abs, "f64", "d, a"},
      {"neg", O::neg, "ftz? f32", "d, a"},
      {"neg", O::neg, "f64", "d, a"},
      {"min", O::min, "ftz? NaN? f32", "d, a, b{, c}"},
      {"min", O::min, "ftz? NaN? abs f32", "d, a, b, c"},
      {"min", O::min, "ftz? NaN? xorsign abs f32", "d, a, b"},
      {"min", O::min, "f64", "d, a, b"},
      {"max", O::max, "ftz? NaN? f32", "d, a, b{, c}"},
      {"max", O::max, "ftz? NaN? abs f32", "d, a, b, c"},
      {"max", O::max, "ftz? NaN? xorsign abs f32", "d, a, b"},
      {"max", O::max, "f64", "d, a, b"},
      {"rcp", O::rcp, "approx|rn|rz|rm|rp ftz? f32", "d, a"},
      {"rcp", O::rcp, "RND f64", "d, a"},
      {"rcp", O::rcp, "approx ftz f64", "d, a"},
      {"sqrt", O::sqrt, "approx|rn|rz|rm|rp ftz? f32", "d, a"},
      {"sqrt", O::sqrt, "RND f64", "d, a"},
      {"rsqrt", O::rsqrt, "approx ftz? f32|f64", "d, a"},
      {"sin", O::sin, "approx ftz? f32", "d, a"},
      {"cos", O::cos, "approx ftz? f32", "d, a"},
      {"lg2", O::lg2, "approx ftz? f32", "d, a"},
      {"ex2", O::ex2, "approx ftz? f32", "d, a"},
      {"tanh", O::tanh, "approx f32", "d, a"},
      {"copysign", O::copysign, "f32|f64", "d, a, b"},
      {"testp", O::testp, "finite|infinite|number|notanumber|normal|subnormal f32|f64", "p, a"},
  };
  return rows;
}

// Half precision.
const std::vector<FormRow>& half_rows() {
  static const std::vector<FormRow> rows = {
      // Arithmetic (9.7.4)
      {"add", O::add, "rn? ftz? sat? f16|f16x2", "d, a, b"},
      {"add", O::add, "rn? bf16|bf16x2", "d, a, b"},
      {"sub", O::sub, "rn? ftz? sat? f16|f16x2", "d, a, b"},
      {"sub", O::sub, "rn? bf16|bf16x2", "d, a, b"},
      {"mul", O::mul, "rn? ftz? sat? f16|f16x2", "d, a, b"},
      {"mul", O::mul, "rn? bf16|bf16x2", "d, a, b"},
      {"fma", O::fma, "rn ftz? sat|relu? f16|f16x2", "d, a, b, c"},
      {"fma", O::fma, "rn relu? bf16|bf16x2", "d, a, b, c"},
      {"neg", O::neg, "ftz? f16|f16x2", "d, a"},
      {"neg", O::neg, "bf16|bf16x2", "d, a"},
      {"abs", O::abs, "ftz? f16|f16x2", "d, a"},
      {"abs", O::abs, "bf16|bf16x2", "d, a"},
      {"min", O::min, "ftz? NaN? f16|f16x2", "d, a, b"},
      {"min", O::min, "ftz? NaN? xorsign abs f16|f16x2", "d, a, b"},
      {"min", O::min, "NaN? bf16|bf16x2", "d, a, b"},
      {"min", O::min, "NaN? xorsign abs bf16|bf16x2", "d, a, b"},
      {"max", O::max, "ftz? NaN? f16|f16x2", "d, a, b"},
      {"max", O::max, "ftz? NaN? xorsign abs f16|f16x2", "d, a, b"},
      {"max", O::max, "NaN? bf16|bf16x2", "d, a, b"},
      {"max", O::max, "NaN? xorsign abs bf16|bf16x2", "d, a, b"},
      {"ex2", O::ex2, "approx f16|f16x2", "d, a"},
      {"ex2", O::ex2, "approx ftz bf16|bf16x2", "d, a"},
      {"tanh", O::tanh, "approx HALF", "d, a"},
      // Comparison (9.7.6)
      {"setp", O::setp, "CMPF ftz? f16|f16x2", "p[|q], a, b"},
      {"setp", O::setp, "BOOL CMPF ftz? f16|f16x2", "p[|q], a, b, {!}c"},
      {"setp", O::setp, "CMPF bf16|bf16x2", "p[|q], a, b"},
      {"setp", O::setp, "BOOL CMPF bf16|bf16x2", "p[|q], a, b, {!}c"},
      {"set", O::set, "CMPF ftz? SETD f16|bf16", "d, a:atype, b:atype"},
      {"set", O::set, "BOOL CMPF ftz? SETD f16|bf16", "d, a:atype, b:atype, {!}c"},
      {"set", O::set, "CMPF ftz? u32|s32|f16x2 f16x2", "d, a:atype, b:atype"},
      {"set", O::set, "BOOL CMPF ftz? u32|s32|f16x2 f16x2", "d, a:atype, b:atype, {!}c"},
      {"set", O::set, "CMPF u32|s32|bf16x2 bf16x2", "d, a:atype, b:atype"},
      {"set", O::set, "BOOL CMPF u32|s32|bf16x2 bf16x2", "d, a:atype, b:atype, {!}c"},
  };
  return rows;
}

}  // namespace heddle::ptx
