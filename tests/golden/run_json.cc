// Reads results for the golden tests.
//   run_json get FILE totals.thread_instructions     prints the value
//   run_json same FILE FILE                          exit 0 when both hold the same, all but "host"
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

Json read(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return Json::parse(file);
}

int get(const Json& run, std::string path) {
  for (char& c : path) if (c == '.') c = '/';
  std::cout << run.at(Json::json_pointer("/" + path)) << "\n";
  return 0;
}

int same(Json a, Json b) {
  a.erase("host");
  b.erase("host");
  const Json difference = Json::diff(a, b);
  if (difference.empty()) return 0;
  std::cerr << "the runs differ in " << difference.size() << " places, first: " << difference.front().dump() << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string verb = argc == 4 ? argv[1] : "";
    if (verb == "get") return get(read(argv[2]), argv[3]);
    if (verb == "same") return same(read(argv[2]), read(argv[3]));
    std::cerr << "usage: run_json get FILE PATH | run_json same FILE FILE\n";
  } catch (const std::exception& error) {
    std::cerr << "run_json: " << error.what() << "\n";
  }
  return 2;
}
