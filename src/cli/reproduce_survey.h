// heddle reproduce, of a survey: every policy on every program.
#pragma once

#include <string>

#include "lab/sweep.h"

namespace heddle::cli {

struct SurveyRequest {
  lab::SweepOptions sweep;
  std::string folder;  // of the survey's data
  std::string size;    // of one part; empty: all parts
  std::string out;     // folder of the pages
  bool quiet = false;
  bool from_store = false;  // run nothing: pages from the runs that the store has
};

int reproduce_survey(SurveyRequest request);

}  // namespace heddle::cli
