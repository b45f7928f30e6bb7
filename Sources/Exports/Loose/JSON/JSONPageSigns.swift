import Bytes

/// What the objects of a file say beside the rows that they may wrap, which tells whether they are
/// pages of one answer at all: orders with `items` and a `total` look like pages, too.
struct JSONPageSigns {
  /// Whether one says what nothing but an answer does.
  private var isSure = false
  /// Whether they say different things of what is one thing in an answer.
  private var differ = false
  private var hasRows = false
  /// Whether nothing is said in any of them, but that nothing failed.
  private var areSilent = true
  /// What was said first, by the words.
  private var values: [String: [UInt8]] = [:]
  private var numbers: [String: Numbers] = [:]

  /// Numbers of pages, whatever their order.
  private struct Numbers {
    var (least, greatest) = (Int64.max, Int64.min)
    var count: Int64 = 0

    mutating func add(_ number: Int64) {
      (least, greatest) = (min(least, number), max(greatest, number))
      count += 1
    }

    /// Whether each comes once and none is missing between them.
    var areOfPages: Bool {
      let (distance, isTooFar) = greatest.subtractingReportingOverflow(least)
      return count < 2 || !isTooFar && distance == count - 1
    }
  }

  /// Whether objects so far cannot be pages of one answer.
  var areOfSeveral: Bool { differ && !isSure }

  /// Whether all objects are rows, as members of theirs would be lost where they were taken for pages.
  var areRows: Bool {
    guard !isSure else { return false }
    return differ || !hasRows && !areSilent || !numbers.values.allSatisfy(\.areOfPages)
  }

  /// Takes what an object says.
  mutating func add(_ object: JSONMembers) {
    let rows = object.rowCount
    hasRows = hasRows || rows > 0
    isSure = isSure || object.isCoded
    for member in object.members {
      if member.isAnnotation {
        isSure = isSure || JSONWords.isODataAnnotation(member.name)
      } else if JSONWords.isSurelyOfAnswer(member.word) {
        isSure = true
      } else if member.kind == .scalar || member.kind == .empty {
        areSilent = areSilent && (member.kind == .empty || member.tellsOfSuccess)
        compare(member, rows: rows)
      }
    }
  }

  private mutating func compare(_ member: JSONMembers.Member, rows: Int) {
    let isSize = JSONWords.sizes.contains(member.word)
    if let number = member.number {
      if isSize, number == rows { return }
      if JSONWords.pageNumbers.contains(member.word) {
        return numbers[member.word, default: Numbers()].add(number)
      }
    }
    guard isSize || JSONWords.steady.contains(member.word) else { return }
    let value = member.text.isEmpty && member.kind == .scalar ? [1] : member.text
    if let known = values.updateValue(value, forKey: member.word), known != value { differ = true }
  }
}
