// Instruction names of PTX 1.x, which left out what later versions spell.
#pragma once

#include <string>
#include <string_view>

namespace heddle::ptx {

// The name as PTX 2.0 and later write it: "div.f32" is div.approx.ftz.f32, "mad.f32"
// mad.rn.ftz.f32, "cvt.s32.f32" cvt.rzi.ftz.s32.f32. A name that says everything, or that is
// unknown, comes back as it is.
std::string newer_name(std::string_view name);

}  // namespace heddle::ptx
