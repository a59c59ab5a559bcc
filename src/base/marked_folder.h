// Folders that Heddle made and may remove.
#pragma once

#include <filesystem>
#include <string_view>

namespace heddle {

// A folder carries a mark when it holds a file of this user that says what the folder is for and
// which folder it is: a copy of a marked folder is not marked. `purpose` is one line, such as
// "temporary folder". None of these functions follows a link.

// Throws UserError when the mark cannot be written.
void mark_folder(const std::filesystem::path& folder, std::string_view purpose);
bool is_marked_folder(const std::filesystem::path& folder, std::string_view purpose);
// Removes a marked folder with all that it holds. Returns whether it was marked. The mark is
// removed last, so that a removal that was interrupted can be repeated.
bool remove_marked_folder(const std::filesystem::path& folder, std::string_view purpose);

}  // namespace heddle
