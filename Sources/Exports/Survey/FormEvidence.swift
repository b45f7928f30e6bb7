import Bytes

/// Which form all values of a column have so far, of those that become numbers or times only where a
/// person says so.
struct FormEvidence {
  /// Forms that a column of texts can have.
  struct Forms: OptionSet {
    let rawValue: UInt8

    /// Numbers of the file's own form that a number would not spell as they are: `2.50`, or `1,234.50`
    /// where a comma cannot stand before a fraction.
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
  /// The forms of numbers of which some value shows that its signs mean that, and those of which some
  /// value may be a thousand or a fraction.
  private var clear: Forms = []
  private var doubtful: Forms = []

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
    clear.formUnion(others.clear)
    doubtful.formUnion(others.doubtful)
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
    if forms.contains(.number) {
      look(for: .number, in: text, decimal: spelling.decimal, thousands: spelling.thousands)
    }
    if forms.contains(.commaNumber) {
      look(for: .commaNumber, in: text, decimal: UInt8(ascii: ","), thousands: UInt8(ascii: "."))
    }
    if forms.contains(.dayFirst), Timestamp(parsingFreely: text, isMonthFirst: false) == nil {
      forms.remove(.dayFirst)
    }
    if forms.contains(.monthFirst), Timestamp(parsingFreely: text, isMonthFirst: true) == nil {
      forms.remove(.monthFirst)
    }
  }

  private mutating func look(
    for form: Forms, in text: Span<UInt8>, decimal: UInt8, thousands: UInt8?
  ) {
    guard let look = NumberLook(text, decimal: decimal, thousands: thousands) else {
      forms.remove(form)
      return
    }
    if look.isClear { clear.formUnion(form) }
    if look.isDoubtful { doubtful.formUnion(form) }
  }

  /// Whether values have points before their fractions, which mean thousands once commas stand there.
  var hasPoints: Bool { forms.contains(.number) && isClear(.number) }

  private func isClear(_ form: Forms) -> Bool {
    !clear.isDisjoint(with: form) || doubtful.isDisjoint(with: form)
  }

  /// What the values are, and what reads them as that; nil where they have no such form.
  ///
  /// The column is what `--type` calls it; `besidePoints` says that others have points before fractions.
  func offer(for column: String, besidePoints: Bool) -> String? {
    func type(_ name: String) -> String { "--type " + quotedForShell("\(column)=\(name)") }
    if forms.contains(.number), isClear(.number) {
      return "numbers; \(type("decimal")) reads them as such"
    }
    if forms.contains(.commaNumber), clear.contains(.commaNumber) {
      return
        "numbers with a decimal comma; --decimal-comma with \(type("decimal")) reads them as such"
        + (besidePoints
          ? "; points then mean thousands in all columns, and others have numbers with points" : "")
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
  /// Whether its signs can mean nothing else.
  let isClear: Bool
  /// Whether one sign may stand before a fraction or behind a thousand.
  let isDoubtful: Bool

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
      isClear = groups > 1
      isDoubtful = groups == 1
      return
    }
    guard text[place] == decimal else { return nil }
    let fraction = text.count - place - 1
    guard fraction > 0, digits + fraction <= Self.mostDigits else { return nil }
    for place in place + 1..<text.count where text[place] &- 48 >= 10 { return nil }
    // Where commas part fields, only a point stands before fractions.
    let isCertain = thousands == UInt8(ascii: ",")
    isClear = isCertain || fraction != 3 || isZero || groups > 0 || digits > 3
    isDoubtful = !isClear
  }
}
