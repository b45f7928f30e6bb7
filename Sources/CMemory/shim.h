// What C can say of memory, and Swift's module of the C library leaves out.
#ifndef REHOME_CMEMORY_SHIM_H
#define REHOME_CMEMORY_SHIM_H

#include <stdlib.h>

/// Asks for the memory around an address, which does no harm anywhere.
static inline void rehome_prefetch(const void *address) { __builtin_prefetch(address); }

#if defined(__GLIBC__)
#include <malloc.h>

/// Gives blocks of at least `block` bytes back at once, and of free memory keeps `kept` bytes in each
/// of at most `heaps` heaps; memory is asked for in steps of `step`.
static inline void rehome_set_allocator(int heaps, int block, int kept, int step) {
  mallopt(M_ARENA_MAX, heaps);
  mallopt(M_MMAP_THRESHOLD, block);
  mallopt(M_TRIM_THRESHOLD, kept);
  mallopt(M_TOP_PAD, step);
}

/// Gives all memory back that is free.
static inline void rehome_trim(void) { malloc_trim(0); }
#else
/// Other allocators have no such settings.
static inline void rehome_set_allocator(int heaps, int block, int kept, int step) {
  (void)heaps, (void)block, (void)kept, (void)step;
}

/// Nor can they be asked for it.
static inline void rehome_trim(void) {}
#endif

#endif
