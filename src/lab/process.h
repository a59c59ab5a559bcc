// Child processes (base/process_group.h) and the files that are exchanged with them.
#pragma once

#include <string>

#include "base/output_file.h"
#include "base/process_group.h"
#include "base/temporary_folder.h"

namespace heddle::lab {

std::string host_name();

std::string read_file(const std::string& path);  // empty when there is no such file
// Creates the folder if it is missing. Throws UserError when it is not writable, so that the error
// comes before a long run.
void require_writable_folder(const std::string& folder);
// The same for the folder of a file that will be written, and for a folder in the file's place.
void require_writable_file(const std::string& path);
using heddle::write_file_atomically;

}  // namespace heddle::lab
