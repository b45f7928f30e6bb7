import Tables

/// The full name of a .NET type, which the toolkit uses where others name a table.
struct EntityTypeName {
  /// The last component.
  private let simpleName: String

  /// Takes apart a name such as `MyApp.Data.TodoItem`; nested types follow a `+`.
  init(_ name: String) {
    let last = name.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+")
    }.last
    simpleName = asciiLowercased(last.map { String(decoding: $0, as: UTF8.self) } ?? name)
  }

  /// The canonical name of the one table that is called like the type, or like its plural; nil when
  /// none or several are.
  func table(in names: TableNames) -> String? {
    if let table = names[simpleName] { return table }
    var plurals = [simpleName + "s", simpleName + "es"]
    if simpleName.hasSuffix("y") { plurals.append(simpleName.dropLast() + "ies") }
    let found = plurals.compactMap { names[$0] }
    return found.count == 1 ? found[0] : nil
  }
}

extension TableNames {
  /// The canonical name of the table of a type, or the type's name where it cannot be told.
  func canonical(entityType: String?) -> String? {
    entityType.map { EntityTypeName($0).table(in: self) ?? $0 }
  }
}
