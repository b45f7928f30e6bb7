import Bytes
import TestSupport
import Testing

struct VisibleCharactersTests {
  /// Characters by their kinds, as Python's own tables have them, and those that Unicode calls ignorable.
  private static let kinds = """
    import unicodedata
    fillers = {0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0}
    fillers |= {*range(0x180b, 0x1810), *range(0xfe00, 0xfe10), *range(0xe0000, 0xe1000)}
    def answer(line):
      code = int(line)
      kind = unicodedata.category(chr(code))
      if kind in ('Cc', 'Cf', 'Zl', 'Zp') or code in fillers: return 'hides'
      return 'shows' if kind[0] in 'LMNPS' else 'other'
    """

  @Test func whatPythonTakesForInvisibleIsSpelled() throws {
    let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
    let kinds = try Python.answers(to: scalars.map { String($0.value) }, Self.kinds)
    for (scalar, kind) in zip(scalars, kinds) {
      let spelling = visibleSpelling(of: scalar, after: nil)
      if kind == "hides", scalar != "\n", scalar != "\t" {
        let digits = spelling?.dropFirst(3).dropLast() ?? ""
        #expect(UInt32(digits, radix: 16) == scalar.value, "\(scalar.value)")
      } else if kind == "shows" {
        #expect(spelling == nil, "\(scalar.value)")
      }
    }
    #expect(kinds.count { $0 == "hides" } > 4000)
  }

  @Test(
    arguments: [("❤", true), ("a", false), ("1", false), (nil, false)] as [(Unicode.Scalar?, Bool)])
  func selectorOfAnEmojiIsPartOfIt(previous: Unicode.Scalar?, isPart: Bool) {
    for selector in ["\u{FE0E}", "\u{FE0F}"] as [Unicode.Scalar] {
      #expect((visibleSpelling(of: selector, after: previous) == nil) == isPart)
    }
  }
}
