// The objects of the CUDA API, without a session or a device.
#include <gtest/gtest.h>

#include "cuda/objects/arrays.h"
#include "cuda/objects/contexts.h"
#include "cuda/objects/device_settings.h"
#include "cuda/objects/events.h"
#include "cuda/objects/host_memory.h"
#include "cuda/objects/streams.h"
#include "cuda/objects/textures.h"

namespace heddle::cuda {
namespace {

TEST(Streams, DefaultStreamsExistWithoutBeingCreated) {
  Streams streams;
  for (const cudaStream_t stream : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread})
    EXPECT_TRUE(streams.exists(stream));
  EXPECT_EQ(streams.find(nullptr), nullptr);  // no properties
  EXPECT_NE(streams.find(cudaStreamPerThread), nullptr);
}

TEST(Streams, AStreamExistsUntilItIsDestroyed) {
  Streams streams;
  const cudaStream_t stream = streams.create(0x1010, cudaStreamNonBlocking, -1);
  EXPECT_EQ(streams.find(stream)->flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(streams.find(stream)->priority, -1);
  EXPECT_TRUE(streams.destroy(stream));
  EXPECT_FALSE(streams.exists(stream));
  EXPECT_FALSE(streams.destroy(stream));
}

TEST(Streams, TheEndOfACaptureReleasesItsStreamsAndEvents) {
  Streams streams;
  Events events;
  const cudaStream_t stream = streams.create(0x1010, 0, 0), other = streams.create(0x1020, 0, 0);
  const cudaEvent_t event = events.create(0x1030, 0);
  const auto capture = std::make_shared<Capture>(), unrelated = std::make_shared<Capture>();
  streams.find(stream)->capturing.capture = events.find(event)->capturing.capture = capture;
  streams.find(other)->capturing.capture = unrelated;
  streams.end_capture(capture);
  events.end_capture(capture);
  EXPECT_EQ(streams.capture_of(stream), nullptr);
  EXPECT_EQ(events.find(event)->capturing.capture, nullptr);
  EXPECT_EQ(streams.capture_of(other), unrelated.get());
}

TEST(HostMemory, FindsTheBlockThatContainsAnAddress) {
  HostMemory memory;
  alignas(16) char block[64] = {};
  memory.add(block, {32, HostBlock::Kind::registered, 0, Address{0x5000}});
  EXPECT_EQ(memory.find(block + 31).offset, 31u);
  EXPECT_EQ(memory.find(block + 31).device_address(), Address{0x501f});
  EXPECT_EQ(memory.find(block + 32).block, nullptr);
  EXPECT_EQ(memory.starting_at(block + 1, HostBlock::Kind::registered), nullptr);
  EXPECT_EQ(memory.starting_at(block, HostBlock::Kind::managed), nullptr);
  EXPECT_NE(memory.starting_at(block, HostBlock::Kind::registered), nullptr);
  memory.erase(block);
  EXPECT_EQ(memory.find(block).block, nullptr);
}

TEST(Arrays, ErasingAMipmappedArrayErasesItsLevels) {
  Arrays arrays;
  const cudaArray_t first = arrays.add(0x10, Array{}), second = arrays.add(0x20, Array{}),
                    single = arrays.add(0x30, Array{});
  const cudaMipmappedArray_t mipmapped = arrays.add(0x40, MipmappedArray{{first, second}});
  arrays.erase(mipmapped);
  EXPECT_EQ(arrays.find(mipmapped), nullptr);
  EXPECT_EQ(arrays.find(first), nullptr);
  EXPECT_EQ(arrays.find(second), nullptr);
  EXPECT_NE(arrays.find(single), nullptr);
}

TEST(Textures, ADestroyedObjectIsUnboundAndUnknown) {
  Textures textures;
  cudaResourceDesc resource{};
  exec::Texture texture;
  texture.bound = true;
  const auto object = textures.create_texture(texture, resource, {});
  EXPECT_NE(textures.resource_of_texture(object), nullptr);
  EXPECT_FALSE(textures.destroy_surface(object));
  EXPECT_TRUE(textures.destroy_texture(object));
  EXPECT_FALSE(textures.table.find(object)->bound);
  EXPECT_EQ(textures.description_of_texture(object), nullptr);
  EXPECT_FALSE(textures.destroy_texture(object));
}

TEST(DeviceSettings, AResetRestoresDefaultLimitsAndKeepsAttributesOfKernels) {
  DeviceSettings settings;
  const int kernel = 0;
  EXPECT_EQ(settings.limit(cudaLimitStackSize), 1024u);
  EXPECT_EQ(settings.shared_limit(&kernel, 49152), 49152u);
  settings.set_limit(cudaLimitStackSize, 4096);
  settings.set_shared_limit(&kernel, 65536);
  settings.flags = cudaDeviceMapHost;
  settings.reset();
  EXPECT_EQ(settings.limit(cudaLimitStackSize), 1024u);
  EXPECT_EQ(settings.flags, 0u);
  EXPECT_EQ(settings.shared_limit(&kernel, 49152), 65536u);
}

TEST(Contexts, ThePrimaryOneExistsWhileItIsUsed) {
  Contexts contexts;
  ContextStack thread;
  EXPECT_FALSE(contexts.exists(Contexts::kPrimary));
  EXPECT_FALSE(contexts.release_primary());
  contexts.retain_primary();
  EXPECT_TRUE(contexts.exists(Contexts::kPrimary));
  EXPECT_EQ(thread.current(), 0u);  // retained is not current
  EXPECT_TRUE(contexts.release_primary());
  EXPECT_FALSE(contexts.primary_active());
  contexts.bind_runtime(thread);
  EXPECT_TRUE(contexts.primary_active());
  EXPECT_EQ(thread.current(), Contexts::kPrimary);
  contexts.reset_primary();
  EXPECT_FALSE(contexts.primary_active());
}

TEST(Contexts, TheRuntimeUsesTheOneThatIsCurrent) {
  Contexts contexts;
  ContextStack thread;
  contexts.add(0x1000, 4);
  thread.push(0x1000);
  contexts.bind_runtime(thread);
  EXPECT_EQ(thread.current(), 0x1000u);
  EXPECT_FALSE(contexts.primary_active());
  EXPECT_EQ(*contexts.flags(0x1000), 4u);
  EXPECT_TRUE(contexts.destroy(0x1000));
  EXPECT_FALSE(contexts.exists(0x1000));
}

TEST(ContextStack, IsBoundedAndRemovesEveryUse) {
  ContextStack stack;
  EXPECT_EQ(stack.pop(), 0u);
  std::size_t pushed = 0;
  while (stack.push(0x1000 + pushed % 2)) ++pushed;
  EXPECT_EQ(pushed, 64u);
  stack.remove(0x1001);
  EXPECT_EQ(stack.current(), 0x1000u);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(stack.pop(), 0x1000u);
  EXPECT_EQ(stack.pop(), 0u);
}

}  // namespace
}  // namespace heddle::cuda
