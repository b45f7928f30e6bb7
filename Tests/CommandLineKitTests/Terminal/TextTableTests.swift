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
        漢字           1  long note
        a\\u{1B}b          fits

        """)
    #expect(table.text(style: TextStyle(usesColor: false, width: 80)).contains("1  long …\n"))
  }

  @Test(arguments: [1, 10, 24, 40, 57, 58, 80])
  func tableFitsTheScreenAndNoIDIsCut(width: Int) {
    let id = "5b8e1d30-2c47-4c1f-8d4a-91f0a7c6e502"
    var table = TextTable(columns: [
      .init("#", alignment: .right), .init("Kind"), .init("Table"), .init("Item"),
    ])
    table.addRow(["1", "update", "TodoItem", id])
    table.addRow(["2", "delete", "漢字", ""])
    let text = table.text(style: TextStyle(usesColor: false, width: width))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { displayWidth(of: $0) <= max(width, 8) }, "\(text)")
    if width >= 38 { #expect(lines.contains { $0.contains(id) }, "\(text)") }
    #expect(text.hasPrefix("#  Kind") == (width >= 57))
  }

  @Test(arguments: [1, 20, 80])
  func namesStayWhole(width: Int) {
    let name = "a folder of  many words/a store"
    var table = TextTable(columns: [.init("Store", isName: true), .init("Rows")])
    table.addRow([name, "1"])
    let text = table.text(style: TextStyle(usesColor: false, width: width))
    #expect(fitted(text, to: width).contains(name), "\(text)")
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
