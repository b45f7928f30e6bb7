/// A name as SQLite compares it: ASCII letters in lower case, all others as they are.
package func asciiLowercased(_ name: String) -> String {
  guard name.utf8.contains(where: { $0 &- 0x41 < 26 }) else { return name }
  var bytes = Array(name.utf8)
  for index in bytes.indices where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
  return String(decoding: bytes, as: UTF8.self)
}

extension ExactText {
  /// A name of a table or a column, which is another's where SQLite takes both for one.
  package init(sqlName name: String) { self.init(asciiLowercased(name)) }
}
