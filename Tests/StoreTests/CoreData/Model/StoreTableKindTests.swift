import Testing

@testable import CoreData

struct StoreTableKindTests {
  @Test(arguments: [
    ("Z_METADATA", StoreTableKind.bookkeeping), ("Z_PRIMARYKEY", .bookkeeping),
    ("Z_MODELCACHE", .bookkeeping), ("z_metadata", .bookkeeping), ("ACHANGE", .history),
    ("ATRANSACTION", .history), ("ATRANSACTIONSTRING", .history),
    ("ANSCKRECORDMETADATA", .cloudMirror), ("Z_RT_Place_location_rowid", .spatialIndex),
    ("sqlite_stat1", .engine), ("ZBOOK", .objects), ("ZCD_BASE", .objects),
    ("Z_12BOOKS", .join), ("Z_", .objects), ("Z_EVENT", .objects), ("z_metadatas", .objects),
    ("grdb_migrations", .foreign), ("", .foreign),
  ])
  func nameTellsTheKind(name: String, kind: StoreTableKind) {
    #expect(StoreTableKind(table: name) == kind)
  }

  @Test(arguments: ["ZBOOK", "Z_12BOOKS", "other"])
  func tablesOfTheAppAreNotTheSystems(name: String) {
    #expect(!StoreTableKind(table: name).isSystem)
  }
}
