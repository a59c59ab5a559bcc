#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

const std::vector<FormSet>& form_sets() {
  static const std::vector<FormSet> sets = [] {
    std::vector<FormSet> all = {
        {"I", "u16|s16|u32|s32|u64|s64"},
        {"I32", "u32|s32"},
        {"I3264", "u32|s32|u64|s64"},
        {"I8", "u8|s8|u16|s16|u32|s32|u64|s64"},
        {"VT", "u32|s32"},
        {"HALF", "f16|f16x2|bf16|bf16x2"},
        {"SETD", "u16|s16|u32|s32|f16|bf16|f32"},
        {"OP2", "add|min|max"},
        {"RND", "rn|rz|rm|rp"},
        {"RNI", "rni|rzi|rmi|rpi"},
        {"BOOL", "and|or|xor"},
        {"CMPS", "eq|ne|lt|le|gt|ge"},
        {"CMPU", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
        {"CMPF", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
        {"T", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
        {"MEM", "b8|b16|b32|u8|u16|u32|s8|s16|s32|f16|f16x2|bf16|bf16x2|f32"},
        {"MEM64", "b64|u64|s64|f64"},
        {"SEM", "weak|volatile|relaxed|acquire"},
        {"STSEM", "weak|volatile|relaxed|release"},
        {"ATSEM", "relaxed|acquire|release|acq_rel"},
        {"SCOPE", "cta|cluster|gpu|sys"},
        {"SPACE",
         "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func"},
        {"STSPACE", "global|shared|shared::cta|shared::cluster|local|param|param::func"},
        {"ATSPACE", "global|shared|shared::cta|shared::cluster"},
        {"ATSHARED", "shared|shared::cta|shared::cluster"},
        {"CTASCOPE", "cta|cluster"},
        {"CACHE", "ca|cg|cs|lu|cv"},
        {"STCACHE", "wb|cg|cs|wt"},
        {"L1PRIO",
         "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
        {"L2PRIO", "L2::evict_normal|L2::evict_first|L2::evict_last|L2::evict_unchanged"},
        {"L2SIZE", "L2::64B|L2::128B|L2::256B"},
        {"L2HINT", "L2::cache_hint"},
        {"DIMENSIONS", "1d|2d|3d|4d|5d"},
        {"PIXELS", "3d|4d|5d"},
        {"GEOMETRY", "1d|2d|3d|a1d|a2d|cube|acube"},
        {"SURFACE", "1d|2d|3d|a1d|a2d"},
        {"OUTSIDE", "trap|clamp|zero"},
        {"WMMA", "m16n16k16|m32n8k16|m8n32k16"},
        {"SPARSE", "sp|sp::ordered_metadata"},
        {"INT8", "u8|s8"},
        {"INT4", "u4|s4"},
        {"FP8", "e4m3|e5m2"},
    };
    all.insert(all.end(), warpgroup_sets().begin(), warpgroup_sets().end());
    return all;
  }();
  return sets;
}

const std::vector<FormRow>& form_rows() {
  static const std::vector<FormRow> rows = [] {
    std::vector<FormRow> all;
    for (const auto* part :
         {&integer_rows(), &video_rows(), &float_rows(), &half_rows(), &data_rows(), &memory_rows(),
          &texture_rows(), &matrix_rows(), &warpgroup_rows(), &async_rows(), &control_rows()}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }();
  return rows;
}

}  // namespace heddle::ptx
