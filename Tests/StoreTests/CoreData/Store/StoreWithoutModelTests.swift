import Bytes
import Foundation
import Glibc
import Testing

@testable import Records

/// Stores from before iOS 9, which carry no model: tables and values must tell.
struct StoreWithoutModelTests {
  private static let bookkeeping = CoreDataTables.bookkeeping

  private static let present = "6F9619FF-8B86-D011-B42D-00C04FC964F0"
  private static let missing = "6F9619FF-8B86-D011-B42D-00C04FC964F1"

  /// Two values with a tag, one in a file that is there and one in a file that is not.
  private static let photos =
    bookkeeping + """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Photo', 0, 4);
      CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATA BLOB);
      INSERT INTO ZPHOTO VALUES (1, 1, 1, x'01FFD8FF'), (2, 1, 1, NULL),
        (3, 1, 1, CAST(x'02' || '\(present)' || x'00' AS BLOB)),
        (4, 1, 1, CAST(x'02' || '\(missing)' || x'00' AS BLOB));
      """

  /// The folder that the store's large values are in.
  private func makeFolder(of store: SQLStore) throws -> String {
    let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
    let data = folder + "/.store_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    return data
  }

  private func photos(of store: SQLStore) throws -> ReadTable {
    try ReadTable(0, of: try store.reader())
  }

  @Test func tagsAreTakenOffAndFilesAreRead() throws {
    let store = try SQLStore(Self.photos)
    let data = try makeFolder(of: store)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data + "/" + Self.present))
    let table = try photos(of: store)
    #expect(table.rows == [["base64:/9j/"], [nil], ["base64:AQID"], [nil]])
    #expect(table.rejects.map(\.key) == [4])
    #expect(table.rejects.map(\.code) == [.externalDataMissing])
  }

  /// A name of a file is one whatever the other rows have; only what is not spelled so is none.
  @Test(
    arguments: [
      ("x'FFD8FF'", "base64:/9j/", nil), ("x''", "base64:", nil),
      ("'text'", nil, .valueOfWrongType),
      (
        "CAST(x'02' || '6F9619FF-8B86-D011-B42D-00C04FC964G0' || x'00' AS BLOB)",
        "base64:AjZGOTYxOUZGLThCODYtRDAxMS1CNDJELTAwQzA0RkM5NjRHMAA=", nil
      ),
    ] as [(String, String?, RejectCode?)])
  func filesAreReadBesideValuesWithoutATag(
    _ value: String, _ read: String?, _ code: RejectCode?
  ) throws {
    let store = try SQLStore(Self.photos + "INSERT INTO ZPHOTO VALUES (5, 1, 1, \(value));")
    let data = try makeFolder(of: store)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data + "/" + Self.present))
    let table = try photos(of: store)
    #expect(table.rows == [["base64:/9j/"], [nil], ["base64:AQID"], [nil], [read]])
    #expect(table.rejects.map(\.code) == [.externalDataMissing] + (code.map { [$0] } ?? []))
    let alone = try SQLStore(
      Self.photos + "DELETE FROM ZPHOTO; INSERT INTO ZPHOTO VALUES (5, 1, 1, \(value));")
    #expect(try photos(of: alone).rows == [[read]])
  }

  /// An app's own column may be called as one of the SDK's; what it is declared as tells them apart.
  @Test(
    arguments: [
      ("ZUPDATEDAT INTEGER", "1400000000", "UPDATEDAT", .integer, "1400000000"),
      ("ZCREATEDAT FLOAT", "3.25", "CREATEDAT", .real, "3.25"),
      ("ZID INTEGER", "17", "ID", .integer, "17"),
      ("ZVERSION INTEGER", "3", "VERSION", .integer, "3"),
      ("ZUPDATEDAT VARCHAR", "'noon'", "UPDATEDAT", .text, "noon"),
      ("ZUPDATEDAT TIMESTAMP", "0", "updatedAt", .timestamp, "2001-01-01T00:00:00.000Z"),
      ("ZVERSION VARCHAR", "'A='", "version", .text, "A="),
      ("ZDELETED INTEGER", "1", "deleted", .boolean, "1"),
    ] as [(String, String, String, LogicalType, String)])
  func columnsOfAnAppAreNotThoseOfTheSDK(
    column: String, value: String, name: String, type: LogicalType, read: String
  ) throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 0), (2, 'Note', 0, 1);
        CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
        CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(column));
        INSERT INTO ZNOTE VALUES (1, 2, 1, \(value));
        """)
    let reader = try store.reader()
    let table = try #require(reader.catalogue.index(ofTable: "Note"))
    let found = try #require(reader.catalogue.tables[table].columns.first)
    #expect(found.sourceName == name && found.type == type, "\(found)")
    #expect(try ReadTable(table, of: reader).rows == [[read]])
  }

  /// The key of an object is given in the same change as the object is made in.
  @Test(arguments: [(4, false), (3, true), (0, true), (9, false)])
  func keysAboveTheLastOneAreToldWithoutALookAtTheRows(last: Int, isTold: Bool) throws {
    let store = try SQLStore(Self.photos + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(last);")
    let found = try store.reader().findings.filter { $0.code == "wal-missing" }
    #expect(found.map(\.table) == (isTold ? ["Photo"] : []))
    let lacking = try SQLStore(Self.photos + "ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_MAX;")
    #expect(try !lacking.reader().findings.contains { $0.code == "wal-missing" })
  }

  @Test func fileThatTwoRowsNameIsOneFile() throws {
    let store = try SQLStore(
      Self.photos
        + "INSERT INTO ZPHOTO SELECT 5, 1, 1, ZDATA FROM ZPHOTO WHERE Z_PK = 3;")
    let path = try makeFolder(of: store) + "/" + Self.present
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let reader = try store.reader()
    #expect(reader.inputFiles.filter { $0.hasSuffix(Self.present) }.count == 1)
    #expect(
      reader.source.metadata.first { $0.key == "externalData" }?.value
        == "1 file present, 1 missing")
  }

  @Test func fileLongerThanAValueMayBeIsALimitAndIsNotRead() throws {
    let store = try SQLStore(Self.photos)
    let path = try makeFolder(of: store) + "/" + Self.present
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 8 << 30)
    let error = #expect(throws: StoreError.self) { try photos(of: store) }
    #expect(error?.kind == .limit)
    #expect(error?.path == path)
    #expect(error?.hint?.contains("--max-value-bytes") == true)
  }

  @Test func anythingButAPlainFileCountsAsMissing() throws {
    let store = try SQLStore(Self.photos)
    let data = try makeFolder(of: store)
    // The string is a valid C string for the length of the call.
    #expect(unsafe mkfifo(data + "/" + Self.present, 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: data + "/" + Self.missing, withDestinationPath: "/dev/zero")
    let reader = try store.reader()
    #expect(try ReadTable(0, of: reader).rejects.map(\.key) == [3, 4])
    #expect(reader.inputFiles.count == 1)
    let finding = try #require(reader.findings.first { $0.code == "external-data-missing" })
    #expect(finding.severity == .error)
  }

  @Test func folderBehindALinkIsNotEntered() throws {
    let store = try SQLStore(Self.photos)
    let data = try makeFolder(of: store)
    let elsewhere = data + "-elsewhere"
    try FileManager.default.moveItem(atPath: data, toPath: elsewhere)
    try Data([1]).write(to: URL(fileURLWithPath: elsewhere + "/" + Self.present))
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: elsewhere)
    #expect(try photos(of: store).rejects.map(\.key) == [3, 4])
  }

  @Test func bytesThatOnlyBeginWithOneAreNotTagged() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Photo', 0, 2);
        CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATA BLOB);
        INSERT INTO ZPHOTO VALUES (1, 1, 1, x'0102'), (2, 1, 1, x'01FFD8FF'), (3, 1, 1, x'7B7D');
        """)
    #expect(try photos(of: store).rows == [["base64:AQI="], ["base64:Af/Y/w=="], ["base64:e30="]])
  }

  @Test func emptyBytesHaveNoTag() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Photo', 0, 2);
        CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATA BLOB);
        INSERT INTO ZPHOTO VALUES (1, 1, 1, x'01FFD8FF'), (2, 1, 1, x'');
        """)
    #expect(try photos(of: store).rows == [["base64:Af/Y/w=="], ["base64:"]])
  }

  @Test func renamedEntitiesAreFoundByTheirRows() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'OldOne', 0, 1), (2, 'OldTwo', 0, 1);
        CREATE TABLE ZFIRST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR);
        CREATE TABLE ZSECOND (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB VARCHAR);
        INSERT INTO ZFIRST VALUES (1, 2, 1, 'a');
        INSERT INTO ZSECOND VALUES (1, 1, 1, 'b');
        """)
    let reader = try store.reader()
    let tables = try reader.catalogue.tables.indices.map { try ReadTable($0, of: reader) }
    #expect(tables.map(\.table.name) == ["SECOND", "FIRST"])
    #expect(tables.map(\.rows) == [[["b"]], [["a"]]])
  }

  @Test func entitiesOfTheSDKAreSpelledAsItsModelDoes() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 0),
          (2, 'MS_TableOperationErrors', 0, 0), (3, 'MS_TableOperations', 0, 0), (4, 'T', 0, 0);
        CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZKEYTYPE INTEGER, ZID VARCHAR, ZKEY VARCHAR, ZTABLE VARCHAR, ZVALUE VARCHAR);
        CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
          Z_OPT INTEGER, ZOPERATIONID INTEGER, ZTABLEKIND INTEGER, ZID VARCHAR, ZPROPERTIES BLOB);
        CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
        CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTABLE VARCHAR,
          ZID VARCHAR);
        """)
    let entities = try #require(try store.reader().model).entities
    let attributes = Dictionary(
      uniqueKeysWithValues: entities.map { entity in
        (entity.name, Set(entity.attributes.map { "\($0.name) \($0.type)" }))
      })
    #expect(
      attributes == [
        "MS_TableConfig": [
          "keyType Integer 64", "id String", "key String", "table String", "value String",
        ],
        "MS_TableOperationErrors": [
          "operationId Integer 64", "tableKind Integer 16", "id String", "properties Binary",
        ],
        "MS_TableOperations": [
          "id Integer 64", "tableKind Integer 16", "itemId String", "table String",
          "properties Binary",
        ],
        "T": ["TABLE String", "id String"],
      ])
  }

  @Test func taggedPayloadsOfTheQueueAreDecoded() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 1);
        CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
        INSERT INTO ZMS_TABLEOPERATIONS VALUES
          (1, 1, 1, 1, 'a', 'T', CAST(x'01' || '{"type":1}' AS BLOB));
        """)
    let operation = try #require(try store.reader().readQueue().operations.first)
    #expect(operation.kind == .update)
    #expect(operation.raw == .binary([1] + Array(#"{"type":1}"#.utf8)))
  }

  @Test func payloadsInFilesAreReadAndTheirFilesAreListed() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES
          (1, 'MS_TableOperationErrors', 0, 1), (2, 'MS_TableOperations', 0, 3);
        CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
        INSERT INTO ZMS_TABLEOPERATIONS VALUES
          (1, 2, 1, 1, 'a', 'T', CAST(x'01' || '{"type":1}' AS BLOB)),
          (2, 2, 1, 2, 'b', 'T', CAST(x'02' || '\(Self.present)' || x'00' AS BLOB)),
          (3, 2, 1, 3, 'c', 'T', CAST(x'02' || '\(Self.missing)' || x'00' AS BLOB));
        CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
          Z_OPT INTEGER, ZOPERATIONID INTEGER, ZID VARCHAR, ZPROPERTIES BLOB);
        INSERT INTO ZMS_TABLEOPERATIONERRORS
          SELECT 1, 1, 1, 2, 'e', ZPROPERTIES FROM ZMS_TABLEOPERATIONS WHERE Z_PK = 2;
        """)
    let payload = #"{"type":2,"item":{"id":"b","version":"w"},"code":-1302}"#
    let path = try makeFolder(of: store) + "/" + Self.present
    try Data(payload.utf8).write(to: URL(fileURLWithPath: path))
    let reader = try store.reader()
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.kind) == [.update, .delete, nil])
    #expect(queue.operations.map(\.baseVersion) == [nil, "w", nil])
    #expect(queue.operations[1].raw == .binary(Array(payload.utf8)))
    #expect(queue.errors.map(\.code) == ["-1302"])
    #expect(reader.inputFiles.filter { $0.hasSuffix(Self.present) }.count == 1)
    let finding = try #require(reader.findings.first { $0.code == "external-data-missing" })
    #expect(finding.message.hasPrefix("1 value of MS_TableOperations."))
  }

  @Test func modelOfAnotherStoreGivesWayToTheColumns() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../samples/ios-2016/qstodoitem.sqlite").standardizedFileURL
    let store = try SQLStore(
      Self.bookkeeping + """
        ATTACH '\(samples.path)' AS other;
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        INSERT INTO Z_MODELCACHE SELECT Z_CONTENT FROM other.Z_MODELCACHE;
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Photo', 0, 1);
        CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR);
        INSERT INTO ZPHOTO VALUES (1, 1, 1, 'a');
        """)
    let reader = try store.reader()
    #expect(reader.catalogue.tables.map(\.name) == ["Photo"])
    let finding = try #require(reader.findings.first { $0.code == "names-from-fallback" })
    #expect(finding.severity == .warning)
  }
}
