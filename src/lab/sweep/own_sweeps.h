// The sweeps of this user, noted outside of their stores. A store is data and may come from
// anybody; `heddle sweep resume` runs the programs of a study only when this user has swept it with
// this content into this store.
#pragma once

#include <string>

#include "lab/store/database.h"

namespace heddle::lab {

// Notes what the store says of a study: its file, its document and the options of its sweep. The
// note is in $XDG_STATE_HOME/heddle/sweeps, by default ~/.local/state/heddle/sweeps. Where that
// cannot be written, there is no note.
void note_own_sweep(Database& store, const std::string& study);
// Whether the store says the same of the study as the note.
bool is_own_sweep(Database& store, const std::string& study);

}  // namespace heddle::lab
