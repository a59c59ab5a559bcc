#include <cstdio>

#include "answer.h"

int main() { std::puts(answer() == 42 ? "PASS" : "FAIL"); }
