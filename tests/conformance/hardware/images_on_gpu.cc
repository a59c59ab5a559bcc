#include "tests/conformance/hardware/images_on_gpu.h"

#include <cuda.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "tests/conformance/images.h"

namespace heddle::conformance {
namespace {

CUarray_format format_of(const ImageCase& c) {
  if (c.kind == "f") return c.bits == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const bool is_signed = c.kind == "s";
  if (c.bits == 8) return is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  if (c.bits == 16) return is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
  return is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
}

CUaddress_mode mode_of(const std::string& name) {
  return name == "wrap"     ? CU_TR_ADDRESS_MODE_WRAP
         : name == "mirror" ? CU_TR_ADDRESS_MODE_MIRROR
         : name == "border" ? CU_TR_ADDRESS_MODE_BORDER
                            : CU_TR_ADDRESS_MODE_CLAMP;
}

// A filled array, with mipmap levels or without, and its texture or surface object.
class ImageOnGpu {
 public:
  ImageOnGpu(const Driver& driver, const ImageCase& c) : driver_(driver), c_(c) {
    const Extent e = extent_of(c, 0);
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Width = e.width, d.Height = c.dimensions() > 1 ? e.height : 0,
    d.Depth = c.layered() || c.cube() ? e.layers
              : c.dimensions() > 2    ? e.depth
                                      : 0;
    d.Format = format_of(c), d.NumChannels = c.channels;
    d.Flags = (c.layered() ? CUDA_ARRAY3D_LAYERED : 0u) | (c.cube() ? CUDA_ARRAY3D_CUBEMAP : 0u) |
              (c.is_surface() ? CUDA_ARRAY3D_SURFACE_LDST : 0u) |
              (c.begins("tld4") ? CUDA_ARRAY3D_TEXTURE_GATHER : 0u);
    if (c.levels > 1) {
      if (driver_.levels_create(&levels_, &d, c.levels) != 0) return;
      for (unsigned l = 0; l < c.levels; ++l) {
        Driver::Handle level = nullptr;
        check(driver_.levels_get(&level, levels_, l), "cuMipmappedArrayGetLevel");
        fill(level, l);
        if (l == 0) first_ = level;
      }
    } else {
      if (driver_.array_create(&array_, &d) != 0) return;
      first_ = array_;
      fill(array_, 0);
    }
    make_object();
  }
  ~ImageOnGpu() {
    if (object_)
      c_.is_surface() ? driver_.surface_destroy(object_) : driver_.texture_destroy(object_);
    if (array_) driver_.array_destroy(array_);
    if (levels_) driver_.levels_destroy(levels_);
  }
  ImageOnGpu(const ImageOnGpu&) = delete;
  ImageOnGpu& operator=(const ImageOnGpu&) = delete;

  Driver::Pointer object() const { return object_; }  // 0: the driver does not support the image
  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out(extent_of(c_, 0).texels() * c_.texel_bytes());
    CUDA_MEMCPY3D copy = shape(0);
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = static_cast<CUarray>(first_);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = out.data();
    check(driver_.copy(&copy), "cuMemcpy3D");
    return out;
  }

 private:
  CUDA_MEMCPY3D shape(unsigned level) const {
    const Extent e = extent_of(c_, level);
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = std::size_t{e.width} * c_.texel_bytes(), copy.Height = e.height,
    copy.Depth = std::max(e.depth, e.layers);
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes, copy.srcHeight = copy.dstHeight = e.height;
    return copy;
  }
  void fill(Driver::Handle array, unsigned level) const {
    const auto from = image_bytes(c_, level);
    CUDA_MEMCPY3D copy = shape(level);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = from.data();
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = static_cast<CUarray>(array);
    check(driver_.copy(&copy), "cuMemcpy3D");
  }
  void make_object() {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = levels_ ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
    if (levels_)
      resource.res.mipmap.hMipmappedArray = static_cast<CUmipmappedArray>(levels_);
    else
      resource.res.array.hArray = static_cast<CUarray>(array_);
    CUDA_TEXTURE_DESC sampling{};
    for (CUaddress_mode& mode : sampling.addressMode) mode = mode_of(c_.address);
    sampling.filterMode = c_.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    sampling.mipmapFilterMode = c_.blends ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    sampling.maxMipmapLevelClamp = 99;
    sampling.flags = (c_.kind != "f" && !c_.fraction ? CU_TRSF_READ_AS_INTEGER : 0u) |
                     (c_.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u);
    const int code = c_.is_surface()
                         ? driver_.surface_create(&object_, &resource)
                         : driver_.texture_create(&object_, &resource, &sampling, nullptr);
    if (code != 0) object_ = 0;
  }

  const Driver& driver_;
  const ImageCase& c_;
  Driver::Handle array_ = nullptr, levels_ = nullptr, first_ = nullptr;
  Driver::Pointer object_ = 0;
};

struct Outcome {
  std::vector<ImageResult> results;
  std::vector<std::uint8_t> after;
};

// Nothing when the driver does not support the image or the instruction.
std::optional<Outcome> run_image(const Driver& driver, int architecture, const ImageCase& c) {
  const ImageOnGpu image(driver, c);
  if (!image.object()) return std::nullopt;
  std::string text = image_module(c);
  text.replace(text.find("sm_70"), 5, "sm_" + std::to_string(architecture));
  Driver::Handle module = nullptr, function = nullptr;
  if (driver.module_load(&module, text.c_str()) != 0) return std::nullopt;
  if (driver.function_get(&function, module, "k") != 0) {  // queries on Hopper
    check(driver.module_unload(module), "cuModuleUnload");
    return std::nullopt;
  }
  const auto operands = image_operands(c);
  Driver::Pointer handle = image.object(), in = 0, out = 0;
  check(driver.allocate(&in, kImageThreads * 64), "cuMemAlloc");
  check(driver.allocate(&out, kImageThreads * 16), "cuMemAlloc");
  check(driver.to_device(in, operands.data(), kImageThreads * 64), "cuMemcpyHtoD");
  void* parameters[] = {&handle, &in, &out};
  check(driver.launch(function, 1, 1, 1, kImageThreads, 1, 1, 0, nullptr, parameters, nullptr),
        "cuLaunchKernel");
  check(driver.synchronize(), c.place + " " + c.instruction);
  Outcome outcome;
  outcome.results.resize(kImageThreads);
  check(driver.to_host(outcome.results.data(), out, kImageThreads * 16), "cuMemcpyDtoH");
  outcome.after = image.bytes();
  check(driver.free(in), "cuMemFree");
  check(driver.free(out), "cuMemFree");
  check(driver.module_unload(module), "cuModuleUnload");
  return outcome;
}

void write_results(std::ostream& file, const ImageCase& c, const Outcome& outcome) {
  file << c.place << " " << c.instruction << "\n" << std::hex;
  for (const ImageResult& result : outcome.results)
    for (const std::uint32_t word : result) file << word << " ";
  file << std::dec << "\n";
}

}  // namespace

bool run_images(const Driver& driver, int architecture, const std::string& folder,
                const std::string& out) {
  bool agrees = true;
  for (const std::string& family : image_families()) {
    std::size_t ran = 0;
    const auto cases = read_images(folder, family);
    std::string wrong;
    std::ofstream file(out + "/" + family + ".results");
    for (const ImageCase& c : cases) {
      const auto outcome = run_image(driver, architecture, c);
      if (!outcome) continue;
      ++ran;
      write_results(file, c, *outcome);
      wrong += image_differences(c, outcome->results, outcome->after, true);
    }
    if (!file.flush()) throw std::runtime_error("cannot write the results of " + family);
    std::cout << family << ": " << ran << " of " << cases.size() << " cases ran\n" << wrong;
    agrees = agrees && wrong.empty();
  }
  return agrees;
}

}  // namespace heddle::conformance
