// The width of a terminal.
#pragma once

namespace heddle {

// Columns of the terminal that a file descriptor refers to. COLUMNS wins when it is set;
// `otherwise` is the width of what is no terminal.
int terminal_width(int descriptor, int otherwise);

}  // namespace heddle
