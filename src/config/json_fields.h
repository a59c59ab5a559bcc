// Structs as JSON objects. A struct lists its fields once, with their names:
//
//   template <class Self, class Archive>
//   static void fields(Self& self, Archive& archive) {
//     archive("seed", self.seed)("watch", self.watch);
//     archive.newer("once", self.once);
//   }
//
// Json(value) and json.get<T>() follow from it, also for lists and for structs in structs.
#pragma once

#include <nlohmann/json.hpp>

namespace heddle::config {

template <class T, class Archive>
concept HasFields = requires(T& value, Archive& archive) { T::fields(value, archive); };

template <class Json>
struct JsonWriter {
  Json& object;
  template <class Value>
  JsonWriter& operator()(const char* name, const Value& value) {
    object[name] = value;
    return *this;
  }
  template <class Value>
  JsonWriter& newer(const char* name, const Value& value) {
    return (*this)(name, value);
  }
};

template <class Json>
struct JsonReader {
  const Json& object;
  // Throws Json::exception when the field is missing or of another type.
  template <class Value>
  JsonReader& operator()(const char* name, Value& value) {
    object.at(name).get_to(value);
    return *this;
  }
  // Older files lack the field: it keeps its default.
  template <class Value>
  JsonReader& newer(const char* name, Value& value) {
    return object.contains(name) ? (*this)(name, value) : *this;
  }
};

}  // namespace heddle::config

namespace nlohmann {

template <class T>
  requires heddle::config::HasFields<T, heddle::config::JsonReader<json>>
struct adl_serializer<T> {
  template <class Json>
  static void to_json(Json& json, const T& value) {
    json = Json::object();
    heddle::config::JsonWriter<Json> archive{json};
    T::fields(value, archive);
  }
  template <class Json>
  static void from_json(const Json& json, T& value) {
    heddle::config::JsonReader<Json> archive{json};
    T::fields(value, archive);
  }
};

}  // namespace nlohmann
