// Readers of option values. Each throws a UserError that names the value it cannot read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda/compile/compile.h"

namespace heddle::cuda {

// "sm_80", "compute_80", "lto_80", "sm_90a", "native", "all": 80, 80, 80, 90 and twice the default.
int parse_architecture(std::string_view text);

// "sm_70" of -arch.
void select_architecture(CompileOptions& options, std::string_view text);

// "arch=compute_70,code=[sm_70,compute_70]" of -gencode.
void generate_code(CompileOptions& options, const std::string& text);
// "sm_70" of an option that may be repeated for several architectures.
void generate_architecture(CompileOptions& options, const std::string& text);

// The parts of a list that are separated by commas outside of double quotes.
std::vector<std::string> split_list(const std::string& text);
// Flags that commas or blanks separate, each perhaps in double quotes, as in -Xcompiler=-g,-O2.
std::vector<std::string> split_flags(const std::string& text);
// The words of an options file: blanks and line ends separate them, "#" begins a comment.
std::vector<std::string> split_words(const std::string& text);

// The headers need C++11, which accepts C++98 programs.
std::string parse_standard(const std::string& text);
std::string parse_language(const std::string& text);
int parse_optimization(const std::string& text);
int parse_registers(const std::string& text);
int parse_number(const std::string& text);
bool parse_truth(const std::string& text);

// The value of -Xptxas: -maxrregcount, -dlcm and -dscm have an effect.
void assembler_options(CompileOptions& options, const std::string& text);
void default_stream(CompileOptions& options, const std::string& text);

}  // namespace heddle::cuda
