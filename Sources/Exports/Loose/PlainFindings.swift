import Bytes
import Records

/// What a person should know about how the columns of a plain file were read.
struct PlainFindings {
  let list: [Finding]

  /// Looks at what one pass has shown, and at the columns that came of it, of which `places` tells
  /// where the survey has them; `wanted` is what the table would be called.
  ///
  /// The columns at `typed` have the type that a person has told, and those at `dates` times that are
  /// spelled as that person says.
  init(
    _ survey: PlainSurvey, _ table: Table, wanted: String, places: [Int], typed: Set<Int>,
    dates: [Int: Corrections.DateForm]
  ) {
    let inferred = survey.columns
    let hasPoints = survey.hasPoints
    var list = Self.changedNames(inferred, table, wanted, places)
    for (place, column) in zip(places, table.columns) where place < inferred.count {
      let isTold = typed.contains(place)
      if !isTold, column.type == .text, let what = survey.textsMade(ofColumn: place) {
        list.append(Self.textsMade(what, of: column, in: table))
      }
      if !isTold, column.type == .text, column.role == .value,
        let offer = survey.offer(
          ofColumn: place, called: "\(table.name).\(column.name)", besidePoints: hasPoints)
      {
        list.append(
          Finding(
            "form-not-inferred", .note, table: table.name,
            message: "\(column.name) of \(table.name) is text, and all its values are \(offer)"))
      }
      guard isTold || column.type == inferred[place].type, dates[place] == nil,
        let what = survey.respelling(ofColumn: place, as: column.type)
      else { continue }
      list.append(
        Finding(
          "values-respelled", .note, table: table.name,
          message: "\(what) in \(column.name) of \(table.name) were read as "
            + "\(column.type.rawValue)\(Self.zone(column.type)); "
            + (isTold ? "--type asked for that" : "--exact keeps them as text")))
    }
    if survey.formulas > 0 {
      let isOne = survey.formulas == 1
      let what = isOne ? "one field" : "\(survey.formulas) fields"
      list.append(
        Finding(
          "values-respelled", .note, table: table.name,
          message: "\(what) of \(table.name) with a formula of a text, such as =\"007\", "
            + "\(isOne ? "was" : "were") read as that text; --exact keeps the formula"))
    }
    let unnamed = Set(survey.unnamedColumns)
    for column in table.columns where unnamed.contains(column.sourceName) {
      list.append(
        Finding(
          "column-unnamed", .note, table: table.name,
          message: "a column of \(table.name) has no name in the header, and is called "
            + column.name))
    }
    self.list = list
  }

  /// Tells of values that only a column of texts has room for, beside others of it.
  private static func textsMade(_ what: String, of column: Column, in table: Table) -> Finding {
    let option = "--type " + quotedForShell("\(table.name).\(column.name)=text")
    return Finding(
      "values-respelled", .note, table: table.name,
      message:
        "\(what) in \(column.name) of \(table.name) became text, as no other type fits all its "
        + "values; \(option) says that this is meant")
  }

  /// The names that had to give way to others; not those that the person gives.
  private static func changedNames(
    _ inferred: [Column], _ table: Table, _ wanted: String, _ places: [Int]
  ) -> [Finding] {
    var list: [Finding] = []
    if !hasSameBytes(wanted, table.name) {
      list.append(.changedName("the table \(wanted)", to: table.name, inTable: table.name))
    }
    for (place, column) in zip(places, table.columns) where place < inferred.count {
      let claimed = inferred[place]
      guard !hasSameBytes(claimed.sourceName, claimed.name),
        hasSameBytes(claimed.name, column.name)
      else { continue }
      list.append(
        .changedName(
          "the column \(claimed.sourceName) of \(table.name)", to: column.name,
          inTable: table.name))
    }
    return list
  }

  private static func zone(_ type: LogicalType) -> String {
    type == .timestamp ? ", those without an offset as UTC" : ""
  }
}

/// The values of a column that could not be taken.
struct ColumnMisfits {
  /// The key of the first row with one.
  let firstRow: Int64
  let rule: SpellingRule
  var count = 0

  init(firstRow: Int64, rule: SpellingRule) {
    self.firstRow = firstRow
    self.rule = rule
  }

  /// Tells which forms would have been taken.
  func finding(
    of column: Column, in table: String, place: (_ row: Int64) -> String
  ) -> Finding {
    Finding(
      "form-not-accepted", .note, table: table,
      message: "\(column.name) of \(table) is \(column.type.rawValue), and "
        + "\(count == 1 ? "one value is" : "\(count) values are") not, the first in "
        + "\(place(firstRow)); accepted: \(forms(of: column.type))")
  }

  private func forms(of type: LogicalType) -> String {
    let decimal = String(decoding: [rule.decimal], as: UTF8.self)
    let groups = rule.thousands.map { String(decoding: [$0], as: UTF8.self) }
    switch type {
    case .boolean: return "true, false, yes, no, t, f, y, n, 1, 0, in small or capital letters"
    case .integer, .reference:
      return "digits as in -12" + (groups.map { " or 1\($0)234" } ?? "")
    case .real, .decimal:
      return "numbers as in 12\(decimal)5" + (groups.map { " or 1\($0)234\(decimal)50" } ?? "")
        + (rule.decimal == UInt8(ascii: ",") ? "" : "; --decimal-comma takes 12,5 in CSV")
    case .timestamp:
      let times = "each time with Z or an offset such as +02:00 or without, which is UTC"
      switch rule.dates {
      case .serial:
        return "days from 1, which is 1900-01-01, to 2958465, but for 60, which was no day"
      case .unixSeconds:
        return "seconds since 1970, as in 1475313330 or 1475313330\(decimal)123"
      case .unixMilliseconds:
        return "milliseconds since 1970, as in 1475313330123 or 1475313330123\(decimal)456"
      case .dayFirst:
        return "31.12.2016, 1/10/2016, 01-10-2016 09:15, 2016-10-01 09:15:30, \(times)"
      case .monthFirst:
        return "12/31/2016, 10-1-2016, 10/01/2016 09:15, 2016-10-01 09:15:30, \(times)"
      case nil:
        return "2016-10-01, 2016-10-01 09:15, 2016-10-01T09:15:30.123, \(times); days of Excel by "
          + "--type T.C=excel-date, 31.12.2016 by T.C=day-first, 12/31/2016 by T.C=month-first, "
          + "1475313330 by T.C=unix-seconds, 1475313330123 by T.C=unix-milliseconds"
      }
    case .binary: return "base64"
    case .uuid: return "32 hexadecimal digits with four hyphens or none, with them also in brackets"
    case .json: return "a JSON document"
    case .text, .uri: return "any text"
    }
  }
}
