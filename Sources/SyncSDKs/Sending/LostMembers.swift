import Bytes
import Formats
import Records

/// Which members of what a device sends have no value since none could be taken over.
///
/// The row of the device names them behind its key, as files of rejected rows do.
package enum LostMembers {
  /// Names them in a row as exports show it.
  package static func name(_ members: [String], in row: inout [UInt8]) {
    let list = JSONValue.array(members.map(JSONValue.string))
    // The key is a number, and ends with the first of these.
    guard !members.isEmpty,
      let end = row.firstIndex(where: { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) }),
      let named = JSONObject([JSONObject.Member(key: RejectColumn.name, value: list)])?.json
    else { return }
    row.insert(contentsOf: [UInt8(ascii: ",")] + named.dropFirst().dropLast(), at: end)
  }

  /// Those that a row names.
  package static func names(in row: [UInt8]) -> [String] {
    guard case .array(let members)? = JSONObject(parsing: row.span)?[RejectColumn.name] else {
      return []
    }
    return members.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }
}
