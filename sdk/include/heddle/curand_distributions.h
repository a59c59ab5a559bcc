// Part of curand_kernel.h: what numbers become of random words.
#pragma once

template <class State>
QUALIFIERS float curand_uniform(State* state) {
  return curand(state) * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}
QUALIFIERS float curand_uniform(curandStateMRG32k3a* state) {
  return static_cast<float>(heddle_mrg_step(state) * 2.3283065498378288e-10);
}
// 53 bits need two words. Philox returns two words only for pairs and groups of four; a single
// double has one word.
template <class State>
QUALIFIERS double heddle_uniform53(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  const unsigned long long z =
      static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(y) << (53 - 32);
  return static_cast<double>(z) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
QUALIFIERS double heddle_uniform53(curandStateMRG32k3a* state) {
  return heddle_mrg_step(state) * 2.3283065498378288e-10;
}
template <class State>
QUALIFIERS double curand_uniform_double(State* state) {
  return heddle_uniform53(state);
}
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
template <class State>
QUALIFIERS float2 curand_normal2(State* state) {
  const float u = curand_uniform(state), v = curand_uniform(state) * CURAND_2PI;
  const float s = sqrtf(-2.0f * logf(u));
  float2 result;
  sincosf(v, &result.x, &result.y);
  result.x *= s;
  result.y *= s;
  return result;
}
template <class State>
QUALIFIERS double2 curand_normal2_double(State* state) {
  const double u = heddle_uniform53(state), v = heddle_uniform53(state) * 2.0;
  const double s = sqrt(-2.0 * log(u));
  double2 result;
  sincospi(v, &result.x, &result.y);
  result.x *= s;
  result.y *= s;
  return result;
}
// Two numbers are generated at a time; the second is stored.
template <class State>
QUALIFIERS float curand_normal(State* state) {
  if (state->boxmuller_flag == 1) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = 1;
  return pair.x;
}
template <class State>
QUALIFIERS double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double == 1) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = 1;
  return pair.x;
}
template <class State>
QUALIFIERS float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 n = curand_normal2(state);
  return make_float2(expf(mean + deviation * n.x), expf(mean + deviation * n.y));
}
template <class State>
QUALIFIERS double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 n = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * n.x), exp(mean + deviation * n.y));
}
// The second number is stored separately from curand_normal's; each function drops a number that
// the other has stored.
template <class State>
QUALIFIERS float curand_log_normal(State* state, float mean, float deviation) {
  if (state->boxmuller_flag == 2) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_log_normal2(state, mean, deviation);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = 2;
  return pair.x;
}
template <class State>
QUALIFIERS double curand_log_normal_double(State* state, double mean, double deviation) {
  if (state->boxmuller_flag_double == 2) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_log_normal2_double(state, mean, deviation);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = 2;
  return pair.x;
}
// Knuth's product of uniform numbers for small means, a rounded normal number for large ones.
template <class State>
QUALIFIERS unsigned int curand_poisson(State* state, double lambda) {
  if (lambda > 64) {
    const double value = floor(lambda + sqrt(lambda) * curand_normal_double(state) + 0.5);
    return value < 0 ? 0u : static_cast<unsigned int>(value);
  }
  const double limit = exp(-lambda);
  unsigned int count = 0;
  for (double product = curand_uniform_double(state); product > limit;
       product *= curand_uniform_double(state))
    ++count;
  return count;
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const auto scaled = [](unsigned int w) {
    return w * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
  };
  return make_float4(scaled(x.x), scaled(x.y), scaled(x.z), scaled(x.w));
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float4 u = curand_uniform4(state);
  const float s = sqrtf(-2.0f * logf(u.x)), t = sqrtf(-2.0f * logf(u.z));
  float4 result;
  sincosf(u.y * CURAND_2PI, &result.x, &result.y);
  sincosf(u.w * CURAND_2PI, &result.z, &result.w);
  return make_float4(result.x * s, result.y * s, result.z * t, result.w * t);
}
QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 n = curand_normal4(state);
  return make_float4(expf(mean + deviation * n.x), expf(mean + deviation * n.y),
                     expf(mean + deviation * n.z), expf(mean + deviation * n.w));
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const double first = heddle_uniform53(state);
  return make_double2(first, heddle_uniform53(state));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean,
                                             double deviation) {
  const double2 first = curand_log_normal2_double(state, mean, deviation),
                second = curand_log_normal2_double(state, mean, deviation);
  return double4{first.x, first.y, second.x, second.y};
}
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}
