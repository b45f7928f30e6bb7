import Records
import Testing

struct KnownNamesTests {
  private let names = KnownNames([
    (["Item", "p1"], ["id", "zip"]), (["a.b", "Item.x"], ["c"]), (["None"], []),
  ])

  @Test(arguments: [
    ("Item.zap", "the columns of Item are: id, zip"),
    ("p1.zap", "the columns of p1 are: id, zip"),
    ("a.b.zap", "the columns of a.b are: c"),
    // The longer name is meant.
    ("Item.x.zap", "the columns of Item.x are: c"),
    ("zip", "name its table, too: Item.zip"), ("c", "name its table, too: a.b.c"),
    ("zap", "the tables are: Item, a.b, None"), ("Items.zip", "the tables are: Item, a.b, None"),
    ("None.zip", "there are no columns of None"),
  ])
  func hintTellsWhatIsThere(_ place: String, _ hint: String) {
    #expect(names.hint(for: place) == hint)
    #expect(names.hint(forCorrection: place + "=x") == hint)
  }

  @Test(arguments: [
    ("zap", "the columns are: id, zip, c"), ("Item.zap", "the columns of Item are: id, zip"),
  ])
  func columnOfAnyTableIsHeldAgainstAll(_ name: String, _ hint: String) {
    #expect(names.hint(forColumn: name) == hint)
  }

  @Test func tablesOfOneNameAreToldOnce() {
    let tables = [["id", "a"], ["id", "b"]].map { columns in
      Table(name: "T", columns: columns.map { Column(name: $0, type: .text) })
    }
    let names = KnownNames(tables)
    #expect(names.hint(for: "x") == "the tables are: T")
    #expect(names.hint(for: "T.x") == "the columns of T are: id, a, b")
  }

  @Test func longListIsCutAndSaysWhereTheRestIs() {
    let columns = (1...21).map { "c\($0)" }
    let hint = KnownNames([(["T"], columns)]).hint(for: "T.x")
    #expect(hint.contains("c20 …; the first line of an export to csv has all"))
    #expect(KnownNames.tables(columns).hasSuffix("c20 …"))
    #expect(KnownNames.tables([]) == "there are no tables")
  }
}
