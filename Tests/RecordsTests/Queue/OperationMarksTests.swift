import Bytes
import TestSupport
import Testing

@testable import Records

struct OperationMarksTests {
  private func mark(_ number: Int, about sequence: Int64) -> NumberedMark {
    let time = Timestamp(wholeSecondsSince1970: Int64(number), nanoseconds: Int32(number % 7))
    let mark = OperationMark(
      number % 2 == 0 ? .drop : .keep, at: time ?? .epoch, who: number % 3 == 0 ? nil : "me",
      why: number % 5 == 0 ? nil : "reason \(number % 20)")
    return NumberedMark(
      mark, about: sequence, in: number % 4 == 0 ? nil : OperationState.allCases[number % 5])
  }

  /// Marks of whole tables come one behind the other, and further ones begin again.
  @Test(arguments: [1, 2, 900, 20_000])
  func marksAreThoseOfAPlainList(spread: Int64) {
    var generator = SeededGenerator(seed: 7)
    var added: [NumberedMark] = []
    for number in 0..<20_000 {
      let sequence =
        number < 9000 ? Int64(number) % 3000 + 1 : Int64.random(in: -1...spread, using: &generator)
      added.append(mark(number, about: number == 5 ? .max : number == 6 ? .min : sequence))
    }
    let marks = OperationMarks(added)
    let expected = added.enumerated().sorted {
      ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset)
    }.map(\.element)
    #expect(Array(marks) == expected)
    let bySequence = Dictionary(grouping: expected, by: \.sequence)
    for (sequence, list) in bySequence {
      #expect(marks[sequence] == list.map(\.mark))
      #expect(marks.last(of: sequence) == list.last)
      #expect(marks.lastKind(of: sequence) == list.last?.mark.kind)
    }
    #expect(marks[-7].isEmpty && marks.last(of: 30_000) == nil)
    #expect(marks.lastKind(of: 0) == bySequence[0]?.last?.mark.kind)
    #expect(marks == OperationMarks(expected) && marks != OperationMarks(expected.dropLast()))
  }

  @Test func noMarksSayNothing() {
    let marks = OperationMarks()
    #expect(marks.isEmpty && marks[1].isEmpty && marks.last(of: .max) == nil)
    #expect(marks.lastKind(of: .min) == nil && Array(marks).isEmpty)
  }

  /// Names that look the same are spelled as they were.
  @Test func spellingsStayApart() {
    let names = ["e\u{301}", "\u{e9}", "", "e\u{301}"]
    let marks = OperationMarks(
      names.enumerated().map { number, name in
        NumberedMark(OperationMark(.drop, at: .epoch, who: name, why: name), about: Int64(number))
      })
    #expect(marks.compactMap(\.mark.who).map { Array($0.utf8) } == names.map { Array($0.utf8) })
    #expect(marks.compactMap(\.mark.why).map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  /// Marks that stand behind each other in a store took some hundred bytes each.
  @Test func marksOfOneDecisionTakeAFewBytesEach() {
    var marks = OperationMarks()
    for sequence in 1...50_000 as ClosedRange<Int64> { marks.append(mark(2, about: sequence)) }
    #expect(marks.memory < 6 * 50_000)
    for sequence in 1...50_000 as ClosedRange<Int64> { marks.append(mark(3, about: sequence)) }
    marks.settle()
    #expect(marks.memory < 6 * 100_000)
  }
}
