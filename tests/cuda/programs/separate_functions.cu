// A file with functions only: no kernel and no variable.
__device__ int thrice(int x) { return 3 * x; }
