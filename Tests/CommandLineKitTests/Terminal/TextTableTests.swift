import CommandLineKit
import Testing

struct TextTableTests {
  @Test func columnsAlignByDisplayWidth() {
    var table = TextTable(columns: [
      .init("table"), .init("rows", alignment: .right), .init("note", widest: 6),
    ])
    table.addRow(["Todo", "12,345", ""])
    table.addRow(["漢字", "1", "long note"])
    table.addRow(["a\u{1B}b", "", "fits"])
    #expect(
      table.text() == """
        table       rows  note
        Todo      12,345
        漢字           1  long …
        a\\u{1B}b          fits

        """)
  }

  @Test func rowsThatAreNotKeptLookTheSame() {
    let columns: [TextTable.Column] = [
      .init("a", alignment: .right), .init("b", widest: 4), .init("c"),
    ]
    let rows = [
      ["1", "a\u{1B}", ""], ["22", "long note", "x  "], ["", "", ""], ["3", "漢字", "y"],
    ]
    var kept = TextTable(columns: columns)
    for row in rows { kept.addRow(row) }
    var written = ""
    TextTable(columns: columns).write(rows) { written += $0 }
    #expect(written == kept.text())
    #expect(!written.contains(" \n"))
  }

  @Test func headingIsBoldWithColour() {
    let table = TextTable(columns: [.init("a"), .init("b")])
    #expect(table.isEmpty)
    #expect(table.text(style: .init(usesColor: true)) == "\u{1B}[1ma  b\u{1B}[0m\n")
  }

  @Test func rowOfAnotherLengthTraps() async {
    await #expect(processExitsWith: .failure) {
      var table = TextTable(columns: [.init("a")])
      table.addRow(["1", "2"])
    }
  }
}
