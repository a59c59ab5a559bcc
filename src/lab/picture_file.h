// Pictures as files: SVG as it was drawn; PDF and PNG by rsvg-convert (docs/dependencies.md).
#pragma once

#include <string>

namespace heddle::lab {

// Throws UserError when the name ends in none of .svg, .pdf and .png, and when what makes its
// format is not installed, so that the error comes before a long run. `option` is named in the
// message.
void require_picture_file(const std::string& option, const std::string& path);
void write_picture(const std::string& path, const std::string& svg);

}  // namespace heddle::lab
