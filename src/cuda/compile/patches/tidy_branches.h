// LLVM's PTX back end cannot invert a conditional branch, so its loops end in "@p bra EXIT; bra.uni
// LOOP; EXIT:": one more branch per iteration than nvcc's code for the same loop. ptxas repairs
// that on its way to a GPU; here it is repaired in the text, because every instruction of the PTX
// is simulated.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// "@p bra EXIT; bra.uni LOOP; EXIT:" becomes "@!p bra LOOP; EXIT:"; where EXIT is elsewhere, "@!p
// bra LOOP; bra.uni EXIT". A jump to the next instruction disappears. Lines keep their order.
std::string tidy_branches(std::string_view ptx);

}  // namespace heddle::cuda
