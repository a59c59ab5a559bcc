#include "lab/picture_file.h"

#include "base/diagnostics.h"
#include "base/executable.h"
#include "lab/process.h"

namespace heddle::lab {
namespace {

constexpr const char* kConverter = "rsvg-convert";
constexpr const char* kZoomOfPng = "2";  // pixels per pixel of the drawing

}  // namespace

void require_picture_file(const std::string& option, const std::string& path) {
  if (path.ends_with(".svg")) return;
  if (!path.ends_with(".pdf") && !path.ends_with(".png"))
    throw UserError(option + " " + path + ": the name must end in .svg, .pdf or .png");
  if (find_in_path(kConverter).empty())
    throw UserError(option + " " + path + ": PDF and PNG need " + kConverter +
                    ": apt-get install librsvg2-bin; a name that ends in .svg needs nothing");
}

void write_picture(const std::string& path, const std::string& svg) {
  if (path.ends_with(".svg")) {
    write_file_atomically(path, svg);
    return;
  }
  const TemporaryFolder folder;
  const std::string drawn = folder.file("picture.svg"), made = folder.file("picture"),
                    errors = folder.file("errors");
  write_file_atomically(drawn, svg);
  ChildCommand command;
  command.arguments = {kConverter, "--format", path.substr(path.size() - 3), "--output", made};
  if (path.ends_with(".png"))
    command.arguments.insert(command.arguments.end(), {"--zoom", kZoomOfPng});
  command.arguments.push_back(drawn);
  command.stderr_path = errors;
  ProcessGroup group;
  group.start(command);
  const Ending ending = group.wait_any().ending;
  if (ending.signal || ending.exit_code)
    throw UserError("cannot make " + path + ": " + kConverter + ": " + read_file(errors));
  write_file_atomically(path, read_file(made));
}

}  // namespace heddle::lab
