import Glibc

/// How two runs of bytes compare, as C says it: the first bytes that differ decide, then the size.
package func order(of left: Span<UInt8>, and right: Span<UInt8>) -> Int {
  let count = min(left.count, right.count)
  // Both have at least `count` bytes, and the call only reads them.
  let order = unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      guard count > 0, let left = left.baseAddress, let right = right.baseAddress
      else { return 0 }
      return unsafe Int(memcmp(left, right, count))
    }
  }
  return order == 0 ? left.count &- right.count : order
}
