// __cluster_dims__ and __maxnreg__, which clang 19 does not know. Heddle's headers make them
// annotations; the directives of PTX are written from LLVM's list of annotations.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// The PTX with the directives of the annotations in `ir`. Throws UserError for clusters on an
// architecture (75: sm_75) without them.
std::string with_kernel_attributes(std::string ptx, std::string_view ir, int architecture);

// Writes a directive between the parameters and the body of the kernel that is declared at `entry`,
// the place of its ".entry".
void add_directive(std::string& ptx, std::size_t entry, const std::string& directive);

}  // namespace heddle::cuda
