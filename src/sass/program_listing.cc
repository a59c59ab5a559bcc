#include "sass/program_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"
#include "sass/architecture.h"

namespace heddle::sass {

std::vector<ListedInstruction> list_code(const Code& code, int architecture) {
  if (!is_known_architecture(architecture))
    throw UserError(fmt::format("machine code of sm_{} is not known; known are sm_{}", architecture,
                                fmt::join(kArchitectures, ", sm_")));
  std::vector<ListedInstruction> listing;
  listing.reserve(code.words.size());
  std::size_t next_line = 0;
  const ListedLine* source = nullptr;
  for (std::size_t i = 0; i < code.words.size(); ++i) {
    const std::uint64_t address = i * kInstructionBytes;
    for (; next_line < code.lines.size() && code.lines[next_line].address <= address; ++next_line)
      source = &code.lines[next_line];
    listing.push_back(
        {address, code.words[i], decode(code.words[i], architecture, address), source});
  }
  return listing;
}

}  // namespace heddle::sass
