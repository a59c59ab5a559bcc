// `heddle ptx`: what a module holds, and what of it is not supported.
#pragma once

#include <string>
#include <string_view>

namespace heddle::lab {

struct PtxSummary {
  std::string text;  // a table of kernels and their instruction mix, then what is not supported
  std::size_t refusals = 0;
};

PtxSummary summarise_ptx(const std::string& name, std::string_view text);

}  // namespace heddle::lab
