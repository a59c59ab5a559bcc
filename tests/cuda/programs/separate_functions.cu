// A file that holds functions alone: neither a kernel nor a variable.
__device__ int thrice(int x) { return 3 * x; }
