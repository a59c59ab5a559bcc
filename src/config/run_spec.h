// Everything that determines a run besides the program. The heddle command writes it; the runtime
// library in the simulated process reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/gpu_spec.h"
#include "config/timed_part.h"

namespace heddle::config {

// What is recorded in addition to the statistics; nothing by default.
struct WatchSpec {
  bool cta_sharing = false;      // which CTAs share lines in the L1
  bool first_warp = false;       // the caches until the first warp of a launch ends
  bool details = false;          // per instruction, loop, scheduler, CTA
  std::uint32_t pattern_sm = 0;  // the SM whose issue pattern is recorded
  std::uint64_t interval = 0;    // core cycles between two rows of counters; 0: none
  std::string timeline_path;     // the recorded timeline is written here; empty: none
  std::uint64_t timeline_from = 0, timeline_to = 10000;  // core cycles of the device

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("cta_sharing", self.cta_sharing)("first_warp", self.first_warp);
    archive("details", self.details)("pattern_sm", self.pattern_sm)("interval", self.interval);
    archive("timeline_path", self.timeline_path)("timeline_from", self.timeline_from);
    archive("timeline_to", self.timeline_to);
  }
};

// What `heddle check` looks for.
struct CheckSpec {
  bool enabled = false;
  bool memory = true, races = true, init = true, barriers = true;
  bool strict = false;        // also what is common or harmless in practice (docs/check.md)
  bool leaks = false;         // device memory that is not freed at the end
  std::uint32_t limit = 100;  // findings that are reported; more are only counted

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("enabled", self.enabled)("memory", self.memory)("races", self.races);
    archive("init", self.init)("barriers", self.barriers)("strict", self.strict);
    archive("leaks", self.leaks)("limit", self.limit);
  }
};

// What is done with the address analysis of launches.
struct AnalysisSpec {
  bool enabled = false;  // analyse every distinct launch and report it
  bool map = false;      // which CTAs of a part of the grid share lines, for a picture
  bool check = false;    // compare every executed access with its affine form
  double usable = 0.6;   // share of the L1D that a working set may take
  std::uint64_t operations = 2'000'000;  // bound on isl's operations for one launch

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("enabled", self.enabled)("map", self.map)("check", self.check);
    archive("usable", self.usable)("operations", self.operations);
  }
};

// Captured programs that share the GPU; none: the process runs one program.
struct CorunSpec {
  std::vector<std::string> captures;  // paths
  bool once = false;  // false: a program that ends begins anew until each has ended once

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("captures", self.captures)("once", self.once);
  }
};

// What a program asks of the device, in a file.
struct CaptureSpec {
  std::string path;  // of the capture that is written; empty: none
  // The program is a captured one; these launches of it are written, from 1 on.
  bool cut = false;
  std::uint64_t first = 1, last = ~std::uint64_t{0};
  std::uint64_t images_every = 0;  // launches between two images of memory; 0: none

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("path", self.path)("cut", self.cut)("first", self.first)("last", self.last);
    archive("images_every", self.images_every);
  }
};

// Which of a program's kinds of code is executed. automatic: PTX where the program has some.
enum class CodeKind : std::uint8_t { automatic, ptx, sass };
const std::map<std::string, CodeKind>& code_kinds();  // by name: auto, ptx, sass
std::string_view to_string(CodeKind kind);
bool from_string(const std::string& name, CodeKind& kind);  // false: the name is unknown

// What both a request (lab/run.h) and the specification that it becomes state.
struct RunChoices {
  std::string scheduler = "gto";     // "gto", "swl:warps=4+lrr"
  std::string cta_scheduler = "rr";  // "rr", "mapped:direction=x"
  std::string share = "leftover";    // "leftover", "spatial:first=5"
  std::vector<std::string> plugins;  // shared objects with policies
  CodeKind isa = CodeKind::automatic;
  std::string cubin;          // a file whose machine code replaces the program's; empty: none
  bool functional = false;    // no timing
  bool progress = false;      // a progress line on stderr
  std::uint32_t threads = 1;  // of the host; results do not depend on them
  bool share_always = false;  // use all threads even in windows with little work; for tests
  std::uint64_t seed = 1;
  std::vector<std::string> program;  // path and arguments; or a captured program
  WatchSpec watch;
  CheckSpec check;
  AnalysisSpec analysis;
  TimedPart timed;  // not used by a functional run
  CorunSpec corun;  // several captured programs in place of the program
  CaptureSpec capture;
  std::uint64_t from_launch = 1;  // a captured program starts at the last image up to this launch

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("scheduler", self.scheduler)("cta_scheduler", self.cta_scheduler);
    archive("share", self.share)("plugins", self.plugins)("functional", self.functional);
    archive("progress", self.progress)("threads", self.threads);
    archive("share_always", self.share_always)("seed", self.seed)("program", self.program);
    archive("watch", self.watch)("check", self.check)("analysis", self.analysis);
    archive("timed", self.timed)("corun", self.corun)("capture", self.capture);
    archive("from_launch", self.from_launch)("isa", self.isa);
    archive("cubin", self.cubin);
  }
};

struct RunSpec : RunChoices {  // paths of plug-ins are absolute
  GpuSpec gpu;
  std::map<std::string, std::uint32_t>
      registers;             // per kernel name (plain or mangled): registers per thread
  std::string result_path;   // the simulated process writes its results here
  std::string control_path;  // of its RunControl (base/run_control.h); empty: it has none
  // Device memory of a captured program, whose addresses depend on it; 0: that of the GPU.
  std::uint64_t memory_bytes = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    RunChoices::fields(self, archive);
    archive("gpu", self.gpu)("registers", self.registers)("memory_bytes", self.memory_bytes);
    archive("result_path", self.result_path)("control_path", self.control_path);
  }

  std::string to_json() const;                        // lossless
  static RunSpec from_json(const std::string& text);  // UserError when damaged
};

// The environment variable that holds the path of the RunSpec file.
inline constexpr const char* kRunSpecVariable = "HEDDLE_RUN_SPEC";

}  // namespace heddle::config
