// Hints about kernels, which heddle cc writes into their PTX as pragmas: the direction along which
// CTAs are mapped, and the groups of the warp scheduler ps. `heddle analyze --write-hints FILE`
// writes the file of hints:
//
//   [[kernel]]
//   name = "_Z6matmulPfS_S_i"   # or the plain name: matmul
//   direction = "y"             # x, y or none
//   [[kernel.loop]]
//   line = 12                   # of the for, while or do statement
//   file = "matmul.cu"          # optional
//   group = 4                   # warps; 0: no mark is needed
//   group_with_mapping = 12     # the same where CTAs are mapped along x or y
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace heddle::cuda {

struct LoopHint {
  std::uint32_t line = 0;
  std::string file;  // empty: any
  std::uint32_t group = 0, group_with_mapping = 0;
  SourceLocation where;
};
struct KernelHint {
  std::string name, direction;  // direction: "x", "y", "none"; empty: not given
  std::vector<LoopHint> loops;
  SourceLocation where;
  bool used = false;
};

class KernelHints {
 public:
  // UserError with the place in the file.
  static KernelHints read(const std::string& path);

  // The PTX text with the marks of loops. mapped: the directions are embedded, too. name: of the
  // text, for messages.
  std::string with_loop_marks(const std::string& ptx, const std::string& name, bool mapped);
  // The PTX text with the kernels' directions.
  std::string with_directions(const std::string& ptx, const std::string& name);
  // UserError that names a kernel of the file which no text so far contained.
  void check_used() const;

 private:
  std::vector<KernelHint> kernels_;
};

// The PTX text in which every kernel's direction is decided by the analysis of each launch.
std::string with_automatic_directions(const std::string& ptx);

}  // namespace heddle::cuda
