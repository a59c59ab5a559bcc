#include "cuda/objects/error_names.h"

#include <algorithm>
#include <array>

namespace heddle::cuda {
namespace {

constexpr const char* kUnknown = "unrecognized error code";

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;  // as CUDA words it where programs can read it
};

constexpr std::array kErrors{
#define HEDDLE_ERROR(name, text) ErrorText{name, #name, text},
#include "cuda/objects/errors.inc"
#undef HEDDLE_ERROR
};

const ErrorText* find(cudaError_t code) {
  const auto found = std::find_if(kErrors.begin(), kErrors.end(),
                                  [&](const ErrorText& e) { return e.code == code; });
  return found == kErrors.end() ? nullptr : &*found;
}

}  // namespace

const char* error_name(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->name : kUnknown;
}

const char* error_text(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->text : kUnknown;
}

}  // namespace heddle::cuda
