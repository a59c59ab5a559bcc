// Texture and surface objects: the table that kernels read, and what each object was created from.
#pragma once

#include <cstdint>
#include <map>

#include "exec/state/texture.h"
#include "texture_types.h"

namespace heddle::cuda {

class Textures {
 public:
  std::uint64_t create_texture(const exec::Texture& texture, const cudaResourceDesc& resource,
                               const cudaTextureDesc& description);
  std::uint64_t create_surface(const exec::Texture& surface, const cudaResourceDesc& resource);
  bool destroy_texture(std::uint64_t object);  // false: no such object
  bool destroy_surface(std::uint64_t object);
  // What the object was created from. Null when there is no such object.
  const cudaResourceDesc* resource_of_texture(std::uint64_t object) const;
  const cudaTextureDesc* description_of_texture(std::uint64_t object) const;
  const cudaResourceDesc* resource_of_surface(std::uint64_t object) const;

  exec::TextureTable table;  // objects and references, by handle

 private:
  std::map<std::uint64_t, cudaResourceDesc> texture_resources_, surface_resources_;
  std::map<std::uint64_t, cudaTextureDesc> descriptions_;
};

}  // namespace heddle::cuda
