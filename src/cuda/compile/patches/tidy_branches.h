// LLVM's PTX back end does not invert conditional branches, so its loops end in "@p bra EXIT;
// bra.uni LOOP; EXIT:": one more branch per iteration than in nvcc's code. ptxas removes it for a
// GPU. Heddle simulates every PTX instruction, so it is removed in the text.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// "@p bra EXIT; bra.uni LOOP; EXIT:" becomes "@!p bra LOOP; EXIT:"; if EXIT is elsewhere, "@!p bra
// LOOP; bra.uni EXIT". A jump to the next instruction and LLVM's names of blocks are removed. Lines
// keep their order.
std::string tidy_branches(std::string_view ptx);

}  // namespace heddle::cuda
