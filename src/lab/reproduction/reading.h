// The open parameters of a paper: what it does not say, registered before any run with values and
// their sources. A reading is one of these values, or several joined by +; it changes all studies
// and all claims of the paper alike. In paper.toml, at most eight of
//
//   [[parameter]]
//   name = "instruction cache"
//   default = "4 KiB"                      # what the studies of the paper have
//   source = "..."                         # of the default, other than a result
//   of_policy = true                       # it concerns the paper's policies, not the machine
//   [[parameter.value]]                    # another value; name is for --reading
//   name = "l1i-2k"
//   text = "2 KiB"
//   source = "..."
//   set = ["sm.l1i.size=2KiB"]             # parameters of all runs
//   gpus = {ipaws = "ipaws_hash"}          # other GPUs
//   options = {ipaws = "stall_of=each_passed"}   # of policies, unless a row says otherwise
//   programs = {"3DFD" = ["sdk/fdtd3d", "96", "96", "96", "1"]}   # of cases, with arguments
//   full = {...}                           # the same for the paper's size
//   registers = {"3DFD" = ["difference=32"]}                      # of these cases
//   statistics = {"first_warp." = ""}      # parts of `statistic` of figures and claims
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/reproduction/measure.h"
#include "lab/study.h"
#include "lab/study_section.h"

namespace heddle::lab {

struct ReadingValue {
  std::string name, text, source;
  std::vector<std::string> set;
  std::map<std::string, std::string> gpus, options, statistics;
  std::map<std::string, std::vector<std::string>> programs, full, registers;
};

struct OpenParameter {
  std::string name, default_text, source;
  bool of_policy = false;
  std::vector<ReadingValue> values;
};
inline constexpr std::size_t kMostParameters = 8;
inline constexpr char kReadingSeparator = '+';

// Throws UserError, with file and line, for a section that is not as above.
OpenParameter read_parameter(const toml::table& table, const std::string& file);

// Values that hold together; none: the paper as its files say.
class PaperReading {
 public:
  PaperReading() = default;
  // name: "" or values of parameters, joined by +. Throws UserError for one that is not registered.
  PaperReading(const std::vector<OpenParameter>& parameters, const std::string& name);

  const std::string& name() const { return name_; }
  bool is_default() const { return values_.empty(); }
  // full: the study has the paper's size.
  void apply_to(Study& study, bool full = false) const;
  void apply_to(Measure& measure) const;

 private:
  std::string name_;
  std::vector<ReadingValue> values_;
};

}  // namespace heddle::lab
