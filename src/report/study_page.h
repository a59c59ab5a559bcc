// Reports of studies, as HTML pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <memory>

#include <nlohmann/json.hpp>

#include "base/source_files.h"
#include "lab/store/results_store.h"
#include "report/page.h"

namespace heddle::report {

// A study of the store; when `study` is empty, the only one. Runs that are not finished are
// counted. Throws UserError when there are several, when there is none of this name, and when no
// run is finished. sources: what may be shown of the files that the results name.
std::string page_of_study(const lab::ResultsStore& store, const std::string& study,
                          PageReferences references, std::shared_ptr<SourceFiles> sources);

// Results of single runs: name of the file, content of run.json. At least one. plugins: their
// statistics get a unit and a meaning.
std::string page_of_results(
    const std::string& title,
    const std::vector<std::pair<std::string, nlohmann::ordered_json>>& results,
    PageReferences references, const std::shared_ptr<SourceFiles>& sources,
    const std::vector<std::string>& plugins = {});

// Published values, as CSV: a header with names of dimensions (workload, gpu, policy, parameters)
// and, last, the statistic: "speed_up" or a key of heddle list stats. Then a line per value. name:
// of the file, for messages. Throws UserError with the line.
PageReferences read_references(const std::string& text, const std::string& name);

}  // namespace heddle::report
