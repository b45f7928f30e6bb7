import Bytes

/// Which form all values of a column have so far, of those that become numbers or times only where a
/// person says so.
struct FormEvidence {
  /// Forms that a column of texts can have.
  struct Forms: OptionSet {
    let rawValue: UInt8

    /// Numbers that a number would not spell as they are: `2.50`, or `1,234.50` where commas stand
    /// between no fields.
    static let number = Forms(rawValue: 1)
    /// Numbers with a comma before the fraction, in a file whose numbers have a point there.
    static let commaNumber = Forms(rawValue: 2)
    /// Dates with the year at their end, and the day or the month before.
    static let dayFirst = Forms(rawValue: 4)
    static let monthFirst = Forms(rawValue: 8)

    static let numbers: Forms = [.number, .commaNumber]
    static let dates: Forms = [.dayFirst, .monthFirst]
    static let all: Forms = [.number, .commaNumber, .dayFirst, .monthFirst]
  }

  private(set) var forms: Forms
  private let spelling: SpellingRule
  /// Whether a comma of the numbers can only stand before a fraction.
  private var isCommaClear = false

  /// Looks for these forms in a file whose values have this spelling.
  init(_ forms: Forms, _ spelling: SpellingRule) {
    self.forms = forms
    self.spelling = spelling
  }

  /// Whether the values have none of them.
  var isEmpty: Bool { forms.isEmpty }

  /// Keeps the forms that other values have as well.
  mutating func keep(_ others: FormEvidence) {
    forms.formIntersection(others.forms)
    isCommaClear = isCommaClear || others.isCommaClear
  }

  /// Keeps the forms that values which fit these types can have as well.
  func keeping(_ types: Candidates) -> FormEvidence {
    var kept = self
    if types.contains(.integer) {
      kept.forms.formIntersection(.numbers)
    } else if !types.isDisjoint(with: .reals) {
      kept.forms.formIntersection(.number)
    } else {
      kept.forms.formIntersection(types.contains(.date) ? .dates : [])
    }
    return kept
  }

  /// Keeps the forms that a value has which fits no type but text.
  mutating func look(at text: Span<UInt8>) {
    if forms.contains(.number),
      NumberLook(text, decimal: spelling.decimal, thousands: spelling.thousands) == nil
    {
      forms.remove(.number)
    }
    if forms.contains(.commaNumber) {
      let look = NumberLook(text, decimal: UInt8(ascii: ","), thousands: UInt8(ascii: "."))
      if let look {
        isCommaClear = isCommaClear || look.isFractionClear
      } else {
        forms.remove(.commaNumber)
      }
    }
    for (form, isMonthFirst) in [(Forms.dayFirst, false), (.monthFirst, true)]
    where forms.contains(form) {
      if Timestamp(parsingFreely: text, isMonthFirst: isMonthFirst) == nil { forms.remove(form) }
    }
  }

  /// What the values are, and what reads them as that in the column that `--type` calls `column`; nil
  /// where they have no such form.
  func offer(for column: String) -> String? {
    func type(_ name: String) -> String { "--type " + quotedForShell("\(column)=\(name)") }
    if forms.contains(.number) {
      return "numbers; \(type("decimal")) reads them as such"
    }
    if forms.contains(.commaNumber), isCommaClear {
      return
        "numbers with a decimal comma; --decimal-comma with \(type("decimal")) reads them as such"
    }
    switch forms.intersection(.dates) {
    case .dayFirst: return "dates with the day first; \(type("day-first")) reads them as such"
    case .monthFirst: return "dates with the month first; \(type("month-first")) reads them as such"
    case .dates:
      return "dates with the day or the month first; \(type("day-first")) or "
        + "\(type("month-first")) reads them as such"
    default: return nil
    }
  }
}

/// A number of a table, with as many digits as each program keeps; a number of more, and one that
/// begins with a needless zero, tells things apart.
private struct NumberLook {
  /// Whether its fraction can be no group of thousands.
  let isFractionClear: Bool

  private static let mostDigits = 15

  /// Looks at a text with these bytes before the fraction and between thousands; nil where it is no
  /// such number.
  init?(_ text: Span<UInt8>, decimal: UInt8, thousands: UInt8?) {
    var place = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    let start = place
    var (digits, group, groups) = (0, 0, 0)
    while place < text.count {
      if text[place] &- 48 < 10 {
        group += 1
        digits += 1
      } else if text[place] == thousands, groups == 0 ? (1...3).contains(group) : group == 3 {
        groups += 1
        group = 0
      } else {
        break
      }
      place += 1
    }
    guard group > 0, groups == 0 || group == 3 else { return nil }
    let isZero = text[start] == UInt8(ascii: "0")
    guard !isZero || digits == 1 else { return nil }
    guard place < text.count else {
      guard digits <= Self.mostDigits else { return nil }
      isFractionClear = false
      return
    }
    guard text[place] == decimal else { return nil }
    let fraction = text.count - place - 1
    guard fraction > 0, digits + fraction <= Self.mostDigits else { return nil }
    for place in place + 1..<text.count where text[place] &- 48 >= 10 { return nil }
    isFractionClear = fraction != 3 || isZero || groups > 0 || digits > 3
  }
}
