// The text and the JSON of `heddle sass`.
#pragma once

#include <string>
#include <vector>

#include "sass/cubin/cubin.h"

namespace heddle::report {

struct MachineCode {
  std::string name;  // the file of the cubin
  sass::Cubin cubin;
};

struct MachineCodeText {
  std::string text;
  bool complete = true;  // every instruction was decoded
};

// The listing of the code whose name is `kernel`, mangled or plain; of all code when it is empty.
MachineCodeText machine_code_text(const std::vector<MachineCode>& files, const std::string& kernel);
// The same as an array of cubins; `complete` as above.
MachineCodeText machine_code_json(const std::vector<MachineCode>& files, const std::string& kernel);

}  // namespace heddle::report
