// Textures and surfaces.
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {
using O = Opcode;
}

const std::vector<FormRow>& texture_rows() {
  static const std::vector<FormRow> rows = {
      // Textures (9.7.9)
      {"tex", O::tex, "base? GEOMETRY v4 u32|s32|f32|f16 s32|f32", "d.vec, [tex, c]{, offsets}"},
      {"tex", O::tex, "base? GEOMETRY v2 f16x2 s32|f32", "d.vec, [tex, c]{, offsets}"},
      {"tex", O::tex, "level GEOMETRY v4 u32|s32|f32|f16 s32|f32",
       "d.vec, [tex, c], lod:atype{, offsets}"},
      {"tex", O::tex, "level GEOMETRY v2 f16x2 s32|f32", "d.vec, [tex, c], lod:atype{, offsets}"},
      {"tex", O::tex, "grad GEOMETRY v4 u32|s32|f32|f16 f32",
       "d.vec, [tex, c], dPdx, dPdy{, offsets}"},
      {"tex", O::tex, "grad GEOMETRY v2 f16x2 f32", "d.vec, [tex, c], dPdx, dPdy{, offsets}"},
      {"tld4", O::tld4, "r|g|b|a 2d|a2d|cube|acube v4 u32|s32|f32 f32",
       "d.vec, [tex, c]{, offsets}"},
      {"txq", O::txq,
       "width|height|depth|channel_data_type|channel_order|array_size|num_mipmap_levels|"
       "num_samples|normalized_coords b32",
       "d, [tex]"},
      {"txq", O::txq,
       "filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|force_unnormalized_coords b32", "d, [tex]"},
      {"txq", O::txq, "level width|height|depth b32", "d, [tex], lod:b32"},
      // Surfaces (9.7.10); istypep is in 9.7.9
      {"suq", O::txq,
       "width|height|depth|array_size|channel_data_type|channel_order|memory_layout b32",
       "d, [surf]"},
      {"istypep", O::istypep, "texref|samplerref|surfref", "p, a:b64/var"},
      {"suld", O::suld, "b SURFACE CACHE? v2|v4? b8|b16|b32 OUTSIDE", "d.vec, [surf, c]"},
      {"suld", O::suld, "b SURFACE CACHE? v2? b64 OUTSIDE", "d.vec, [surf, c]"},
      {"sust", O::sust, "b SURFACE STCACHE? v2|v4? b8|b16|b32 OUTSIDE", "[surf, c], b.vec"},
      {"sust", O::sust, "b SURFACE STCACHE? v2? b64 OUTSIDE", "[surf, c], b.vec"},
      {"sust", O::sust, "p SURFACE STCACHE? v2|v4? b32|u32|s32|f32 OUTSIDE", "[surf, c], b.vec"},
      {"sured", O::sured, "b add|min|max 1d|2d|3d u32|s32|u64 OUTSIDE", "[surf, c], b"},
      {"sured", O::sured, "b min|max 1d|2d|3d s64 OUTSIDE", "[surf, c], b"},
      {"sured", O::sured, "b and|or 1d|2d|3d b32 OUTSIDE", "[surf, c], b"},
      {"sured", O::sured, "p add|min|max|and|or 1d|2d|3d b32 OUTSIDE", "[surf, c], b"},
      {"sured", O::sured, "p min|max 1d|2d|3d b64 OUTSIDE", "[surf, c], b"},
  };
  return rows;
}

}  // namespace heddle::ptx
