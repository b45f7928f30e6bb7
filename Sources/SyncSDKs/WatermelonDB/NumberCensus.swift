import Records
import SQLite
import Tables

/// What the values of a column are that was declared without a type, tombstones included.
struct NumberCensus {
  private let texts: Int64
  private let blobs: Int64
  private let numbers: Int64
  /// The numbers that are 0, or whole and likely times in milliseconds.
  private let times: Int64
  private let zeros: Int64
  private let truths: Int64
  private let wholeTruths: Int64
  private let wholeOnes: Int64
  private let reals: Int64
  /// The floating point numbers that are whole.
  let wholeReals: Int64
  /// The numbers that are no likely times, nor 0.
  let implausible: Int64

  /// What is asked of a value, in the order of the above.
  private static func questions(_ value: String) -> [String] {
    let type = "typeof(\(value))"
    let isNumber = "\(type) IN ('integer', 'real')"
    let isWhole = "\(value) = CAST(\(value) AS INTEGER)"
    let isRecent = "(\(value) >= 100000000000 AND \(value) < 10000000000000)"
    return [
      "\(type) = 'text'", "\(type) = 'blob'", isNumber,
      "\(isNumber) AND (\(value) = 0 OR \(isWhole) AND \(isRecent))",
      "\(isNumber) AND \(value) = 0", "\(isNumber) AND \(value) IN (0, 1)",
      "\(type) = 'integer' AND \(value) IN (0, 1)", "\(type) = 'integer' AND \(value) = 1",
      "\(type) = 'real'",
      "\(type) = 'real' AND abs(\(value)) < 9007199254740992 AND \(isWhole)",
      "\(isNumber) AND \(value) <> 0 AND NOT \(isRecent)",
    ]
  }

  /// Counts the values of each column of a table, a hundred columns in a pass.
  static func count(
    of table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [NumberCensus] {
    var result: [NumberCensus] = []
    while result.count < table.columns.count {
      let few = Array(table.columns.dropFirst(result.count).prefix(100))
      result += try countFew(few, table, connection)
    }
    return result
  }

  private static func countFew(
    _ columns: [PlannedColumn], _ table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [NumberCensus] {
    // Names may be long, so each stands in the statement only once; `+` takes the affinity away.
    let values = columns.indices.map { "+\(columns[$0].expression) AS v\($0)" }
    let sums = columns.indices.flatMap { questions("v\($0)").map { "total(\($0))" } }
    var statement = try connection.prepare(
      "SELECT \(sums.joined(separator: ", ")) FROM "
        + "(SELECT \(values.joined(separator: ", ")) FROM \(table.origin))")
    let hasRow = try statement.step()
    let width = questions("").count
    return columns.indices.map { place in
      NumberCensus((0..<width).map { hasRow ? statement.integer(at: place * width + $0) : 0 })
    }
  }

  private init(_ counts: [Int64]) {
    (texts, blobs, numbers) = (counts[0], counts[1], counts[2])
    (times, zeros, truths) = (counts[3], counts[4], counts[5])
    (wholeTruths, wholeOnes) = (counts[6], counts[7])
    (reals, wholeReals, implausible) = (counts[8], counts[9], counts[10])
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
