import Bytes
import Records
import Tables

/// A column of a table that several sources have, each in its own way.
struct UnitedColumn: Sendable {
  /// What a column is for; values of one column serve the same purpose.
  enum Purpose {
    case value
    case system
    case binary
    case reference
    case referenceEntity

    init(_ column: Column) {
      switch column.role {
      case .version, .createdAt, .updatedAt, .deleted: self = .system
      case .referenceEntity: self = .referenceEntity
      case .value, .id, .reference, .position, .source:
        self =
          column.type == .reference ? .reference : column.type == .binary ? .binary : .value
      }
    }

    /// Whether the app alone gives it values.
    var isOfApp: Bool {
      switch self {
      case .value, .binary, .reference: true
      case .system, .referenceEntity: false
      }
    }
  }

  var column: Column
  /// What the first source that has it calls it.
  let ownName: String
  /// The name by which sources know it, without regard to letter case.
  let key: String
  private(set) var purpose: Purpose
  /// Whether it refers to rows of one table in some sources and of another in others.
  private(set) var isPolymorphic: Bool
  /// Whether a source tells which rows it refers to.
  private var knowsTarget: Bool
  /// The types of the sources' columns, but for those that have no value to tell one.
  private(set) var types: Set<LogicalType>

  /// A column of one source, under a name that is free in the united table; `namesTables` says that
  /// another column has the names of the tables that it refers to.
  init(_ column: Column, _ ownName: String, name: String, namesTables: Bool = false) {
    self.ownName = ownName
    key = asciiLowercased(ownName)
    purpose = Purpose(column)
    types = column.isUndecided ? [] : [column.type]
    isPolymorphic = false
    knowsTarget = namesTables || column.target != nil
    self.column = column
    self.column.name = name
  }

  /// Whether the values of a source's column can be here without any of them changing its sense.
  func takes(_ other: Column, _ ownName: String) -> Bool {
    hasSameBytes(asciiLowercased(ownName), key)
      && (purpose == Purpose(other)
        || purpose.isOfApp && Purpose(other).isOfApp && (column.isUndecided || other.isUndecided))
  }

  /// Takes the column of another source; where only one of both knows its target, so does the other.
  mutating func unite(with other: Column, namesTables: Bool = false) {
    unite(withTypeOf: other)
    column.isNullable = column.isNullable || other.isNullable
    if column.role == .value, other.role != .value {
      column.role = other.role
      purpose = Purpose(other)
    }
    guard !other.isUndecided, purpose == .reference, namesTables || other.target != nil else {
      return
    }
    guard knowsTarget else {
      knowsTarget = true
      column.target = other.target
      return
    }
    let targets = [column.target, other.target].map { $0.map(asciiLowercased) }
    guard !hasSameBytes(targets[0], targets[1]) else { return }
    isPolymorphic = true
    column.target = nil
  }

  /// Where one of them has no value, the type of the other is that of both.
  private mutating func unite(withTypeOf other: Column) {
    guard !other.isUndecided else { return }
    types.insert(other.type)
    if column.isUndecided {
      column.type = other.type
      column.target = other.target
      purpose = Purpose(other)
    } else {
      column.type = column.type.united(with: other.type)
    }
  }
}

extension LogicalType {
  /// The type in which all values of both types keep what they say: text where no other does.
  ///
  /// As text a document and a word that only looks like one would be the same, so all become
  /// documents. Whole numbers that a double cannot hold are the only values that a united type may
  /// not take; they become rejects.
  func united(with other: LogicalType) -> LogicalType {
    if self == other { return self }
    let types: Set<LogicalType> = [self, other]
    if types.contains(.json) { return .json }
    if types.isSubset(of: [.boolean, .integer]) { return .integer }
    if types.isSubset(of: [.boolean, .integer, .real]) { return .real }
    if types.isSubset(of: [.boolean, .integer, .decimal]) { return .decimal }
    return .text
  }
}
