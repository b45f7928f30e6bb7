// zlib, and the initialisers that exist only as macros.
#ifndef REHOME_CZLIB_SHIM_H
#define REHOME_CZLIB_SHIM_H

#include <zlib.h>

/// Prepares a stream that unpacks; `windowBits` is -15 for raw deflate, 31 for gzip.
static inline int rehome_inflate_init(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

/// Prepares a stream that packs; `windowBits` is -15 for raw deflate, 31 for gzip.
static inline int rehome_deflate_init(z_stream *stream, int level, int windowBits) {
  return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
