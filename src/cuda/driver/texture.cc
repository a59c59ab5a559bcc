// Arrays, texture and surface objects, and texture references of the driver API.
#include "cuda/driver/driver.h"

using namespace heddle::cuda;

namespace {

// Translates the driver's format of texels.
cudaChannelFormatDesc channels(CUarray_format format, unsigned count) {
  cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
  int bits = 8;
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: break;
    case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16; break;
    case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32; break;
    case CU_AD_FORMAT_SIGNED_INT8: kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT16: kind = cudaChannelFormatKindSigned, bits = 16; break;
    case CU_AD_FORMAT_SIGNED_INT32: kind = cudaChannelFormatKindSigned, bits = 32; break;
    case CU_AD_FORMAT_HALF: kind = cudaChannelFormatKindFloat, bits = 16; break;
    case CU_AD_FORMAT_FLOAT: kind = cudaChannelFormatKindFloat, bits = 32; break;
    default: return {0, 0, 0, 0, cudaChannelFormatKindNone};
  }
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

CUarray_format format_of(const cudaChannelFormatDesc& d) {
  if (d.f == cudaChannelFormatKindFloat) return d.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  if (d.f == cudaChannelFormatKindSigned)
    return d.x == 8    ? CU_AD_FORMAT_SIGNED_INT8
           : d.x == 16 ? CU_AD_FORMAT_SIGNED_INT16
                       : CU_AD_FORMAT_SIGNED_INT32;
  return d.x == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
         : d.x == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                     : CU_AD_FORMAT_UNSIGNED_INT32;
}

cudaResourceDesc resource_of(const CUDA_RESOURCE_DESC& d) {
  cudaResourceDesc r{};
  r.resType = static_cast<cudaResourceType>(d.resType);
  if (d.resType == CU_RESOURCE_TYPE_ARRAY)
    r.res.array.array = reinterpret_cast<cudaArray_t>(d.res.array.hArray);
  if (d.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    r.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(d.res.mipmap.hMipmappedArray);
  if (d.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& l = d.res.linear;
    r.res.linear = {pointer(l.devPtr), channels(l.format, l.numChannels), l.sizeInBytes};
  }
  if (d.resType == CU_RESOURCE_TYPE_PITCH2D) {
    const auto& p = d.res.pitch2D;
    r.res.pitch2D = {pointer(p.devPtr), channels(p.format, p.numChannels), p.width, p.height,
                     p.pitchInBytes};
  }
  return r;
}

// Integers of up to 16 bits are read as normalized fractions, unless a flag is set.
cudaTextureReadMode read_mode(const cudaChannelFormatDesc& d, unsigned flags) {
  const bool small = d.f != cudaChannelFormatKindFloat && d.x < 32;
  return small && !(flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                     : cudaReadModeElementType;
}

cudaError_t channels_of(const cudaResourceDesc& r, cudaChannelFormatDesc& d) {
  if (r.resType == cudaResourceTypeLinear) d = r.res.linear.desc;
  if (r.resType == cudaResourceTypePitch2D) d = r.res.pitch2D.desc;
  if (r.resType == cudaResourceTypeMipmappedArray) {
    cudaArray_t first = nullptr;
    const cudaError_t error = cudaGetMipmappedArrayLevel(&first, r.res.mipmap.mipmap, 0);
    return error == cudaSuccess ? cudaGetChannelDesc(&d, first) : error;
  }
  return r.resType == cudaResourceTypeArray ? cudaGetChannelDesc(&d, r.res.array.array)
                                            : cudaSuccess;
}

Reference* reference_of(CUtexref handle) {
  const auto found = driver_state().references.find(reinterpret_cast<std::uint64_t>(handle));
  return found == driver_state().references.end() ? nullptr : &found->second;
}

// Creates a texture object and copies its state to the handle of the reference.
CUresult refresh(Reference& r) {
  if (!r.bound) return CUDA_SUCCESS;
  return driver([&] {
    cudaChannelFormatDesc d{};
    if (const cudaError_t error = channels_of(r.resource, d); error != cudaSuccess) return error;
    r.description.readMode = read_mode(d, r.flags);
    r.description.normalizedCoords = (r.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    cudaTextureObject_t object = 0;
    if (const cudaError_t error =
            cudaCreateTextureObject(&object, &r.resource, &r.description, nullptr);
        error != cudaSuccess)
      return error;
    api([&](Session& session) {
      auto& table = session.memory.textures.table;
      *table.find(r.handle) = *table.find(object);
      return cudaSuccess;
    });
    return cudaDestroyTextureObject(object);
  });
}

template <class Change>
CUresult change(CUtexref handle, Change&& apply) {
  Reference* const r = reference_of(handle);
  if (!r) return CUDA_ERROR_INVALID_HANDLE;
  apply(*r);
  return refresh(*r);
}

}  // namespace

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* d) {
  if (!array || !d) return CUDA_ERROR_INVALID_VALUE;
  const auto format = channels(d->Format, d->NumChannels);
  return driver([&] {
    return cudaMallocArray(reinterpret_cast<cudaArray_t*>(array), &format, d->Width, d->Height, 0);
  });
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  if (!array || !d) return CUDA_ERROR_INVALID_VALUE;
  const auto format = channels(d->Format, d->NumChannels);
  return driver([&] {
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &format,
                             {d->Width, d->Height, d->Depth}, d->Flags);
  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* d, CUarray array) {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags = 0;
  if (!d) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = driver([&] {
    return cudaArrayGetInfo(&format, &extent, &flags, reinterpret_cast<cudaArray_t>(array));
  });
  if (result != CUDA_SUCCESS) return result;
  *d = {extent.width,
        extent.height,
        extent.depth,
        format_of(format),
        1u + (format.y > 0) + (format.z > 0) + (format.w > 0),
        flags};
  return CUDA_SUCCESS;
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* d, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR full;
  const CUresult result = d ? cuArray3DGetDescriptor(&full, array) : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) *d = {full.Width, full.Height, full.Format, full.NumChannels};
  return result;
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* d,
                                unsigned levels) {
  if (!array || !d) return CUDA_ERROR_INVALID_VALUE;
  const auto format = channels(d->Format, d->NumChannels);
  return driver([&] {
    return cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &format,
                                    {d->Width, d->Height, d->Depth}, levels, d->Flags);
  });
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* t, const CUDA_RESOURCE_VIEW_DESC* view) {
  if (!object || !resource || !t) return CUDA_ERROR_INVALID_VALUE;
  if (view && view->format != 0) return CUDA_ERROR_NOT_SUPPORTED;
  const cudaResourceDesc r = resource_of(*resource);
  cudaTextureDesc d{};
  for (int i = 0; i < 3; ++i)
    d.addressMode[i] = static_cast<cudaTextureAddressMode>(t->addressMode[i]);
  for (int i = 0; i < 4; ++i) d.borderColor[i] = t->borderColor[i];
  d.filterMode = static_cast<cudaTextureFilterMode>(t->filterMode);
  d.normalizedCoords = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  d.sRGB = (t->flags & CU_TRSF_SRGB) != 0;
  d.maxAnisotropy = t->maxAnisotropy;
  d.mipmapFilterMode = static_cast<cudaTextureFilterMode>(t->mipmapFilterMode);
  d.mipmapLevelBias = t->mipmapLevelBias;
  d.minMipmapLevelClamp = t->minMipmapLevelClamp;
  d.maxMipmapLevelClamp = t->maxMipmapLevelClamp;
  return driver([&] {
    cudaChannelFormatDesc format{};
    if (const cudaError_t error = channels_of(r, format); error != cudaSuccess) return error;
    d.readMode = read_mode(format, t->flags);
    return cudaCreateTextureObject(object, &r, &d, nullptr);
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  if (!object || !resource) return CUDA_ERROR_INVALID_VALUE;
  const cudaResourceDesc r = resource_of(*resource);
  return driver([&] { return cudaCreateSurfaceObject(object, &r); });
}

CUresult cuModuleGetTexRef(CUtexref* reference, CUmodule module, const char* name) {
  if (!reference || !name) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session& session) {
      const auto handle =
          session.program().texture_named(reinterpret_cast<const Registry::Binary*>(module), name);
      if (!handle) return cudaErrorSymbolNotFound;
      driver_state().references.try_emplace(*handle).first->second.handle = *handle;
      *reference = reinterpret_cast<CUtexref>(*handle);
      return cudaSuccess;
    });
  });
}
CUresult cuModuleGetSurfRef(CUsurfref* reference, CUmodule module, const char* name) {
  return cuModuleGetTexRef(reinterpret_cast<CUtexref*>(reference), module, name);
}
CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned) {
  return change(reinterpret_cast<CUtexref>(reference), [&](Reference& r) {
    r.resource.resType = cudaResourceTypeArray;
    r.resource.res.array.array = reinterpret_cast<cudaArray_t>(array);
    r.flags = CU_TRSF_READ_AS_INTEGER;
    r.bound = true;
  });
}
CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned) {
  return change(reference, [&](Reference& r) {
    r.resource.resType = cudaResourceTypeArray;
    r.resource.res.array.array = reinterpret_cast<cudaArray_t>(array);
    r.bound = true;
  });
}
CUresult cuTexRefSetMipmappedArray(CUtexref reference, CUmipmappedArray array, unsigned) {
  return change(reference, [&](Reference& r) {
    r.resource.resType = cudaResourceTypeMipmappedArray;
    r.resource.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(array);
    r.bound = true;
  });
}
CUresult cuTexRefSetMipmapFilterMode(CUtexref reference, CUfilter_mode mode) {
  return change(reference, [&](Reference& r) {
    r.description.mipmapFilterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}
CUresult cuTexRefSetMipmapLevelBias(CUtexref reference, float bias) {
  return change(reference, [&](Reference& r) { r.description.mipmapLevelBias = bias; });
}
CUresult cuTexRefSetMipmapLevelClamp(CUtexref reference, float least, float most) {
  return change(reference, [&](Reference& r) {
    r.description.minMipmapLevelClamp = least, r.description.maxMipmapLevelClamp = most;
  });
}
CUresult cuTexRefSetAddress(size_t* offset, CUtexref reference, CUdeviceptr address, size_t bytes) {
  if (offset) *offset = 0;
  return change(reference, [&](Reference& r) {
    r.resource.resType = cudaResourceTypeLinear;
    r.resource.res.linear = {pointer(address), r.format, bytes};
    r.bound = true;
  });
}
CUresult cuTexRefSetAddress2D(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* d,
                              CUdeviceptr address, size_t pitch) {
  if (!d) return CUDA_ERROR_INVALID_VALUE;
  return change(reference, [&](Reference& r) {
    r.resource.resType = cudaResourceTypePitch2D;
    r.resource.res.pitch2D = {pointer(address), channels(d->Format, d->NumChannels), d->Width,
                              d->Height, pitch};
    r.bound = true;
  });
}
CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int count) {
  return change(reference,
                [&](Reference& r) { r.format = channels(format, static_cast<unsigned>(count)); });
}
CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode) {
  if (dimension < 0 || dimension > 2) return CUDA_ERROR_INVALID_VALUE;
  return change(reference, [&](Reference& r) {
    r.description.addressMode[dimension] = static_cast<cudaTextureAddressMode>(mode);
  });
}
CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode) {
  return change(reference, [&](Reference& r) {
    r.description.filterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}
CUresult cuTexRefSetFlags(CUtexref reference, unsigned flags) {
  return change(reference, [&](Reference& r) { r.flags = flags; });
}
CUresult cuParamSetTexRef(CUfunction function, int, CUtexref reference) {
  return function && reference ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
