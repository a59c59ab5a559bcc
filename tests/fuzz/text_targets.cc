// Fuzz targets of readers of texts: PTX modules, studies, GPU files, files of hints and profiles.

#include "base/diagnostics.h"
#include "config/config.h"
#include "cuda/compile/hints.h"
#include "cuda/kernels/buffer_data.h"
#include "lab/ptx_survey.h"
#include "lab/study.h"
#include "ptx/module.h"
#include "report/ptx_summary.h"
#include "sched/limiters/load_profile.h"
#include "sched/limiters/swl_limits.h"
#include "tests/fuzz/ptx_mutator.h"
#include "tests/fuzz/target.h"
#include "tests/ptx/fuzz_texts.h"
#include "tests/trace/trace_text.h"
#include "trace/traced_launch.h"

namespace heddle::fuzz {

void PlainTarget::add(const std::string& path) { inputs_.push_back(content_of_file(path)); }

namespace {

std::string damaged_text(const std::vector<std::string>& texts, Random& random) {
  std::string text = random.of(texts);
  for (std::size_t n = random.below(6) + 1; n-- > 0;) damage_text(text, texts, random);
  return text;
}

class Modules final : public PlainTarget {
 public:
  Modules() : PlainTarget(inputs_of_modules()), mutator_(all()) {}
  std::string name() const override { return "modules"; }
  std::string meaning() const override { return "PTX modules: parsed, surveyed and lowered"; }
  std::string file_name() const override { return "input.ptx"; }
  void add(const std::string& path) override {
    PlainTarget::add(path);
    mutator_ = PtxMutator(all());
  }
  std::string damaged(Random& random) const override { return mutator_.next(random); }
  void read(const std::string& path) const override {
    const std::string text = content_of_file(path);
    report::ptx_summary(lab::survey_ptx(path, text));
    const ptx::Module module = ptx::Module::parse(text, path);
    for (const std::string& kernel : module.kernel_names())
      module.lower(kernel, ptx::place(module));
  }

 private:
  static std::vector<std::string> inputs_of_modules() {
    std::vector<std::string> texts = ptx::fuzzed_texts();
    for (std::string& text : corpus("modules")) texts.push_back(std::move(text));
    return texts;
  }

  PtxMutator mutator_;
};

class Studies final : public PlainTarget {
 public:
  Studies() : PlainTarget(corpus("studies")) {}
  std::string name() const override { return "studies"; }
  std::string meaning() const override { return "study files of heddle sweep"; }
  std::string file_name() const override { return "input.toml"; }
  std::string damaged(Random& random) const override { return damaged_text(all(), random); }
  void read(const std::string& path) const override { lab::read_study(path); }
};

class Gpus final : public PlainTarget {
 public:
  Gpus() : PlainTarget({content_of_file(HEDDLE_SOURCE_DIR "/presets/gtx480.toml")}) {}
  std::string name() const override { return "gpus"; }
  std::string meaning() const override { return "GPU files"; }
  std::string file_name() const override { return "input.toml"; }
  std::string damaged(Random& random) const override { return damaged_text(all(), random); }
  void read(const std::string& path) const override {
    config::list_parameters(config::load_gpu(path));
  }
};

// Descriptions of kernels. The buffers are in a .npy file and the module in Triton's cache, both of
// which the same bytes are, too.
class Kernels final : public PlainTarget {
 public:
  Kernels() : PlainTarget(corpus("kernels")) {}
  std::string name() const override { return "kernels"; }
  std::string meaning() const override {
    return "descriptions of kernels, .npy files, Triton's JSON";
  }
  std::string file_name() const override { return "kernel.toml"; }
  std::string damaged(Random& random) const override {
    std::string bytes = random.of(all());
    if (!bytes.starts_with(kNumpy)) return damaged_text(all(), random);
    for (std::size_t n = random.below(4) + 1; n-- > 0;)
      random.one_in(2) ? damage_bytes(bytes, random) : replace_number(bytes, random);
    return bytes;
  }
  void read(const std::string& path) const override {
    const std::string bytes = content_of_file(path);
    if (bytes.starts_with(kNumpy)) {
      const cuda::NpyHeader header = cuda::read_npy_header(path);
      cuda::read_npy_data(path, header);
    } else if (bytes.starts_with('{')) {
      cuda::parse_triton_json(bytes, path);
    } else {
      for (const cuda::KernelBuffer& buffer : cuda::read_kernel_description(path).buffers)
        if (buffer.bytes() < kMostMade)
          cuda::make_content(buffer.content, buffer.type, buffer.shape);
    }
  }

 private:
  static constexpr std::string_view kNumpy = "\x93NUMPY";
  static constexpr std::uint64_t kMostMade = 1 << 20;
};

// One of them accepts each initial input.
class Hints final : public PlainTarget {
 public:
  Hints() : PlainTarget(corpus("hints")) {}
  std::string name() const override { return "hints"; }
  std::string meaning() const override {
    return "hints of heddle analyze, limits of heddle best-swl, profiles of heddle profile";
  }
  std::string file_name() const override { return "input.toml"; }
  std::string damaged(Random& random) const override { return damaged_text(all(), random); }
  void read(const std::string& path) const override {
    try {
      sched::StaticLimits::read(path).to_toml();
      return;
    } catch (const UserError&) {}
    try {
      sched::LoadProfile::read(path).to_toml();
      return;
    } catch (const UserError&) {}
    cuda::KernelHints hinted = cuda::KernelHints::read(path);
    hinted.with_directions(ptx::program("reduce"), "reduce.ptx");
    hinted.with_loop_marks(ptx::program("reduce"), "reduce.ptx", true);
  }
};

// Of a kernel: text, compressed text and binary.
class Traces final : public PlainTarget {
 public:
  Traces() : PlainTarget(inputs_of_traces()) {}
  std::string name() const override { return "traces"; }
  std::string meaning() const override { return "traces of kernels, followed to their ends"; }
  std::string file_name() const override { return "kernel-1.traceg"; }
  std::string damaged(Random& random) const override { return damaged_text(all(), random); }
  void read(const std::string& path) const override {
    const auto launch = trace::read_launch(path);
    const auto source = launch->make_source(1);
    std::vector<WarpSlot> warps;
    for (std::uint32_t w = 0; w < launch->header().warps(); ++w)
      warps.emplace_back(static_cast<int>(w));
    exec::Step step;
    for (std::uint64_t cta = 0; cta < launch->header().grid.count(); ++cta) {
      source->start_cta(0, cta, warps);
      for (const WarpSlot warp : warps) do
          source->step(warp, Cycle{0}, step);
        while (!step.finished());
      source->end_cta(0);
    }
  }

 private:
  static std::vector<std::string> inputs_of_traces() {
    std::vector<std::string> inputs = corpus("traces");
    inputs.push_back(trace::xz(inputs.front()));
    inputs.push_back(
        trace::binary(trace::head(4), {"0000 ffffffff 1 R1 MOV 0 0", "0010 ffffffff 0 EXIT 0 0"}));
    return inputs;
  }
};

}  // namespace

std::unique_ptr<Target> traces() { return std::make_unique<Traces>(); }
std::unique_ptr<Target> modules() { return std::make_unique<Modules>(); }
std::unique_ptr<Target> studies() { return std::make_unique<Studies>(); }
std::unique_ptr<Target> gpus() { return std::make_unique<Gpus>(); }
std::unique_ptr<Target> kernels() { return std::make_unique<Kernels>(); }
std::unique_ptr<Target> hints() { return std::make_unique<Hints>(); }

}  // namespace heddle::fuzz
