// Not a CUDA program.
#include <cstdio>

int main() { std::printf("hello\n"); }
