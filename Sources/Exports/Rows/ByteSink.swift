package import Records

/// Takes the bytes of an export, a buffer at a time.
package protocol ByteSink: ~Copyable {
  /// Adds bytes.
  ///
  /// - Throws: `StoreError` when they cannot be written.
  mutating func write(_ bytes: [UInt8]) throws(StoreError)
}
