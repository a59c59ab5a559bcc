// Moves, conversions, comparisons and communication within a warp.
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& data_rows() {
  static const std::vector<FormRow> rows = {
      // Data movement and conversion (9.7.8)
      {"mov", O::mov, "pred|b16|b32|b64|b128|u16|u32|u64|s16|s32|s64|f16|f16x2|bf16|bf16x2|f32|f64",
       "d.pack, a.pack/var"},
      {"mov", O::mov_vector, "v2 b16|b32|b64|u16|u32|u64|s16|s32|s64|f16|bf16|f32|f64",
       "d.vec, a.vec"},
      {"mov", O::mov_vector, "v4 b16|b32|u16|u32|s16|s32|f16|bf16|f32", "d.vec, a.vec"},
      {"cvt", O::cvt, "sat? I8 I8", "d+, a:atype+"},
      {"cvt", O::cvt, "RND ftz? sat? f16|bf16|f32|f64 I8", "d+, a:atype+"},
      {"cvt", O::cvt, "RNI ftz? sat? I8 f16|bf16|f32|f64", "d+, a:atype+"},
      {"cvt", O::cvt, "RND ftz? sat? f32 f64", "d+, a:atype+"},
      {"cvt", O::cvt, "RND ftz? sat? f16 f32|f64", "d+, a:atype+"},
      {"cvt", O::cvt, "ftz? sat? f64 f32", "d+, a:atype+"},
      {"cvt", O::cvt, "ftz? sat? f32|f64 f16", "d+, a:atype+"},
      {"cvt", O::cvt, "RNI? ftz? sat? f32 f32", "d+, a:atype+"},
      {"cvt", O::cvt, "RNI? sat? f64 f64", "d+, a:atype+"},
      {"cvt", O::cvt, "RNI? ftz? sat? f16 f16", "d+, a:atype+"},
      {"cvt", O::cvt, "RND sat? bf16 f32|f64", "d+, a:atype+"},
      {"cvt", O::cvt, "RND sat? f16 bf16", "d+, a:atype+"},
      {"cvt", O::cvt, "RND sat? bf16 f16", "d+, a:atype+"},
      {"cvt", O::cvt, "ftz? sat? f32 bf16", "d+, a:atype+"},
      {"cvt", O::cvt, "sat? f64 bf16", "d+, a:atype+"},
      {"cvt", O::cvt, "RNI? sat? bf16 bf16", "d+, a:atype+"},
      {"cvt", O::cvt, "rn|rz relu f16|bf16 f32", "d+, a:atype+"},
      {"cvt", O::cvt, "rn|rz relu? satfinite f16|bf16 f32", "d+, a:atype+"},
      {"cvt", O::cvt, "rn|rz relu? satfinite? f16x2|bf16x2 f32", "d, a:atype, b:atype"},
      {"cvt", O::cvt, "rna satfinite? tf32 f32", "d, a:atype"},
      {"cvt", O::cvt, "rn|rz relu? satfinite? tf32 f32", "d, a:atype"},
      {"cvt", O::cvt, "rn satfinite relu? e4m3x2|e5m2x2 f32", "d, a:atype, b:atype"},
      {"cvt", O::cvt, "rn satfinite relu? e4m3x2|e5m2x2 f16x2", "d, a:atype"},
      {"cvt", O::cvt, "rn relu? f16x2 e4m3x2|e5m2x2", "d, a:atype"},
      {"cvt", O::pack, "pack sat u16|s16 s32", "d:b32, a:atype, b:atype"},
      {"cvt", O::pack, "pack sat u4|s4|u8|s8 s32 b32", "d:b32, a:atype, b:atype, c:b32"},
      {"cvta", O::cvta,
       "to? global|shared|shared::cta|shared::cluster|local|const|param|param::entry u64",
       "d, a/var"},
      {"isspacep", O::isspacep,
       "global|shared|shared::cta|shared::cluster|local|const|param|param::entry", "p, a:u64"},
      {"prmt", O::prmt, "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "d, a, b, c:u32"},
      // Comparison and selection (9.7.5)
      {"selp", O::selp, "T", "d, a, b, {!}c"},
      {"slct", O::slct, "ftz? T s32|f32", "d, a, b, c:atype"},
      {"setp", O::setp, "eq|ne b16|b32|b64", "p[|q], a, b"},
      {"setp", O::setp, "CMPS s16|s32|s64", "p[|q], a, b"},
      {"setp", O::setp, "CMPU u16|u32|u64", "p[|q], a, b"},
      {"setp", O::setp, "CMPF ftz? f32|f64", "p[|q], a, b"},
      {"setp", O::setp, "BOOL eq|ne b16|b32|b64", "p[|q], a, b, {!}c"},
      {"setp", O::setp, "BOOL CMPS s16|s32|s64", "p[|q], a, b, {!}c"},
      {"setp", O::setp, "BOOL CMPU u16|u32|u64", "p[|q], a, b, {!}c"},
      {"setp", O::setp, "BOOL CMPF ftz? f32|f64", "p[|q], a, b, {!}c"},
      {"set", O::set, "eq|ne SETD b16|b32|b64", "d, a:atype, b:atype"},
      {"set", O::set, "CMPS SETD s16|s32|s64", "d, a:atype, b:atype"},
      {"set", O::set, "CMPU SETD u16|u32|u64", "d, a:atype, b:atype"},
      {"set", O::set, "CMPF ftz? SETD f32|f64", "d, a:atype, b:atype"},
      {"set", O::set, "BOOL eq|ne SETD b16|b32|b64", "d, a:atype, b:atype, {!}c"},
      {"set", O::set, "BOOL CMPS SETD s16|s32|s64", "d, a:atype, b:atype, {!}c"},
      {"set", O::set, "BOOL CMPU SETD u16|u32|u64", "d, a:atype, b:atype, {!}c"},
      {"set", O::set, "BOOL CMPF ftz? SETD f32|f64", "d, a:atype, b:atype, {!}c"},
      // Data movement: shfl (9.7.8)
      {"shfl", O::shfl, "sync up|down|bfly|idx b32", "d[|p], a, b:u32, c:u32, membermask:u32"},
      {"shfl", O::shfl, "up|down|bfly|idx b32", "d[|p], a, b:u32, c:u32"},
      // Communication among the lanes of a warp (9.7.12)
      {"vote", O::vote, "sync all|any|uni pred", "p, {!}a, membermask:u32"},
      {"vote", O::vote, "sync ballot b32", "d, {!}a, membermask:u32"},
      {"vote", O::vote, "all|any|uni pred", "p, {!}a"},
      {"vote", O::vote, "ballot b32", "d, {!}a"},
      {"match", O::match, "any sync b32|b64", "d:b32, a, membermask:u32"},
      {"match", O::match, "all sync b32|b64", "d:b32[|p], a, membermask:u32"},
      {"redux", O::redux, "sync add|min|max u32|s32", "d, a, membermask:u32"},
      {"redux", O::redux, "sync and|or|xor b32", "d, a, membermask:u32"},
      {"elect", O::elect, "sync", "d:b32[|p], membermask:u32"},
      {"activemask", O::activemask, "b32", "d"},
  };
  return rows;
}

}  // namespace heddle::ptx
