// Words of machine code with their text, and instructions of every form.
#pragma once

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sass/decode.h"
#include "sass/encoding/form.h"
#include "sass/ptx_fields.h"
#include "sass/timing_fields.h"

namespace heddle::sass {

struct Vector {
  int architecture = 0;
  std::uint64_t address = 0;
  InstructionWord word;
  std::string text;
};

inline std::vector<Vector> vectors() {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/sass/vectors.csv");
  std::vector<Vector> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Vector vector;
    std::string architectures, bits;
    fields >> architectures >> std::hex >> vector.address >> bits;
    vector.word = {std::stoull(bits.substr(16), nullptr, 16),
                   std::stoull(bits.substr(0, 16), nullptr, 16)};
    std::getline(fields >> std::ws, vector.text);
    std::istringstream each(architectures);
    for (std::string architecture; std::getline(each, architecture, ',');) {
      vector.architecture = std::stoi(architecture);
      all.push_back(vector);
    }
  }
  return all;
}

// By opcode: the instructions of the vectors, and of the first one of each form
// those that differ in one, two or three bits of its modifiers and signs.
inline std::map<std::string, std::vector<Instruction>> instructions_by_opcode() {
  constexpr int kFirstBit = 59, kControl = 105, kSeveral = 60;
  std::map<std::string, std::vector<Instruction>> all;
  std::set<const EncodingForm*> seen;
  const auto add = [&](const InstructionWord& word, const Vector& vector) {
    const auto decoded = decode(word, vector.architecture, vector.address);
    const auto* instruction = std::get_if<Instruction>(&decoded);
    if (instruction) {
      const std::string name(instruction->form->name);
      all[name.substr(0, name.find('.'))].push_back(*instruction);
    }
    return instruction ? instruction->form : nullptr;
  };
  for (const Vector& vector : vectors()) {
    const EncodingForm* form = add(vector.word, vector);
    if (form == nullptr || !seen.insert(form).second) continue;
    std::mt19937_64 random(vector.word.low);
    const auto flip = [](InstructionWord& word, int bit) {
      (bit < 64 ? word.low : word.high) ^= std::uint64_t{1} << (bit % 64);
    };
    for (int bit = kFirstBit; bit < kControl; ++bit) {
      InstructionWord other = vector.word;
      flip(other, bit);
      add(other, vector);
    }
    for (int n = 0; n < kSeveral; ++n) {
      InstructionWord other = vector.word;
      for (int bits = 2 + n % 2; bits > 0; --bits)
        flip(other, kFirstBit + static_cast<int>(random() % (kControl - kFirstBit)));
      add(other, vector);
    }
  }
  return all;
}

// With the fields that execution and timing read.
inline KernelInstruction with_fields(const Instruction& code, RegisterNumbering& numbers) {
  KernelInstruction i;
  i.code = code;
  count_registers(i.code, numbers);
  set_ptx_fields(i);
  set_timing_fields(i, numbers);
  return i;
}

}  // namespace heddle::sass
