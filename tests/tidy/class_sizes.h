// The classes of a source file, their sizes, and the types of its namespaces, read from its text.
#pragma once

#include <string>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {

struct ClassSize {
  std::string name;     // "Outer::Inner"
  std::size_t line;     // of its name, from 0
  int methods = 0;      // declared in the class, getters and each overload; not `= default`
  int members = 0;      // data members that are not static
  bool record = false;  // all data is public and described by a function fields()
};

// Nested classes stand for themselves. Classes inside of functions are not read.
std::vector<ClassSize> classes_of(const SourceFile& file);

struct TypeName {
  std::string name, space;  // "Cache" in "heddle::mem"
};

// The classes and enumerations that a namespace with a name defines; nested types are left out.
std::vector<TypeName> types_of(const SourceFile& file);

}  // namespace heddle::tidy
