__device__ int times_seven(int value) { return 7 * value; }
