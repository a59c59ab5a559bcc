// Ray tracing of spheres over a plane with reflections and shadows, as RAY of the ISPASS 2009
// benchmarks: a thread per pixel, CTAs of 16x8. Branches diverge where the rays of a warp meet
// different objects. The scene is in constant memory.
#include "../common.h"

using namespace workload;

constexpr int kSpheres = 6, kBounces = 4;
constexpr float kFar = 1e30f;

struct Vector {
  float x, y, z;
};
struct Sphere {
  Vector centre;
  float radius;
  Vector colour;
  float mirror;  // the share of light that comes from its reflection
};
__constant__ Sphere scene[kSpheres];

__host__ __device__ inline Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ inline Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ inline Vector operator*(float s, Vector a) {
  return {s * a.x, s * a.y, s * a.z};
}
__host__ __device__ inline float dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline Vector unit(Vector a) { return (1.0f / sqrtf(dot(a, a))) * a; }

// The distance to a sphere along a ray of unit length.
__host__ __device__ inline float distance_to(const Sphere& sphere, Vector from, Vector along) {
  const Vector to = sphere.centre - from;
  const float nearest = dot(to, along),
              square = sphere.radius * sphere.radius - dot(to, to) + nearest * nearest;
  if (square < 0.0f) return kFar;
  const float distance = nearest - sqrtf(square);
  return distance > 1e-3f ? distance : kFar;
}

__host__ __device__ inline Vector trace(const Sphere* spheres, Vector from, Vector along) {
  const Vector light = unit({-0.5f, 1.0f, -0.6f});
  Vector colour{0.0f, 0.0f, 0.0f};
  float share = 1.0f;
  for (int bounce = 0; bounce < kBounces; ++bounce) {
    float distance = along.y < -1e-4f ? -(from.y + 1.0f) / along.y : kFar;  // the plane y = -1
    int hit = -1;
    for (int i = 0; i < kSpheres; ++i) {
      const float other = distance_to(spheres[i], from, along);
      if (other < distance) {
        distance = other;
        hit = i;
      }
    }
    if (distance >= kFar) return colour + (share * (0.5f + 0.5f * along.y)) * Vector{0.4f, 0.6f, 1};
    from = from + distance * along;
    Vector normal{0.0f, 1.0f, 0.0f}, own{0.7f, 0.7f, 0.6f};
    float mirror = 0.1f;
    if (hit >= 0) {
      normal = (1.0f / spheres[hit].radius) * (from - spheres[hit].centre);
      own = spheres[hit].colour;
      mirror = spheres[hit].mirror;
    }
    float lit = fmaxf(dot(normal, light), 0.0f);
    for (int i = 0; i < kSpheres && lit > 0.0f; ++i)
      if (distance_to(spheres[i], from, light) < kFar) lit = 0.0f;
    colour = colour + (share * (1.0f - mirror) * (0.2f + 0.8f * lit)) * own;
    share *= mirror;
    along = along - (2.0f * dot(along, normal)) * normal;
  }
  return colour;
}

__host__ __device__ inline Vector pixel(const Sphere* spheres, int x, int y, int width,
                                        int height) {
  const Vector along{(x + 0.5f) / width * 2.0f - 1.0f, 1.0f - (y + 0.5f) / height * 2.0f, 1.5f};
  return trace(spheres, {0.0f, 0.2f, -4.0f}, unit(along));
}

__global__ void render(Vector* image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] = pixel(scene, x, y, width, height);
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "ray", {{"width", 32, 128, 256}, {"height", 32, 128, 256}});
  const int width = sizes[0], height = sizes[1];
  Random random(91);
  Sphere spheres[kSpheres];
  for (Sphere& sphere : spheres) {
    sphere.radius = 0.3f + 0.4f * random.unit();
    sphere.centre = {3.0f * random.unit() - 1.5f, sphere.radius - 1.0f, 2.0f * random.unit()};
    sphere.colour = {random.unit(), random.unit(), random.unit()};
    sphere.mirror = 0.6f * random.unit();
  }
  check(cudaMemcpyToSymbol(scene, spheres, sizeof spheres), "scene");
  DeviceArray<Vector> image(std::size_t(width) * height);
  render<<<dim3(blocks_for(width, 16), blocks_for(height, 8)), dim3(16, 8)>>>(image.get(), width,
                                                                              height);
  finish("render");

  // A ray that grazes a sphere may hit or miss it: one pixel of 200 may have another colour.
  const std::vector<Vector> found = image.host();
  long other = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Vector d = found[std::size_t(y) * width + x] - pixel(spheres, x, y, width, height);
      other += !(dot(d, d) < 1e-4f);
    }
  }
  return verdict(other * 200 > long(width) * height ? other : 0, long(width) * height);
}
