// Runs the corpus through libcuda.so.1 and writes the results:
//   conformance_hardware CORPUS_FOLDER OUT_FOLDER [FAMILY...]
#include <iostream>

#include "tests/conformance/hardware/images_on_gpu.h"
#include "tests/conformance/results.h"

namespace heddle::conformance {
namespace {

class Gpu {
 public:
  Gpu() {
    int device = 0, version = 0, major = 0, minor = 0;
    check(driver_.init(0), "cuInit");
    check(driver_.device_get(&device, 0), "cuDeviceGet");
    char name[256] = {};
    check(driver_.device_name(name, sizeof name, device), "cuDeviceGetName");
    check(driver_.driver_version(&version), "cuDriverGetVersion");
    check(driver_.device_attribute(&major, 75, device), "cuDeviceGetAttribute");
    check(driver_.device_attribute(&minor, 76, device), "cuDeviceGetAttribute");
    architecture_ = 10 * major + minor;
    machine_ = std::string(name) + ", sm_" + std::to_string(architecture_) + ", driver API " +
               std::to_string(version);
    Driver::Handle context = nullptr;
    check(driver_.context_create(&context, 0, device), "cuCtxCreate");
    check(driver_.allocate(&in_, 4 * kVectors * 8), "cuMemAlloc");
    check(driver_.allocate(&out_, kVectors * 8), "cuMemAlloc");
  }
  const std::string& machine() const { return machine_; }
  int architecture() const { return architecture_; }
  const Driver& driver() const { return driver_; }

  // The results of a case; empty when the GPU does not support it. Each case is a module of its
  // own, so that a refused case does not affect the others.
  std::vector<std::uint64_t> run(const Case& c) {
    std::string text = module_text({c});
    const std::string target = "sm_90";
    text.replace(text.find(target), target.size(), "sm_" + std::to_string(architecture_));
    Driver::Handle module = nullptr, function = nullptr;
    if (driver_.module_load(&module, text.c_str()) != 0) return {};
    check(driver_.function_get(&function, module, "case_0"), "cuModuleGetFunction");
    const auto operands = operand_vectors(c);
    for (std::size_t o = 0; o < operands.size(); ++o)
      check(driver_.to_device(in_ + o * kVectors * 8, operands[o].data(), kVectors * 8),
            "cuMemcpyHtoD");
    void* parameters[] = {&in_, &out_};
    check(
        driver_.launch(function, kVectors / 128, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr),
        "cuLaunchKernel");
    check(driver_.synchronize(), c.statements);
    std::vector<std::uint64_t> results(kVectors);
    check(driver_.to_host(results.data(), out_, kVectors * 8), "cuMemcpyDtoH");
    check(driver_.module_unload(module), "cuModuleUnload");
    return results;
  }

 private:
  Driver driver_;
  int architecture_ = 0;
  std::string machine_;
  Driver::Pointer in_ = 0, out_ = 0;
};

int run(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "conformance_hardware CORPUS_FOLDER OUT_FOLDER [FAMILY...]\n";
    return 2;
  }
  const std::string corpus = argv[1], out = argv[2];
  std::vector<std::string> wanted(argv + 3, argv + argc);
  if (wanted.empty()) wanted = families();
  Gpu gpu;
  std::cout << gpu.machine() << "\n";
  bool agrees = true;
  for (const std::string& family : wanted) {
    const std::vector<Case> cases = read_corpus(corpus, family);
    Results results;
    std::size_t ran = 0;
    for (const Case& c : cases) {
      results.push_back(gpu.run(c));
      ran += !results.back().empty();
    }
    write_results(out + "/" + family + ".results", gpu.machine(), cases, results);
    const std::string wrong = differences(cases, results);
    std::cout << family << ": " << ran << " of " << cases.size() << " cases ran\n" << wrong;
    agrees = agrees && wrong.empty();
  }
  if (argc == 3) agrees &= run_images(gpu.driver(), gpu.architecture(), corpus + "/../images", out);
  return agrees ? 0 : 1;
}

}  // namespace
}  // namespace heddle::conformance

int main(int argc, char** argv) {
  try {
    return heddle::conformance::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
