#include "cuda/objects/textures.h"

namespace heddle::cuda {
namespace {

template <class Value>
const Value* find(const std::map<std::uint64_t, Value>& values, std::uint64_t object) {
  const auto found = values.find(object);
  return found == values.end() ? nullptr : &found->second;
}

}  // namespace

std::uint64_t Textures::create_texture(const exec::Texture& texture,
                                       const cudaResourceDesc& resource,
                                       const cudaTextureDesc& description) {
  const std::uint64_t object = table.add(texture);
  texture_resources_[object] = resource;
  descriptions_[object] = description;
  return object;
}

std::uint64_t Textures::create_surface(const exec::Texture& surface,
                                       const cudaResourceDesc& resource) {
  const std::uint64_t object = table.add(surface);
  surface_resources_[object] = resource;
  return object;
}

bool Textures::destroy_texture(std::uint64_t object) {
  if (texture_resources_.erase(object) == 0) return false;
  descriptions_.erase(object);
  *table.find(object) = {};
  return true;
}

bool Textures::destroy_surface(std::uint64_t object) {
  if (surface_resources_.erase(object) == 0) return false;
  *table.find(object) = {};
  return true;
}

const cudaResourceDesc* Textures::resource_of_texture(std::uint64_t object) const {
  return find(texture_resources_, object);
}
const cudaTextureDesc* Textures::description_of_texture(std::uint64_t object) const {
  return find(descriptions_, object);
}
const cudaResourceDesc* Textures::resource_of_surface(std::uint64_t object) const {
  return find(surface_resources_, object);
}

}  // namespace heddle::cuda
