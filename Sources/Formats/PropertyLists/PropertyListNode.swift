/// One object of a property list; containers name their parts by number.
package enum PropertyListNode: Sendable {
  /// No value; also what padding stands for.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number above `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number, of 32 or 64 bits in the file.
  case real(Double)
  /// A moment in seconds since the start of 2001, UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Text.
  case string(String)
  /// A number that stands for another object of a keyed archive.
  case uid(Int)
  /// Objects in order.
  case array([PropertyList.ObjectID])
  /// Objects of a set or ordered set, in the order of the file.
  case set([PropertyList.ObjectID])
  /// Keys and values in the order of the file.
  case dictionary([(key: PropertyList.ObjectID, value: PropertyList.ObjectID)])
}
