// Lines of a text for the width of a terminal.
#pragma once

#include <string>

namespace heddle::report {

// The text with lines of at most `width` characters, as far as words allow; 0: unchanged. A line
// continues below its second column, or below its first word.
std::string wrapped(const std::string& text, int width);

}  // namespace heddle::report
