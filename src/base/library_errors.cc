#include "base/library_errors.h"

#include <filesystem>
#include <new>
#include <stdexcept>

#include "base/diagnostics.h"

namespace heddle {
namespace {

thread_local std::string left_input;  // that the exception on its way has left

std::string reason_of(const std::filesystem::filesystem_error& error) {
  const std::string reason = error.code().message();
  if (error.path1().empty()) return error.what();
  if (error.path2().empty()) return error.path1().string() + ": " + reason;
  return error.path1().string() + " and " + error.path2().string() + ": " + reason;
}

std::string reason_of(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return reason_of(*file);
  if (dynamic_cast<const std::bad_alloc*>(&error)) return "there is not enough memory";
  const std::string text = error.what();
  if (dynamic_cast<const std::logic_error*>(&error))
    return "a number or a text in the input is out of range (" + text + ")";
  // "[json.exception.type_error.302] (/kernels) type must be array, but is object"
  const auto end = text.find("] ");
  return text.starts_with("[json.exception.") && end != std::string::npos ? text.substr(end + 2)
                                                                          : text;
}

}  // namespace

InputScope::InputScope(std::string name) : name_(std::move(name)) { left_input.clear(); }

InputScope::~InputScope() {
  if (std::uncaught_exceptions() > exceptions_ && left_input.empty()) left_input = std::move(name_);
}

std::string describe_error(const std::exception& error) {
  if (dynamic_cast<const UserError*>(&error)) return error.what();
  std::string place;
  place.swap(left_input);
  return (place.empty() ? place : place + ": ") + reason_of(error);
}

}  // namespace heddle
