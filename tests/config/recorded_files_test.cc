// What damaged GPU files, options of GPGPU-Sim and descriptions of runs mean stays what it is.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "config/config.h"
#include "config/gpgpusim_import.h"
#include "config/run_spec.h"
#include "tests/damaged_text.h"
#include "tests/recorded.h"

namespace heddle::config {
namespace {

// `read` gets the path of the damaged file. every: of how many damaged ones one is read.
void check_damage(const std::string& name, const std::string& text, const std::string& file,
                  const std::function<std::string(const std::string&)>& read, int every = 1) {
  constexpr std::size_t kLines = 10;
  const TemporaryFolder folder;
  const std::string path = folder.file(file);
  std::map<std::size_t, Fnv64> parts;
  int n = 0;
  for_each_damage(text, [&](std::size_t line, const std::string& damaged) {
    if (n++ % every != 0) return;
    write_file_atomically(path, damaged);
    std::string outcome;
    try {
      outcome = read(path);
    } catch (const UserError& refusal) {
      outcome = refusal.what();
    }
    parts[line / kLines].add(without(outcome, path));
  });
  for (const auto& [part, hash] : parts)
    check_recorded_text(
        "config/recorded_files.txt",
        fmt::format("{} from line {:03}", name, std::max<std::size_t>(1, part * kLines)),
        fmt::format("{:016x}", hash.value()));
}

// With all values and without comments, and one that is made of another.
TEST(RecordedFiles, OfGpus) {
  const auto read = [](const std::string& path) { return to_toml(load_gpu(path)); };
  check_damage("gtx480", to_toml(load_gpu("gtx480")), "gpu.toml", read, 5);
  check_damage("h200_guided", read_file(HEDDLE_SOURCE_DIR "/presets/h200_guided.toml"), "gpu.toml",
               read, 5);
}

TEST(RecordedFiles, OfGpgpuSim) {
  check_damage("options", read_file(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/options/options.txt"),
               "gpgpusim.config", [](const std::string& path) {
                 const ImportedGpu imported = import_gpgpu_sim(path);
                 return fmt::format("{}{}", imported.toml, imported.remarks);
               });
}

TEST(RecordedFiles, OfRuns) {
  RunSpec spec;
  spec.gpu = load_gpu("gtx480");
  check_damage(
      "run", spec.to_json(), "run.json",
      [](const std::string& path) { return RunSpec::from_json(read_file(path)).to_json(); }, 5);
}

}  // namespace
}  // namespace heddle::config
