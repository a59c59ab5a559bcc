// The version of the results store, and how a file gets it.
#pragma once

#include "lab/store/database.h"

namespace heddle::lab {

// The version of schema.sql, kept as PRAGMA user_version.
inline constexpr int kStoreVersion = 1;

// Creates the tables of an empty file, or brings an older store to this version, in one
// transaction. Throws UserError when the file is no store or of a newer version.
void prepare_schema(Database& database);
// Throws UserError unless the file is a store of this version.
void check_schema(Database& database);

}  // namespace heddle::lab
