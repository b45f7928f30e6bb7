import Records
import SQLite
import Tables

/// What the values of a column are that was declared without a type, tombstones included.
struct NumberCensus {
  private var texts = 0
  private var blobs = 0
  private var numbers = 0
  /// The numbers that are 0, or whole and likely times in milliseconds.
  private var times = 0
  private var zeros = 0
  private var truths = 0
  private var wholeTruths = 0
  private var wholeOnes = 0
  private var reals = 0
  /// The floating point numbers that are whole.
  private(set) var wholeReals = 0
  /// The numbers that are no likely times, nor 0.
  private(set) var implausible = 0

  /// Whether the column has no value at all.
  var isEmpty: Bool { texts == 0 && blobs == 0 && numbers == 0 }

  /// Counts the values of each column of a table.
  static func count(
    of table: PlannedTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [NumberCensus] {
    let empty = Columns(Array(repeating: NumberCensus(), count: table.columns.count))
    return try database.census(of: table, startingFrom: empty).columns
  }

  /// All columns of a table.
  private struct Columns: RowCensus {
    var columns: [NumberCensus]

    init(_ columns: [NumberCensus]) { self.columns = columns }

    mutating func count(_ row: borrowing some StoredRow & ~Copyable) {
      for place in columns.indices {
        switch row.storageClass(at: place + 1) {
        case .null: break
        case .text: columns[place].texts += 1
        case .blob: columns[place].blobs += 1
        case .integer: columns[place].add(row.integer(at: place + 1))
        case .real: columns[place].add(row.real(at: place + 1))
        }
      }
    }

    mutating func add(_ other: Columns) {
      for place in columns.indices { columns[place].add(other.columns[place]) }
    }
  }

  private mutating func add(_ value: Int64) {
    add(isZero: value == 0, isOne: value == 1, isRecent: recent ~= value, isWhole: true)
    if value == 0 || value == 1 { wholeTruths += 1 }
    if value == 1 { wholeOnes += 1 }
  }

  private mutating func add(_ value: Double) {
    let isWhole = Int64(exactly: value) != nil
    let isRecent = Double(recent.lowerBound)..<Double(recent.upperBound) ~= value
    add(isZero: value == 0, isOne: value == 1, isRecent: isRecent, isWhole: isWhole)
    reals += 1
    if isWhole, value.magnitude < 0x1p53 { wholeReals += 1 }
  }

  private mutating func add(isZero: Bool, isOne: Bool, isRecent: Bool, isWhole: Bool) {
    numbers += 1
    if isZero { zeros += 1 }
    if isZero || isOne { truths += 1 }
    if isZero || (isWhole && isRecent) { times += 1 }
    if !isZero, !isRecent { implausible += 1 }
  }

  private mutating func add(_ other: NumberCensus) {
    texts += other.texts
    blobs += other.blobs
    numbers += other.numbers
    times += other.times
    zeros += other.zeros
    truths += other.truths
    wholeTruths += other.wholeTruths
    wholeOnes += other.wholeOnes
    reals += other.reals
    wholeReals += other.wholeReals
    implausible += other.implausible
  }

  /// The form that values and name show, where some writer `bindsReals`: whatever is a number to
  /// JavaScript is a floating point number in the file, so a whole number is a truth value.
  func form(ofColumn name: String, bindsReals: Bool) -> ColumnForm {
    let time = ColumnForm.time(StoredTime(unit: .milliseconds))
    if WatermelonDB.timestamps[name] != nil { return time }
    let all = texts + blobs + numbers
    if all == 0 || texts * 2 >= all { return .text }
    // The SDK never writes bytes; a column with nothing else is somebody's own.
    if numbers == 0 { return .binary }
    if name != WatermelonDB.lastModified {
      if name.hasSuffix("_at"), times == numbers, zeros < numbers { return time }
      let isNamedTruth = name.hasPrefix("is_") || name.hasPrefix("has_")
      if isNamedTruth, truths == numbers { return Self.truth }
      if bindsReals, wholeTruths == numbers, wholeOnes > 0 { return Self.truth }
    }
    return reals > 0 ? .real : ColumnForm(.integer, .wholeNumber)
  }

  private static let truth = ColumnForm(.boolean, .booleanNumber)
}

/// The milliseconds since 1970 that are likely times: 1973 to 2286.
private let recent: Range<Int64> = 100_000_000_000..<10_000_000_000_000
