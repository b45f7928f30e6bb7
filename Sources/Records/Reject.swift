/// Why a value could not be taken over; each code is a finding that `explain` knows.
package enum RejectCode: String, Sendable, CaseIterable {
  /// The stored class does not fit the column's type.
  case valueOfWrongType = "value-of-wrong-type"
  /// The type fits, but its spelling has no room for the value: a date in year 12000.
  case valueOutOfRange = "value-out-of-range"
  /// The bytes of a text are not UTF-8.
  case invalidText = "invalid-text"
  /// The document that holds the row's values is no JSON object.
  case rowJSONUnreadable = "row-json-unreadable"
  /// There is no row of the other table with this id.
  case danglingReference = "dangling-reference"
  /// The file that holds the value is missing beside the store.
  case externalDataMissing = "external-data-missing"

  /// Whether what is kept of a value is content, and no key or name that only its device knows.
  package var keepsContent: Bool {
    switch self {
    case .valueOfWrongType, .valueOutOfRange, .invalidText, .rowJSONUnreadable: true
    case .danglingReference, .externalDataMissing: false
    }
  }
}

/// A value as the source holds it, by storage class, for those that have no canonical spelling.
package enum RawValue: Sendable, Equatable {
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// The bytes of a text, valid or not.
  case text([UInt8])
  /// Other bytes.
  case binary([UInt8])

  /// About how many bytes it takes.
  package var size: Int {
    switch self {
    case .integer, .real: 8
    case .text(let bytes), .binary(let bytes): bytes.count
    }
  }
}

/// A cell of a batch that was left empty, with the value that it could not take.
package struct CellReject: Sendable, Equatable {
  /// The row's place in its batch.
  package let row: Int
  /// The column's place in its table.
  package let column: Int
  /// Why.
  package let code: RejectCode
  /// The value as stored.
  package let raw: RawValue

  /// A cell that was left empty.
  package init(row: Int, column: Int, code: RejectCode, raw: RawValue) {
    self.row = row
    self.column = column
    self.code = code
    self.raw = raw
  }
}

/// A row of a batch that the rules of a store do not let in.
package struct RowRefusal: Sendable, Equatable {
  /// The row's place in its batch.
  package let row: Int
  /// The rule that the row breaks, which shows no value.
  package let reason: String

  /// A row that was not let in.
  package init(row: Int, reason: String) {
    self.row = row
    self.reason = reason
  }
}

extension [CellReject] {
  /// How many rows of their batch have one or more.
  var rowCount: Int { isEmpty ? 0 : Set(lazy.map(\.row)).count }
}

/// The column that says in a file of rejected rows why each is there.
package enum RejectColumn {
  /// Its name; a plain file may have it behind `_pk`, and what it says is not loaded.
  package static let name = "_reject"
}
