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

// `read` gets the path of the damaged file.
void check_file(const std::string& name, const std::string& text, const std::string& file,
                const std::function<std::string(const std::string&)>& read, int every = 1) {
  const TemporaryFolder folder;
  const std::string path = folder.file(file);
  const auto meaning = [&](const std::string& damaged) {
    write_file_atomically(path, damaged);
    return read(path);
  };
  check_damage("config/recorded_files.txt", name, text, path, meaning, every);
}

// With all values and without comments, and one that is made of another.
TEST(RecordedFiles, OfGpus) {
  const auto read = [](const std::string& path) { return to_toml(load_gpu(path)); };
  check_file("gtx480", to_toml(load_gpu("gtx480")), "gpu.toml", read, 5);
  check_file("h200_guided", read_file(HEDDLE_SOURCE_DIR "/presets/h200_guided.toml"), "gpu.toml",
             read, 5);
}

TEST(RecordedFiles, OfGpgpuSim) {
  check_file("options", read_file(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/options/options.txt"),
             "gpgpusim.config", [](const std::string& path) {
               const ImportedGpu imported = import_gpgpu_sim(path);
               return fmt::format("{}{}", imported.toml, imported.remarks);
             });
}

TEST(RecordedFiles, OfRuns) {
  RunSpec spec;
  spec.gpu = load_gpu("gtx480");
  check_file(
      "run", spec.to_json(), "run.json",
      [](const std::string& path) { return RunSpec::from_json(read_file(path)).to_json(); }, 5);
}

}  // namespace
}  // namespace heddle::config
