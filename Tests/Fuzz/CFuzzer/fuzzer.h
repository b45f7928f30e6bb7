// The one function of libFuzzer that a program with a main of its own needs.
#ifndef REHOME_FUZZER_H
#define REHOME_FUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *, size_t));

#endif
