// Texture and surface objects and references.
#include <algorithm>

#include "cuda/objects/handles.h"
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

using heddle::exec::AddressMode;
using heddle::exec::HandleKind;
using heddle::exec::Sampling;
using heddle::exec::Texture;
using heddle::exec::TextureImage;

AddressMode address_mode(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap: return AddressMode::wrap;
    case cudaAddressModeMirror: return AddressMode::mirror;
    case cudaAddressModeBorder: return AddressMode::border;
    default: return AddressMode::clamp;
  }
}

Sampling sampling(const cudaTextureDesc& d) {
  Sampling s;
  for (std::size_t i = 0; i < 3; ++i) s.address[i] = address_mode(d.addressMode[i]);
  s.linear_filter = d.filterMode == cudaFilterModeLinear;
  s.normalized_coordinates = d.normalizedCoords;
  s.normalized_read = d.readMode == cudaReadModeNormalizedFloat;
  s.srgb = d.sRGB;
  for (std::size_t i = 0; i < 4; ++i) s.border[i] = d.borderColor[i];
  s.blends_levels = d.mipmapFilterMode == cudaFilterModeLinear;
  s.level_bias = d.mipmapLevelBias;
  s.least_level = d.minMipmapLevelClamp;
  s.most_level = d.maxMipmapLevelClamp;
  return s;
}

heddle::Address place_on_device(Session& session, const void* pointer) {
  return session.device().memory().allocations().on_device(device_address(pointer));
}

bool on_device(Session& session, const void* pointer, std::size_t bytes) {
  return bytes > 0 && session.device().memory().valid(place_on_device(session, pointer), bytes);
}

cudaError_t linear_image(Session& session, const void* pointer,
                         const cudaChannelFormatDesc& description, std::size_t bytes,
                         TextureImage& image) {
  if (!texel_format(description, image.format)) return cudaErrorInvalidChannelDescriptor;
  if (!on_device(session, pointer, std::min<std::size_t>(bytes, 1))) return cudaErrorInvalidValue;
  image.linear = true;
  image.base = place_on_device(session, pointer);
  // As on a GPU, a texture may be longer than its allocation. The texels behind it are zero.
  if (!on_device(session, pointer, bytes)) {
    const auto* const inside = session.device().memory().find(image.base);
    bytes = inside->base.value + inside->bytes - image.base.value;
  }
  image.width = bytes / image.format.bytes();
  image.pitch_bytes = image.slice_bytes = image.layer_bytes = bytes;
  return cudaSuccess;
}

cudaError_t pitched_image(Session& session, const void* pointer,
                          const cudaChannelFormatDesc& description, std::size_t width,
                          std::size_t height, std::size_t pitch, TextureImage& image) {
  if (!texel_format(description, image.format)) return cudaErrorInvalidChannelDescriptor;
  const std::size_t row = width * image.format.bytes();
  if (height == 0 || pitch < row) return cudaErrorInvalidValue;
  if (!on_device(session, pointer, (height - 1) * pitch + row)) return cudaErrorInvalidValue;
  image.dimensions = 2;
  image.base = place_on_device(session, pointer);
  image.width = width;
  image.height = height;
  image.pitch_bytes = pitch;
  image.slice_bytes = image.layer_bytes = pitch * height;
  return cudaSuccess;
}

cudaError_t levels_of(Session& session, cudaMipmappedArray_const_t handle, Texture& texture) {
  const MipmappedArray* const found = session.memory.arrays.find(handle);
  if (!found) return cudaErrorInvalidResourceHandle;
  for (const cudaArray_t level : found->levels)
    texture.smaller.push_back(session.memory.arrays.find(level)->image);
  texture.image = texture.smaller.front();
  texture.smaller.erase(texture.smaller.begin());
  return cudaSuccess;
}

cudaError_t image_of(Session& session, const cudaResourceDesc& resource, Texture& texture) {
  TextureImage& image = texture.image;
  const auto& linear = resource.res.linear;
  const auto& pitched = resource.res.pitch2D;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const Array* const array = session.memory.arrays.find(resource.res.array.array);
      if (!array) return cudaErrorInvalidResourceHandle;
      image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      return linear_image(session, linear.devPtr, linear.desc, linear.sizeInBytes, image);
    case cudaResourceTypePitch2D:
      return pitched_image(session, pitched.devPtr, pitched.desc, pitched.width, pitched.height,
                           pitched.pitchInBytes, image);
    case cudaResourceTypeMipmappedArray:
      return levels_of(session, resource.res.mipmap.mipmap, texture);
    default: return cudaErrorInvalidValue;
  }
}

// CUDA's rules: linear filtering needs floats, and only 8 and 16 bit integers can be normalized.
cudaError_t check_sampling(const Texture& texture) {
  const bool integers = texture.image.format.kind != heddle::exec::ChannelKind::floating;
  if (texture.sampling.normalized_read && (!integers || texture.image.format.bits == 32))
    return cudaErrorInvalidNormSetting;
  const bool blends = texture.sampling.linear_filter ||
                      (texture.sampling.blends_levels && !texture.smaller.empty());
  if (blends && integers && !texture.sampling.normalized_read) return cudaErrorInvalidFilterSetting;
  return cudaSuccess;
}

cudaTextureDesc description_of(const textureReference& reference, bool normalized_read) {
  cudaTextureDesc d{};
  for (int i = 0; i < 3; ++i) d.addressMode[i] = reference.addressMode[i];
  d.filterMode = reference.filterMode;
  d.readMode = normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  d.sRGB = reference.sRGB;
  d.normalizedCoords = reference.normalized;
  d.mipmapFilterMode = reference.mipmapFilterMode;
  d.mipmapLevelBias = reference.mipmapLevelBias;
  d.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return d;
}

// Binds an image to a reference. Does nothing for a reference that no kernel uses.
cudaError_t bind(Session& session, const textureReference* reference, Texture texture) {
  if (!reference) return cudaErrorInvalidTexture;
  const auto handle = session.program().texture(reference);
  if (!handle)
    return session.registry.textures.contains(reference) ? cudaSuccess : cudaErrorInvalidTexture;
  const bool normalized = session.registry.textures.at(reference).bytes != 0;
  texture.kind = HandleKind::texture;
  texture.bound = true;
  texture.sampling = sampling(description_of(*reference, normalized));
  if (const cudaError_t error = check_sampling(texture); error != cudaSuccess) return error;
  *session.memory.textures.table.find(*handle) = texture;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  return api([&](Session& session) {
    if (!object || !resource || !description) return cudaErrorInvalidValue;
    if (view && view->format != cudaResViewFormatNone) {
      explain("cudaCreateTextureObject", "resource views are not supported");
      return cudaErrorNotSupported;
    }
    Texture texture{HandleKind::texture, true, {}, sampling(*description), {}};
    if (resource->resType == cudaResourceTypeMipmappedArray && description->maxAnisotropy > 1) {
      explain("cudaCreateTextureObject", "anisotropic filtering is not supported");
      return cudaErrorNotSupported;
    }
    if (const cudaError_t error = image_of(session, *resource, texture); error != cudaSuccess)
      return error;
    if (const cudaError_t error = check_sampling(texture); error != cudaSuccess) return error;
    *object = session.memory.textures.create_texture(texture, *resource, *description);
    return cudaSuccess;
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_when_idle([&](Session& session) {
    if (object == 0) return cudaSuccess;
    return session.memory.textures.destroy_texture(object) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api([&](Session& session) {
    const cudaResourceDesc* const found = session.memory.textures.resource_of_texture(object);
    if (!resource || !found) return cudaErrorInvalidValue;
    *resource = *found;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t object) {
  return api([&](Session& session) {
    const cudaTextureDesc* const found = session.memory.textures.description_of_texture(object);
    if (!description || !found) return cudaErrorInvalidValue;
    *description = *found;
    return cudaSuccess;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api([&](Session& session) {
    if (!object || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    Texture surface{HandleKind::surface, true, {}, {}, {}};
    if (const cudaError_t error = image_of(session, *resource, surface); error != cudaSuccess)
      return error;
    *object = session.memory.textures.create_surface(surface, *resource);
    return cudaSuccess;
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api_when_idle([&](Session& session) {
    if (object == 0) return cudaSuccess;
    return session.memory.textures.destroy_surface(object) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return api([&](Session& session) {
    const cudaResourceDesc* const found = session.memory.textures.resource_of_surface(object);
    if (!resource || !found) return cudaErrorInvalidValue;
    *resource = *found;
    return cudaSuccess;
  });
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* description, size_t size) {
  return api([&](Session& session) {
    if (!description) return cudaErrorInvalidValue;
    if (offset) *offset = 0;
    // Without a size the texture extends to the end of the allocation.
    const heddle::Address place = place_on_device(session, pointer);
    const auto* const allocation = session.device().memory().find(place);
    if (!allocation) return cudaErrorInvalidValue;
    const std::size_t rest = allocation->bytes - (place - allocation->base);
    TextureImage image;
    const cudaError_t error =
        linear_image(session, pointer, *description, std::min(size, rest), image);
    return error == cudaSuccess
               ? bind(session, reference, {HandleKind::texture, true, image, {}, {}})
               : error;
  });
}
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* description,
                              size_t width, size_t height, size_t pitch) {
  return api([&](Session& session) {
    if (!description) return cudaErrorInvalidValue;
    if (offset) *offset = 0;
    TextureImage image;
    const cudaError_t error =
        pitched_image(session, pointer, *description, width, height, pitch, image);
    return error == cudaSuccess
               ? bind(session, reference, {HandleKind::texture, true, image, {}, {}})
               : error;
  });
}
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t handle,
                                   const cudaChannelFormatDesc*) {
  return api([&](Session& session) {
    const Array* const array = session.memory.arrays.find(handle);
    return array ? bind(session, reference, {HandleKind::texture, true, array->image, {}, {}})
                 : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t handle,
                                            const cudaChannelFormatDesc*) {
  return api([&](Session& session) {
    Texture texture;
    const cudaError_t error = levels_of(session, handle, texture);
    return error == cudaSuccess ? bind(session, reference, std::move(texture)) : error;
  });
}
cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return api([&](Session& session) {
    if (!reference) return cudaErrorInvalidTexture;
    if (const auto handle = session.program().texture(reference))
      *session.memory.textures.table.find(*handle) = {};
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  if (offset) *offset = 0;
  return answer(offset && reference ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return api([&](Session& session) {
    if (!reference) return cudaErrorInvalidValue;
    for (const auto& [host, known] : session.registry.textures) {
      if (host != symbol && (!symbol || known.name != static_cast<const char*>(symbol))) continue;
      *reference = static_cast<const textureReference*>(host);
      return cudaSuccess;
    }
    return cudaErrorInvalidTexture;
  });
}
cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t handle,
                                   const cudaChannelFormatDesc*) {
  return api([&](Session& session) {
    const Array* const array = session.memory.arrays.find(handle);
    if (!reference) return cudaErrorInvalidSurface;
    if (!array) return cudaErrorInvalidResourceHandle;
    const auto surface = session.program().texture(reference);
    if (!surface)
      return session.registry.textures.contains(reference) ? cudaSuccess : cudaErrorInvalidSurface;
    *session.memory.textures.table.find(*surface) = {
        HandleKind::surface, true, array->image, {}, {}};
    return cudaSuccess;
  });
}
