#include "base/terminal.h"

#include <sys/ioctl.h>

#include <cstdlib>

namespace heddle {

int terminal_width(int descriptor, int otherwise) {
  if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) >= 40)
    return std::atoi(columns);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return otherwise;
}

}  // namespace heddle
