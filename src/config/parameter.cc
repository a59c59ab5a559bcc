#include "config/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

namespace heddle::config {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

template <class T>
std::optional<T> read_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "32KiB" -> 32768. KB, MB and GB are powers of 1024, too.
std::optional<std::uint64_t> read_size(std::string_view text) {
  const auto letter = text.find_first_not_of("0123456789");
  const auto number = read_whole<std::uint64_t>(text.substr(0, letter));
  if (!number || letter == std::string_view::npos) return number;
  const std::string_view suffix = trim(text.substr(letter));
  int shift = -1;
  if (suffix == "B") shift = 0;
  if (suffix == "KiB" || suffix == "KB" || suffix == "K") shift = 10;
  if (suffix == "MiB" || suffix == "MB" || suffix == "M") shift = 20;
  if (suffix == "GiB" || suffix == "GB" || suffix == "G") shift = 30;
  if (shift < 0 || *number >> (63 - shift) != 0) return std::nullopt;
  return *number << shift;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::pair<int, const char*>, 3> kSuffixes{
      {{30, "GiB"}, {20, "MiB"}, {10, "KiB"}}};
  for (const auto& [shift, suffix] : kSuffixes)
    if (bytes && bytes % (std::uint64_t{1} << shift) == 0)
      return fmt::format("{}{}", bytes >> shift, suffix);
  return fmt::format("{}", bytes);
}

struct Writer {
  const GpuParameter& parameter;
  bool quoted;  // for TOML

  std::string quote(const std::string& text) const {
    return quoted ? fmt::format("\"{}\"", text) : text;
  }
  std::string number(std::uint64_t value) const {
    const bool suffixed = parameter.unit == "bytes" && value >= 1024 && value % 1024 == 0;
    return suffixed ? quote(size_text(value)) : fmt::format("{}", value);
  }
  std::string operator()(const std::uint32_t* value) const { return number(*value); }
  std::string operator()(const std::uint64_t* value) const { return number(*value); }
  std::string operator()(const double* value) const { return fmt::format("{}", *value); }
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const std::string* value) const { return quote(*value); }
  std::string operator()(const ChoiceSlot& slot) const {
    return quote(std::string(slot.names[*slot.value]));
  }
  std::string list(const std::uint32_t* first, std::size_t count) const {
    std::string items;
    for (std::size_t i = 0; i < count; ++i)
      items += (i == 0 ? "" : quoted ? ", " : ",") + number(first[i]);
    return quoted ? "[" + items + "]" : items;
  }
  std::string operator()(const ListSlot& slot) const { return list(slot.first, slot.count); }
  std::string operator()(const OpenListSlot& slot) const {
    return list(slot->data(), slot->size());
  }
};

struct Assigner {
  const GpuParameter& parameter;
  std::string_view text;

  std::string refusal() const {
    return fmt::format("'{}' is not allowed for {}: {}", text, parameter.key, parameter.range());
  }

  bool allowed(double value) const {
    return value >= parameter.limits.low && value <= parameter.limits.high;
  }
  std::optional<std::uint64_t> number(std::string_view item) const {
    const auto value =
        parameter.unit == "bytes" ? read_size(item) : read_whole<std::uint64_t>(item);
    if (!value || !allowed(static_cast<double>(*value))) return std::nullopt;
    if (parameter.limits.power_of_two && !std::has_single_bit(*value)) return std::nullopt;
    return value;
  }
  template <class Integer>
  std::string integer(Integer* slot) const {
    const auto value = number(text);
    if (!value) return refusal();
    *slot = static_cast<Integer>(*value);
    return {};
  }

  std::string operator()(std::uint32_t* slot) const { return integer(slot); }
  std::string operator()(std::uint64_t* slot) const { return integer(slot); }
  std::string operator()(double* slot) const {
    const auto value = read_whole<double>(text);
    if (!value || !std::isfinite(*value) || !allowed(*value)) return refusal();
    *slot = *value;
    return {};
  }
  std::string operator()(bool* slot) const {
    const bool yes = text == "true" || text == "yes" || text == "on" || text == "1";
    const bool no = text == "false" || text == "no" || text == "off" || text == "0";
    if (!yes && !no) return refusal();
    *slot = yes;
    return {};
  }
  std::string operator()(std::string* slot) const {
    if (text.empty() || text.find_first_of("\"\\\n") != std::string_view::npos) return refusal();
    *slot = std::string(text);
    return {};
  }
  std::string operator()(const ChoiceSlot& slot) const {
    for (std::size_t i = 0; i < slot.names.size(); ++i) {
      if (slot.names[i] != text) continue;
      *slot.value = static_cast<std::uint8_t>(i);
      return {};
    }
    return refusal();
  }
  std::optional<std::vector<std::uint32_t>> items() const {
    std::string_view rest = text;
    if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
    std::vector<std::uint32_t> values;
    while (true) {
      const auto comma = rest.find(',');
      const auto value = number(trim(rest.substr(0, comma)));
      if (!value) return std::nullopt;
      values.push_back(static_cast<std::uint32_t>(*value));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    return values;
  }
  std::string operator()(const ListSlot& slot) const {
    const auto values = items();
    if (!values || values->size() != slot.count) return refusal();
    std::copy(values->begin(), values->end(), slot.first);
    return {};
  }
  std::string operator()(const OpenListSlot& slot) const {
    const auto values = items();
    if (!values || !std::is_sorted(values->begin(), values->end())) return refusal();
    *slot = *values;
    return {};
  }
};

}  // namespace

std::string GpuParameter::range() const {
  const auto bound = [&](double value) {
    return unit == "bytes" ? size_text(static_cast<std::uint64_t>(value))
                           : fmt::format("{}", value);
  };
  const std::string span = fmt::format("{} to {}", bound(limits.low), bound(limits.high));
  if (const auto* choice = std::get_if<ChoiceSlot>(&slot))
    return fmt::format("one of {}", fmt::join(choice->names.begin(), choice->names.end(), ", "));
  if (const auto* list = std::get_if<ListSlot>(&slot))
    return fmt::format("{} whole numbers, {}", list->count, span);
  if (std::holds_alternative<OpenListSlot>(slot)) return fmt::format("ascending numbers, {}", span);
  if (std::holds_alternative<bool*>(slot)) return "true or false";
  if (std::holds_alternative<std::string*>(slot)) return "text";
  if (std::holds_alternative<double*>(slot)) return fmt::format("a number, {}", span);
  return limits.power_of_two ? fmt::format("a power of two, {}", span)
                             : fmt::format("a whole number, {}", span);
}

std::string GpuParameter::toml() const { return std::visit(Writer{*this, true}, slot); }
std::string GpuParameter::text() const { return std::visit(Writer{*this, false}, slot); }
std::string GpuParameter::assign(std::string_view given) const {
  return std::visit(Assigner{*this, trim(given)}, slot);
}

}  // namespace heddle::config
