// The version of the results store, and how a file gets it.
#pragma once

#include <span>

#include "lab/store/database.h"

namespace heddle::lab {

// Kept as PRAGMA user_version.
inline constexpr int kStoreVersion = 3;

// SQL that leads from one version to the next: step i leads to version i + 1. A published step
// never changes.
using SchemaSteps = std::span<const char* const>;
SchemaSteps schema_steps();

// Creates the tables of an empty file, or brings an older store to the last version, in one
// transaction. Throws UserError when the file is no store or of a newer version.
void prepare_schema(Database& database, SchemaSteps steps = schema_steps());
// Throws UserError unless the file is a store of the last version.
void check_schema(Database& database, SchemaSteps steps = schema_steps());

}  // namespace heddle::lab
