package import Records
import SQLite

extension Statement {
  /// A whole number; nil for NULL.
  package func optionalInteger(at column: Int) -> Int64? {
    storageClass(at: column) == .null ? nil : integer(at: column)
  }

  /// The bytes of a text or blob; nil for NULL.
  package func optionalBytes(at column: Int) -> [UInt8]? {
    storageClass(at: column) == .null ? nil : bytes(at: column)
  }

  /// The value as stored; nil for NULL.
  package func optionalRaw(at column: Int) -> RawValue? {
    storageClass(at: column) == .null ? nil : RawValue(self, at: column)
  }
}
