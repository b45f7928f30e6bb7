import Bytes
import Tables

extension TableNames {
  /// The canonical name of the table of a .NET type, which the toolkit uses where others name a
  /// table; the type's name where it cannot be told.
  func canonical(entityType: String?) -> String? {
    entityType.map { table(ofEntityType: $0) ?? $0 }
  }

  /// The one table that is called like the type, or like its plural; nil when none or several are.
  func table(ofEntityType name: String) -> String? {
    // The last component of a name such as `MyApp.Data.TodoItem`; nested types follow a `+`.
    let last = name.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+")
    }.last
    let type = asciiLowercased(last.map { String(decoding: $0, as: UTF8.self) } ?? name)
    if let table = self[type] { return table }
    let found = setNames(ofType: type).dropFirst().compactMap { self[$0] }
    return found.count == 1 ? found[0] : nil
  }
}

/// What the set of a type can be called: like the type, or like one of its plurals.
func setNames(ofType name: String) -> [String] {
  var names = [name, name + "s", name + "es"]
  if name.hasSuffix("y") || name.hasSuffix("Y") { names.append(name.dropLast() + "ies") }
  return names
}
