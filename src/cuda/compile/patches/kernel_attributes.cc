#include "cuda/compile/patches/kernel_attributes.h"

#include <sstream>
#include <vector>

#include "base/diagnostics.h"
#include "cuda/compile/patches/llvm_text.h"

namespace heddle::cuda {
namespace {

constexpr int kFirstWithClusters = 90;
constexpr std::string_view kEntry = "{ ptr, ptr, ptr, i32, ptr } {";

// The text between the first `begin` after `from` and the next `end`.
std::string_view between(std::string_view text, std::size_t from, std::string_view begin,
                         std::string_view end) {
  const std::size_t first = text.find(begin, from);
  if (first == std::string_view::npos) return {};
  const std::size_t start = first + begin.size(), last = text.find(end, start);
  return last == std::string_view::npos ? std::string_view() : text.substr(start, last - start);
}

// One element of @llvm.global.annotations.
struct Annotation {
  std::string_view kernel, text, file, line;
  std::string values;  // "2, 1, 1"
};

// The bytes of "@.str1 = ... constant [6 x i8] c"an.cu\00", ...".
std::string_view string_named(std::string_view ir, std::string_view name) {
  const std::size_t at = ir.find("\n" + std::string(name) + " = ");
  return at == std::string_view::npos ? std::string_view() : between(ir, at, " c\"", "\\00\"");
}

// The numbers of "@.args = ... constant { i32, i32 } { i32 2, i32 1 }, ...".
std::string numbers_named(std::string_view ir, std::string_view name) {
  const std::size_t at = ir.find("\n" + std::string(name) + " = ");
  if (at == std::string_view::npos) return {};
  std::istringstream words(std::string(between(ir, at, "} {", "}")));
  std::string numbers, type, number;
  while (words >> type >> number) {
    if (number.back() == ',') number.pop_back();
    numbers += (numbers.empty() ? "" : ", ") + number;
  }
  return numbers;
}

std::vector<Annotation> annotations_of(std::string_view ir) {
  std::vector<Annotation> all;
  const std::size_t list = ir.find("\n@llvm.global.annotations = ");
  if (list == std::string_view::npos) return all;
  const std::string_view line = ir.substr(list + 1, ir.find('\n', list + 1) - list - 1);
  for (std::size_t at = line.find(kEntry); at != std::string_view::npos;
       at = line.find(kEntry, at + 1)) {
    const std::size_t first = at + kEntry.size();
    std::istringstream words(std::string(line.substr(first, line.find('}', first) - first)));
    std::string type, kernel, text, file, number, values;
    words >> type >> kernel >> type >> text >> type >> file >> type >> number >> type >> values;
    if (!kernel.starts_with('@')) continue;  // of a variable
    for (std::string* word : {&kernel, &text, &file, &number}) {
      if (!word->ends_with(','))
        refuse_llvm_text(ir, line.substr(at), "an annotation lacks a part");
      word->pop_back();
    }
    Annotation& annotation = all.emplace_back();
    const auto part = [&](const std::string& word, std::size_t skipped) {
      return line.substr(line.find(word, first) + skipped, word.size() - skipped);
    };
    annotation.kernel = part(kernel, 1);
    annotation.text = string_named(ir, text);
    annotation.file = string_named(ir, file);
    annotation.line = part("i32 " + number, 4);
    annotation.values = numbers_named(ir, values);
    if (annotation.text.starts_with("heddle_") && annotation.values.empty())
      refuse_llvm_text(ir, line.substr(at), "an annotation of Heddle's has no numbers");
  }
  return all;
}

std::size_t entry_of(std::string_view ptx, std::string_view kernel) {
  return ptx.find(".entry " + std::string(kernel) + "(");
}

}  // namespace

void add_directive(std::string& ptx, std::size_t entry, const std::string& directive) {
  if (const std::size_t body = ptx.find('{', entry); body != std::string::npos)
    ptx.insert(body, directive + "\n");
}

std::string with_kernel_attributes(std::string ptx, std::string_view ir, int architecture) {
  for (const Annotation& annotation : annotations_of(ir)) {
    const std::size_t entry = entry_of(ptx, annotation.kernel);
    if (entry == std::string::npos) continue;
    if (annotation.text == "heddle_maxnreg")
      add_directive(ptx, entry, ".maxnreg " + annotation.values);
    if (annotation.text != "heddle_cluster_dims") continue;
    if (architecture < kFirstWithClusters)
      throw UserError(std::string(annotation.file) + ":" + std::string(annotation.line) +
                      ": __cluster_dims__ needs -arch=sm_90 or a later architecture");
    add_directive(ptx, entry, ".explicitcluster\n.reqnctapercluster " + annotation.values);
  }
  return ptx;
}

}  // namespace heddle::cuda
