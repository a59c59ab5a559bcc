#include "cuda/kernels/buffer_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

namespace heddle::cuda {
namespace {

// The standard fixes the generator's numbers; its distributions are the library's own.
class Uniform {
 public:
  explicit Uniform(const Content& content) : content_(content), generator_(content.seed) {}
  long double next(bool real) {
    constexpr int kUnusedBits = 11;  // a double has 53
    const long double share =
        std::ldexp(static_cast<long double>(generator_() >> kUnusedBits), -53);
    const long double value = content_.first + share * (content_.second - content_.first);
    return real ? value : std::floor(value);
  }

 private:
  const Content& content_;
  std::mt19937_64 generator_;
};

std::string number_text(ElementType type, const std::string& data, std::uint64_t element) {
  const std::uint32_t bytes = info_of(type).bytes;
  return fmt::format("{:.9g}", read_element(type, data.data() + element * bytes));
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace

std::string make_content(const Content& content, ElementType type, const Shape& shape) {
  if (content.kind == Content::Kind::file)
    return read_npy_data(content.file, {type, shape, content.data_offset});
  const ElementInfo& info = info_of(type);
  const std::uint64_t elements = shape.elements();
  std::string data(elements * info.bytes, '\0');
  Uniform uniform(content);
  if (content.kind == Content::Kind::constant && content.first == 0) return data;
  for (std::uint64_t i = 0; i < elements; ++i) {
    long double value = content.first;
    if (content.kind == Content::Kind::arange)
      value += content.second * static_cast<long double>(i);
    if (content.kind == Content::Kind::random) value = uniform.next(info.real);
    write_element(type, data.data() + i * info.bytes, value);
  }
  return data;
}

Difference compare_content(const KernelBuffer& buffer, const std::string& data,
                           const std::string& expected) {
  Difference found;
  found.elements = buffer.shape.elements();
  const std::uint32_t bytes = info_of(buffer.type).bytes;
  for (std::uint64_t i = 0; i < found.elements; ++i) {
    const long double a = read_element(buffer.type, data.data() + i * bytes);
    const long double b = read_element(buffer.type, expected.data() + i * bytes);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const long double error = std::fabs(a - b);
    found.largest = std::isnan(error) ? found.largest : std::max(found.largest, error);
    if (std::isfinite(b) && error <= buffer.expected->atol + buffer.expected->rtol * std::fabs(b))
      continue;
    if (found.different++ == 0) found.first = i;
  }
  return found;
}

std::string describe_difference(const KernelBuffer& buffer, const Difference& difference,
                                const std::string& data, const std::string& expected) {
  const ExpectedContent& wanted = *buffer.expected;
  const std::string from = wanted.content.kind == Content::Kind::file
                               ? std::filesystem::path(wanted.content.file).filename().string()
                               : "the expected ones";
  const std::string within =
      wanted.rtol == 0 && wanted.atol == 0
          ? ""
          : fmt::format(" within rtol {} and atol {}", wanted.rtol, wanted.atol);
  if (difference.different == 0)
    return fmt::format("{}: {} elements equal {}{}, the largest difference is {:.3g}", buffer.name,
                       count_text(difference.elements), from, within, difference.largest);
  return fmt::format("{}: {} of {} elements do not equal {}{}; the first is {}: {}, expected {}",
                     buffer.name, count_text(difference.different), count_text(difference.elements),
                     from, within, buffer.shape.place(difference.first),
                     number_text(buffer.type, data, difference.first),
                     number_text(buffer.type, expected, difference.first));
}

}  // namespace heddle::cuda
