/// The type of an attribute, as the model's type code says it.
package enum AttributeType: Sendable, Hashable {
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  case transformable
  case objectID
  case composite
  /// A code that no known framework writes.
  case other(Int64)
}

extension AttributeType {
  /// Translates a type code.
  init(code: Int64) {
    self =
      switch code {
      case 0: .undefined
      case 100: .integer16
      case 200: .integer32
      case 300: .integer64
      case 400: .decimal
      case 500: .double
      case 600: .float
      case 700: .string
      case 800: .boolean
      case 900: .date
      case 1000: .binary
      case 1100: .uuid
      case 1200: .uri
      case 1800: .transformable
      case 2000: .objectID
      case 2100: .composite
      default: .other(code)
      }
  }

  /// Whether an attribute of this type has a column of its own.
  ///
  /// A composite has one for each element instead.
  var hasColumn: Bool {
    switch self {
    case .undefined, .objectID, .composite: false
    default: true
    }
  }

  /// The type its column is declared with; nil where there is no column or none is known.
  var declaredType: DeclaredType? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .decimal: .decimal
    case .double, .float: .float
    case .string, .uri: .varchar
    case .date: .timestamp
    case .binary, .uuid, .transformable: .blob
    case .undefined, .objectID, .composite, .other: nil
    }
  }

  /// The place of its column among the columns of a table.
  var columnGroup: ColumnGroup {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integers
    case .double, .float, .date: .reals
    case .decimal: .decimals
    case .string: .strings
    case .uri: .uris
    case .uuid: .uuids
    case .transformable: .transformables
    case .binary: .binaries
    case .undefined, .objectID, .composite, .other: .others
    }
  }
}

/// The types that columns are declared with.
enum DeclaredType: String, Sendable, Hashable {
  case integer = "INTEGER"
  case timestamp = "TIMESTAMP"
  case float = "FLOAT"
  case decimal = "DECIMAL"
  case varchar = "VARCHAR"
  case blob = "BLOB"

  /// Reads a declaration such as `VARCHAR(255)`, in any case; nil when it is none of these.
  init?(declaration: String) {
    let word = declaration.prefix { $0 != "(" && $0 != " " }
    self.init(rawValue: word.uppercased())
  }
}

/// The groups that columns of a table are laid out in, first group first.
enum ColumnGroup: Int, Sendable, Comparable {
  case integers
  case positions
  case reals
  case decimals
  case strings
  case uris
  case uuids
  case transformables
  case binaries
  case others

  /// Orders groups as they stand in a table.
  static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}
