// A kernel launches a kernel per row, as many as its data say.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill_row(int* row, int columns, int value) {
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += static_cast<int>(blockDim.x))
    row[i] = value;
}

__global__ void fill_rows(int* matrix, const int* columns, int rows) {
  const int row = static_cast<int>(threadIdx.x);
  if (row < rows && columns[row] > 0) fill_row<<<1, 32>>>(matrix + row * 64, columns[row], row + 1);
}

int main() {
  constexpr int kRows = 8;
  int columns[kRows], matrix[kRows * 64];
  for (int row = 0; row < kRows; ++row) columns[row] = row % 3 * 30;
  int *device_columns = nullptr, *device_matrix = nullptr;
  cudaMalloc(&device_columns, sizeof columns);
  cudaMalloc(&device_matrix, sizeof matrix);
  cudaMemcpy(device_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemset(device_matrix, 0, sizeof matrix);
  for (int launch = 0; launch < 2; ++launch)
    fill_rows<<<1, 32>>>(device_matrix, device_columns, kRows);
  cudaMemcpy(matrix, device_matrix, sizeof matrix, cudaMemcpyDeviceToHost);
  bool right = true;
  for (int row = 0; row < kRows; ++row)
    for (int i = 0; i < 64; ++i) right &= matrix[row * 64 + i] == (i < columns[row] ? row + 1 : 0);
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
