/// How a stored value becomes a cell; one case for each way in which a layout keeps a type.
package enum CellDecoding: Sendable, Equatable {
  /// UTF-8 text, taken as it is.
  case text
  /// Text as a person wants it; a number is told by its digits.
  case textOrNumber
  case integer
  /// A floating point number; whole numbers that a double holds exactly are taken, too.
  case real
  /// 0 or 1.
  case boolean
  /// A whole number, also as a floating point number.
  case wholeNumber
  /// 0 or 1, also as a floating point number.
  case booleanNumber
  /// A moment as text in a spelling that exports are read in, and nothing else.
  case timestampText
  /// Seconds since 2001, as a floating point or whole number.
  case secondsSince2001
  /// A time in one of the forms that a layout keeps it in.
  case time(StoredTime)
  /// Digits, or a number whose shortest digits are meant.
  case decimal
  /// The 16 bytes of a UUID.
  case uuidBytes
  /// A UUID as text, or its 16 bytes.
  case uuid
  /// Bytes, taken as they are.
  case binary
  /// Base64 text that stands for bytes; a blob is taken as it is.
  case base64
  /// Text; a blob is told by its base64, as the services spell a version.
  case versionText
  /// A whole number that counts the changes of an item; its digits are the version.
  case versionNumber
  /// Bytes after a tag, or the name of a file that holds them.
  case taggedBinary
  /// The same where no model tells: what begins with no tag is taken as it is.
  case perhapsTagged
  /// A keyed archive of plain values, as JSON; empty where the bytes are anything else.
  case archivedJSON(isTagged: Bool)
  /// An edge of a box, in the node that lists the row: the bytes of an R-tree.
  case boxEdge(Int, of: Int, isWhole: Bool)
  /// The number of an entity, told by its name.
  ///
  /// Where it is NULL, the other side of a one-to-one relationship may know the entity.
  case entityName([Int64: String], otherSide: [Int64: Int64] = [:])
  /// The key of a row; where it is NULL, the other side of the relationship may know it.
  case reference(otherSide: [Int64: Int64])

  /// Whether values may be names of files that hold them.
  package var namesFiles: Bool { self == .taggedBinary || self == .perhapsTagged }

  /// Whether values may be files of their own.
  package var readsFiles: Bool {
    namesFiles || self == .archivedJSON(isTagged: true)
  }
}
