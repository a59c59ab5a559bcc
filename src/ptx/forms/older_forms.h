// Instruction names of PTX 1.x, which omit modifiers that later versions require.
#pragma once

#include <string>
#include <string_view>

namespace heddle::ptx {

// The name in PTX 2.0 and later: "div.f32" becomes div.approx.ftz.f32, "mad.f32" mad.rn.ftz.f32,
// "cvt.s32.f32" cvt.rzi.ftz.s32.f32. Complete and unknown names are returned unchanged.
std::string modern_name(std::string_view name);

}  // namespace heddle::ptx
