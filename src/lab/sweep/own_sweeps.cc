#include "lab/sweep/own_sweeps.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "lab/process.h"
#include "lab/store/run_record.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kManyNotes = 300;  // then notes of stores that are gone are removed
constexpr std::string_view kNoteEnding = ".sweep.json";

// Empty when the environment names none.
fs::path notes_folder() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state && fs::path(state).is_absolute()) return fs::path(state) / "heddle" / "sweeps";
  const char* const home = std::getenv("HOME");
  if (!home || !fs::path(home).is_absolute()) return {};
  return fs::path(home) / ".local" / "state" / "heddle" / "sweeps";
}

std::string real_path(const std::string& store) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(store, failed);
  return failed ? fs::absolute(store).string() : path.string();
}

fs::path note_path(const std::string& store, const std::string& study) {
  return notes_folder() /
         (content_hash(real_path(store) + "\n" + study) + std::string(kNoteEnding));
}

// What the note holds, word by word; empty when the store has no such study.
std::string note_text(Database& store, const std::string& study) {
  Statement rows(store, "SELECT file, document, options FROM studies WHERE name = ?");
  if (!rows.bind(study).step()) return {};
  return config::kept_json_text(ordered_json{{"store", real_path(store.path())},
                                             {"study", study},
                                             {"file", rows.text(0)},
                                             {"document", rows.text(1)},
                                             {"options", rows.text(2)}});
}

// A regular file of this user; empty otherwise.
std::string read_note(const fs::path& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid())
    return {};
  return read_file(path.string());
}

void remove_old_notes(const fs::path& folder) {
  std::vector<fs::path> notes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().string().ends_with(kNoteEnding)) notes.push_back(entry.path());
  if (notes.size() < kManyNotes) return;
  for (const fs::path& path : notes) {
    const ordered_json note = ordered_json::parse(read_note(path), nullptr, false);
    if (!note.is_object() || !note.contains("store") || !note["store"].is_string()) continue;
    const std::string store = decode_bytes(note["store"].get<std::string>());
    if (!fs::exists(store, ignored) && !ignored) fs::remove(path, ignored);
  }
}

}  // namespace

void note_own_sweep(Database& store, const std::string& study) {
  const fs::path folder = notes_folder();
  if (folder.empty()) return;
  try {
    write_file_atomically(note_path(store.path(), study).string(), note_text(store, study));
    remove_old_notes(folder);
  } catch (const UserError&) {
    // resume then requires the study file
  }
}

bool is_own_sweep(Database& store, const std::string& study) {
  if (notes_folder().empty()) return false;
  const std::string text = note_text(store, study);
  return !text.empty() && read_note(note_path(store.path(), study)) == text;
}

}  // namespace heddle::lab
