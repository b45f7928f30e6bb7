import Records
import TestSupport
import Testing

struct CatalogueNamesTests {
  @Test(arguments: [
    ("TodoItem", "TodoItem"), ("rehome_meta", "app_rehome_meta"), ("Rehome_X", "app_Rehome_X"),
    ("rehome", "rehome"), ("rehomeX", "rehomeX"), ("sqlite_stat1", "app_sqlite_stat1"),
    ("SQLITE_x", "app_SQLITE_x"), ("", "_"), ("_pk", "_pk"), ("Größe", "Größe"), ("\"", "\""),
  ])
  func tableNameIsKeptClearOfReservedOnes(name: String, claimed: String) {
    var names = CatalogueNames()
    #expect(names.claimTable(name) == claimed)
  }

  @Test(arguments: [
    ("text", "text"), ("_pk", "_pk_"), ("_PK", "_PK_"), ("_pk_", "_pk_"), ("", "_"),
    ("rehome_x", "rehome_x"), ("pk", "pk"),
  ])
  func columnNameIsKeptClearOfTheKey(name: String, claimed: String) {
    var names = CatalogueNames()
    #expect(names.claimColumn(name) == claimed)
  }

  @Test func twinsGetNumbers() {
    var names = CatalogueNames()
    let claimed = ["item", "Item", "item", "ITEM_2", "item_2"].map { names.claimTable($0) }
    #expect(claimed == ["item", "Item_2", "item_3", "ITEM_2_2", "item_2_3"])
  }

  @Test func twoSpellingsOfALetterAreTwoNames() {
    var names = CatalogueNames()
    let claimed = ["\u{E9}", "e\u{301}"].map { Array(names.claimTable($0).utf8) }
    #expect(claimed == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
  }

  @Test func changedNamesStayClearOfEachOther() {
    var names = CatalogueNames()
    let tables = ["app_rehome_x", "rehome_x", "REHOME_X", "", "_"].map { names.claimTable($0) }
    #expect(tables == ["app_rehome_x", "app_rehome_x_2", "app_REHOME_X_3", "_", "__2"])
    names = CatalogueNames()
    let columns = ["_pk_", "_pk", "_PK"].map { names.claimColumn($0) }
    #expect(columns == ["_pk_", "_pk__2", "_PK__3"])
  }

  /// Whichever comes first, so that two stores of one app agree.
  @Test(arguments: [
    (["rehome_x", "app_rehome_x"], ["app_rehome_x_2", "app_rehome_x"]),
    (["app_rehome_x", "rehome_x"], ["app_rehome_x", "app_rehome_x_2"]),
    (["a", "A", "A_2"], ["a", "A_3", "A_2"]), (["", "_"], ["__2", "_"]),
    (["sqlite_s", "b", "B"], ["app_sqlite_s", "b", "B_2"]),
  ])
  func freeNamesOfTablesStay(names: [String], claimed: [String]) {
    #expect(CatalogueNames.tables(names) == claimed)
  }

  @Test(arguments: [
    (["_pk", "_pk_"], ["_pk__2", "_pk_"]), (["_pk_", "_PK"], ["_pk_", "_PK__2"]),
    (["a", "a"], ["a", "a_2"]),
  ])
  func freeNamesOfColumnsStay(names: [String], claimed: [String]) {
    #expect(CatalogueNames.columns(names) == claimed)
  }

  @Test func onlyLettersOfASCIIAreTwins() {
    var names = CatalogueNames()
    let claimed = ["ä", "Ä", "É", "E\u{301}"].map { names.claimColumn($0) }
    #expect(claimed.map { Array($0.utf8) } == ["ä", "Ä", "É", "E\u{301}"].map { Array($0.utf8) })
  }

  @Test func manyTwinsTakeNoQuadraticTime() {
    let clock = ThreadClock()
    var names = CatalogueNames()
    var claimed: Set<String> = []
    for _ in 0..<20_000 { claimed.insert(names.claimColumn("same").lowercased()) }
    #expect(claimed.count == 20_000)
    #expect(clock.seconds < 60)
  }

  /// Only what had to give way is known to the app by the name of its source.
  @Test(arguments: [
    (["app_Order", "Order"], "app_Order"), (["app_Order_2024", "Order"], "app_Order_2024"),
    (["app_rehome_x", "rehome_x"], "rehome_x"), (["app_rehome_x_2", "rehome_x"], "rehome_x"),
    (["app_rehome_x_y", "rehome_x"], "app_rehome_x_y"), (["Order", "Order"], "Order"),
  ])
  func appKnowsWhatGaveWayByItsOwnName(names: [String], appName: String) {
    let table = Table(name: names[0], sourceName: names[1], sourceTable: names[1], columns: [])
    #expect(Catalogue(tables: [table], nameOrigin: .schema).appNames == [appName])
  }
}
