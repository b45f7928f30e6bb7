import Bytes
import Records

/// What inference may make of values.
struct InferenceRule: Sendable, Equatable {
  /// Whether a type is taken only where each value comes back to the same text.
  var isExact = false
  /// Whether the format tells numbers from texts, so that no number has a text to come back to.
  var hasNumbers = false
  var spelling = SpellingRule.common
  /// The forms that a person is told of where all values of a column have one.
  var offered: FormEvidence.Forms = []
}

/// Which types all values of a column so far can have without losing a character, or with a change
/// of spelling that is told.
struct TypeEvidence {
  /// The types that are still possible.
  private var types: Candidates
  private let spelling: SpellingRule
  /// Whether the type may be one that spells values otherwise.
  private var mayRespell: Bool
  private var isSmall = true
  private var hasNumber = false
  private(set) var hasValue = false
  private var hasYes = false
  private var hasNo = false
  private var exceptions = TypeExceptions()
  /// The forms of values that fit no type but text.
  private var forms: FormEvidence
  /// The values that the format itself tells from texts, where it does and that is of interest.
  private var otherKinds: OtherKinds?
  /// The value once more as this tool spells it.
  private var spelled: [UInt8] = []

  /// Has seen no value.
  init(_ rule: InferenceRule) {
    types = rule.hasNumbers ? .all : .all.subtracting(.number)
    mayRespell = !rule.isExact
    spelling = rule.spelling
    forms = FormEvidence(rule.offered, rule.spelling)
    if rule.hasNumbers, !rule.isExact { otherKinds = OtherKinds() }
  }

  /// Leaves no type that would change the spelling of a value.
  mutating func keepSpelling() { mayRespell = false }

  /// Takes the value of a row; `isText` says that the format itself calls it a text.
  mutating func add(
    _ text: Span<UInt8>, row: Int, isText: Bool, isContainer: Bool = false
  ) {
    if !isText { otherKinds?.count(text, isContainer: isContainer) }
    let before = types
    let wasSmall = isSmall
    if isContainer {
      types.formIntersection(.json)
    } else {
      types.remove(.json)
      if !types.isDisjoint(with: .words) { addWord(isText ? nil : TruthWord(text), text) }
      if !types.isDisjoint(with: .reals) { addNumber(text, isText: isText) }
      if types.contains(.timestamp), !isTimestamp(text) { types.remove(.timestamp) }
      // Each timestamp is a date, too.
      if types.contains(.date), !types.contains(.timestamp),
        Timestamp(parsingFreely: text) == nil
      {
        types.remove(.date)
      }
    }
    let lost = before.subtracting(types)
    if !lost.isEmpty || wasSmall != isSmall {
      let value = TypeExceptions.Value(text, row: row, isText: isText)
      exceptions.add(value, ruledOut: lost, isFirst: !hasValue, isLarge: !isSmall)
      if isTextAlone, hasValue { forms = forms.keeping(before) }
    }
    if !forms.isEmpty, isTextAlone { addForm(text, isText: isText) }
    hasValue = true
  }

  /// Takes what was seen of the rows that follow `count` others.
  mutating func add(_ later: TypeEvidence, after count: Int) {
    guard later.hasValue else { return }
    forms = formsOfAll
    forms.keep(later.formsOfAll)
    exceptions.add(later.exceptions, after: count, while: types, isFirst: !hasValue)
    if !types.isDisjoint(with: .reals) {
      hasNumber = hasNumber || later.hasNumber
      isSmall = isSmall && later.isSmall
    }
    hasYes = hasYes || later.hasYes
    hasNo = hasNo || later.hasNo
    if let kinds = later.otherKinds { otherKinds = kinds.adding(otherKinds) }
    types.formIntersection(later.types)
    hasValue = true
  }

  /// Takes the form of a value whose column has no type but text.
  ///
  /// What it fits by itself counts as it would have before the column had lost that type, so that
  /// the order of values does not matter.
  private mutating func addForm(_ text: Span<UInt8>, isText: Bool) {
    var own: Candidates = []
    if !isText, !forms.forms.isDisjoint(with: .numbers) {
      if isJSONInteger(text), parseDecimal(text) != nil {
        own = .integer
      } else if isReal(text, isText: false) {
        own = .real
      }
    }
    if own.isEmpty, !forms.forms.isDisjoint(with: .dates), Timestamp(parsingFreely: text) != nil {
      own = .date
    }
    if own.isEmpty {
      forms.look(at: text)
    } else {
      forms = forms.keeping(own)
    }
  }

  /// Whether no type but text is possible.
  private var isTextAlone: Bool { types.isDisjoint(with: .known) }

  /// The forms of all values, those included that fit a type so far.
  private var formsOfAll: FormEvidence {
    isTextAlone || !hasValue ? forms : forms.keeping(types)
  }

  private mutating func addWord(_ word: TruthWord?, _ text: Span<UInt8>) {
    guard let word else { return types.subtract(.words) }
    if word.isTrueOrFalse {
      types.remove(.yesNo)
      if parseBoolean(text, rule: .canonical) == nil { types.remove(.boolean) }
    } else {
      types.subtract([.boolean, .trueFalse])
      hasYes = hasYes || word == .yes
      hasNo = hasNo || word == .no
    }
  }

  private mutating func addNumber(_ text: Span<UInt8>, isText: Bool) {
    if !isText, isJSONInteger(text), let number = parseDecimal(text) {
      hasNumber = true
      // A double holds whole numbers up to 2^53; others keep the column from being real.
      let isExact = number.magnitude <= 1 << 53
      isSmall = isSmall && isExact
      if !isExact, types.contains(.number), !isExactReal(text) { types.remove(.number) }
      return
    }
    types.remove(.integer)
    if !isReal(text, isText: isText) {
      types.remove(.real)
      if types.contains(.number), isText || !isExactReal(text) { types.remove(.number) }
    }
    if !isText, !types.isDisjoint(with: .reals) { hasNumber = true }
  }

  /// The narrowest type that fits every value; text where there is none.
  var type: LogicalType { type(respelling: mayRespell) }

  private func type(respelling mayRespell: Bool) -> LogicalType {
    guard hasValue else { return .text }
    if types.contains(.boolean) || mayRespell && hasTruthWords { return .boolean }
    if types.contains(.integer) { return .integer }
    if types.contains(.real), hasNumber, isSmall { return .real }
    if mayRespell, types.contains(.number), hasNumber { return .real }
    if types.contains(.timestamp) || mayRespell && types.contains(.date) { return .timestamp }
    return types.contains(.json) ? .json : .text
  }

  /// Whether every value is a word for a truth value.
  ///
  /// A lone `no` may be short for Norway, so both words of that pair must be there.
  private var hasTruthWords: Bool {
    types.contains(.trueFalse) || types.contains(.yesNo) && hasYes && hasNo
  }

  /// What the values are that change their spelling with a type that fits them all; nil where none
  /// does.
  func respelling(as type: LogicalType) -> String? {
    guard hasValue else { return nil }
    switch type {
    case .boolean
    where !types.contains(.boolean) && !types.isDisjoint(with: [.trueFalse, .yesNo]):
      return types.contains(.yesNo) ? "yes and no" : "words for true and false"
    case .real where !types.contains(.real) || !isSmall:
      return types.contains(.number) ? "numbers in other spellings" : nil
    case .timestamp where !types.contains(.timestamp) && types.contains(.date):
      return "dates or times"
    default: return nil
    }
  }

  /// What the values are that are none of the format's texts, where text is the only type for all, even
  /// if it may spell them otherwise.
  var becomeTexts: String? { type(respelling: true) == .text ? otherKinds?.words : nil }

  /// What form all values of a column of texts have, and how a person has them read so in the column
  /// that `--type` calls `column`; nil where they have none.
  func offer(for column: String, besidePoints: Bool = false) -> String? {
    isTextAlone && mayRespell ? forms.offer(for: column, besidePoints: besidePoints) : nil
  }

  /// Whether numbers among the values have points before their fractions.
  var hasPoints: Bool {
    spelling.decimal == UInt8(ascii: ".") && (type == .real || isTextAlone && forms.hasPoints)
  }

  /// Why the column has its type: the value that is too wide for a narrower one.
  var reason: String {
    guard hasValue else { return "no values" }
    let reason =
      switch type {
      case .real: exceptions.integerReason
      case .text: exceptions.textReason(among: mayRespell ? .all : .all.subtracting(.respelled))
      default: respelling(as: type).map { "all values are \($0)" }
      }
    return reason ?? "every value fits"
  }

  private mutating func isReal(_ text: Span<UInt8>, isText: Bool) -> Bool {
    guard spelling.decimal == UInt8(ascii: ".") else {
      // What stands between thousands would not come back.
      var rule = spelling
      rule.thousands = nil
      guard let digits = spelledPlainly(text, rule) else { return false }
      return isPlainReal(digits.span, isText: isText)
    }
    return isPlainReal(text, isText: isText)
  }

  private mutating func isPlainReal(_ text: Span<UInt8>, isText: Bool) -> Bool {
    guard let number = parseReal(text), !isText || !number.isFinite else { return false }
    // No store keeps the sign of zero.
    if number == 0, number.sign == .minus { return false }
    spelled.removeAll(keepingCapacity: true)
    spelled.appendReal(number)
    return text.isEqual(to: spelled.span)
  }

  /// Whether the double that a text is read as has the value that it spells, to the last digit.
  private mutating func isExactReal(_ text: Span<UInt8>) -> Bool {
    guard let number = parseReal(text), number.isFinite else { return false }
    if number == 0, number.sign == .minus { return false }
    spelled.removeAll(keepingCapacity: true)
    spelled.appendReal(number)
    guard let value = ExactDecimal(text) else { return false }
    return value == ExactDecimal(spelled.span)
  }

  private mutating func isTimestamp(_ text: Span<UInt8>) -> Bool {
    if isTimestampOfMilliseconds(text) { return true }
    guard let time = Timestamp(parsing: text) else { return false }
    spelled.removeAll(keepingCapacity: true)
    spelled.appendTimestamp(time)
    return text.isEqual(to: spelled.span)
  }
}

/// Types that a column can turn out to have.
struct Candidates: OptionSet {
  let rawValue: UInt16

  static let boolean = Candidates(rawValue: 1)
  static let integer = Candidates(rawValue: 2)
  static let real = Candidates(rawValue: 4)
  static let timestamp = Candidates(rawValue: 8)
  static let json = Candidates(rawValue: 16)
  /// Dates and times in other spellings.
  static let date = Candidates(rawValue: 32)
  /// `TRUE` and `FALSE` in small or capital letters.
  static let trueFalse = Candidates(rawValue: 64)
  /// `yes` and `no` in small or capital letters.
  static let yesNo = Candidates(rawValue: 128)
  /// Numbers of a format that has such, in other spellings.
  static let number = Candidates(rawValue: 256)

  static let words: Candidates = [.boolean, .trueFalse, .yesNo]
  /// Those whose values come back in another spelling.
  static let respelled: Candidates = [.date, .trueFalse, .yesNo, .number]
  static let reals: Candidates = [.real, .number]
  /// All that there are, in sets of which other bits mean nothing.
  static let known: Candidates = [
    .boolean, .integer, .real, .timestamp, .json, .date, .trueFalse, .yesNo, .number,
  ]
  static let all = Candidates(rawValue: .max)
}

extension TypeEvidence {
  /// The values that kept a column from having a narrower type, the first for each type.
  struct TypeExceptions {
    /// A value as it is shown, with its row.
    struct Value {
      let text: String
      var row: Int

      /// Keeps the first characters, which say enough.
      init(_ value: Span<UInt8>, row: Int, isText: Bool) {
        let bytes = [UInt8](copying: value.extracting(0..<min(value.count, 160)))
        let start = String(decoding: bytes, as: UTF8.self)
        let isLong = value.count > 160 || start.count > 40
        text = (isText ? "the string \"" : "\"") + (isLong ? start.prefix(40) + "…" : start) + "\""
        self.row = row
      }

      /// The same value, where so many rows come before those that were counted.
      func moved(by count: Int) -> Value {
        var value = self
        value.row += count
        return value
      }

      var place: String { "\(text) in row \(row)" }
    }

    private var list: [(value: Value, types: Candidates)] = []
    private var large: Value?
    private var firstRow = 0

    /// The types from the one that says most of a value that does not fit.
    private static let words: [(candidate: Candidates, type: LogicalType)] = [
      (.boolean, .boolean), (.trueFalse, .boolean), (.yesNo, .boolean), (.real, .real),
      (.number, .real),
      (.timestamp, .timestamp), (.date, .timestamp), (.json, .json), (.integer, .integer),
    ]

    /// Notes the value that ruled out types, or the first that no double holds.
    mutating func add(_ value: Value, ruledOut types: Candidates, isFirst: Bool, isLarge: Bool) {
      if isFirst { firstRow = value.row }
      if isLarge, large == nil { large = value }
      if !types.isEmpty { list.append((value, types)) }
    }

    /// Takes the values of rows that follow `count` others, which left the types `possible`.
    mutating func add(
      _ later: TypeExceptions, after count: Int, while possible: Candidates, isFirst: Bool
    ) {
      if isFirst, later.firstRow > 0 { firstRow = later.firstRow + count }
      // Only where a column can still be real are its numbers looked at.
      if possible.contains(.real), large == nil { large = later.large?.moved(by: count) }
      for (value, types) in later.list where !types.isDisjoint(with: possible) {
        list.append((value.moved(by: count), types.intersection(possible)))
      }
    }

    /// Which value ruled out whole numbers; nil where none did.
    var integerReason: String? {
      list.first { $0.types.contains(.integer) }.map { "not integer: \($0.value.place)" }
    }

    /// Which value left no type but text, of those that were possible at all.
    func textReason(among possible: Candidates) -> String? {
      guard let last = list.last(where: { !$0.types.isDisjoint(with: possible) }) else {
        return nil
      }
      // Reals that are left over have no number among them, or one that no double holds.
      if let large, !list.contains(where: { $0.types.contains(.real) }) {
        return "not real: \(large.place) has too many digits"
      }
      let types = last.types.intersection(possible)
      guard last.value.row != firstRow,
        let word = Self.words.first(where: { types.contains($0.candidate) })
      else { return last.value.place }
      return "not \(word.type.rawValue): \(last.value.place)"
    }
  }
}
