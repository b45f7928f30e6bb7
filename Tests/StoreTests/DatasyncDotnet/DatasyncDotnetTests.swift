import Testing

@testable import Records

struct DatasyncDotnetTests {
  @Test func timesAreMilliseconds() throws {
    let reader = try SQLStore(
      WorkedExamples.datasync + """
        INSERT INTO todoitem VALUES ('m', NULL, 0, -0.25, 0, -62135596800000, NULL);
        """
    ).reader()
    let read = try #require(try reader.read("todoitem"))
    #expect(read.values("due") == ["2024-05-01T10:20:30.500Z", "1969-12-31T23:59:59.999750000Z"])
    #expect(read.values("updatedAt") == ["2024-05-01T10:20:30.123Z", "0001-01-01T00:00:00.000Z"])
    #expect(
      read.table.parts == [
        .id: "id", .deleted: "deleted", .updatedAt: "updatedAt", .version: "version",
      ])
  }

  /// The older SDK counted seconds; a number too large for them is the newer one's.
  @Test(arguments: [
    ("1714558830.5", "2024-05-01T10:20:30.500Z"), ("1714558830500", "2024-05-01T10:20:30.500Z"),
    ("1714558830", "2024-05-01T10:20:30.000Z"),
    ("1714558830500.25", "2024-05-01T10:20:30.500250000Z"),
    ("-0.25", "1969-12-31T23:59:59.750Z"), ("0", "1970-01-01T00:00:00.000Z"),
    ("-62135596800", "0001-01-01T00:00:00.000Z"), ("-62135596800000", "0001-01-01T00:00:00.000Z"),
    ("99999999999", "5138-11-16T09:46:39.000Z"), ("100000000000", "1973-03-03T09:46:40.000Z"),
    // The last time that .NET knows.
    ("253402300799", "9999-12-31T23:59:59.000Z"), ("253402300799.5", "9999-12-31T23:59:59.500Z"),
    ("253402300799999", "9999-12-31T23:59:59.999Z"), ("253402300798", "1978-01-11T21:31:40.798Z"),
  ])
  func timesOfTheOlderSDKAreSeconds(number: String, time: String) throws {
    let insertion = "INSERT INTO todoitem (id, due, updatedAt) VALUES ('o', \(number), \(number));"
    let inherited = WorkedExamples.datasync.replacing("[value] INTEGER", with: "[value] TEXT")
    let reader = try SQLStore(inherited + insertion).reader()
    let read = try #require(try reader.read("todoitem"))
    #expect(read.values("due").last == time)
    #expect(read.values("updatedAt").last == time)
    #expect(reader.findings.first?.message.contains("seconds") == true)
    #expect(reader.source.evidence.contains { $0.contains("seconds") })
  }

  /// A file of this SDK alone keeps what it wrote for the years before 1973, too.
  @Test func smallTimesOfThisSDKAloneAreMilliseconds() throws {
    let reader = try SQLStore(
      WorkedExamples.datasync + "INSERT INTO todoitem (id, due) VALUES ('o', 99999999999);"
    ).reader()
    #expect(try reader.read("todoitem")?.values("due").last == "1973-03-03T09:46:39.999Z")
    #expect(reader.findings.isEmpty)
  }

  @Test func createdAtIsAColumnOfTheApp() throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.datasync + "ALTER TABLE todoitem ADD COLUMN createdAt TEXT;"
      ).reader().read("todoitem"))
    #expect(read.table.types["createdAt"] == .text)
    #expect(read.table.parts[.createdAt] == nil)
  }

  @Test func codesAreThoseOfDatasync() throws {
    let queue = try SQLStore(
      WorkedExamples.datasync + """
        INSERT INTO __operations VALUES
          ('b', 1, 3, 'todoitem', 'gone', '{"id":"gone","version":"v9"}', 2, 1),
          ('c', 2, 2, 'todoitem', 'a1', NULL, 3, 1), ('d', 0, 1, 'todoitem', 'a1', NULL, 4, 1);
        INSERT INTO __errors VALUES ('b', 409, 1, 1, 'todoitem', '{"id":"gone"}', '"no"');
        """
    ).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.update, .delete, .insert, nil])
    #expect(queue.operations.map(\.state) == [.pending, .failed, .completed, .attempted])
    #expect(queue.operations.map(\.baseVersion) == ["AAAAAAAAB9E=", "v9", nil, nil])
    #expect(queue.operations.map(\.rowKey) == [1, nil, 1, nil])
    #expect(queue.errors.map(\.operation) == [2])
    #expect(queue.errors.map(\.message) == ["no"])
    #expect(queue.errors.map(\.itemID) == ["gone"])
  }

  @Test func tokensAreMillisecondsAndAQueryMayHoldFullStops() throws {
    let queue = try SQLStore(
      WorkedExamples.datasync + """
        INSERT INTO __config VALUES ('dt.todoitem.a.b', 'soon'), ('dt.alone', 1), ('other', 2);
        """
    ).reader().readQueue()
    #expect(queue.tokens.map(\.query) == ["allitems", "a.b"])
    #expect(queue.tokens.map(\.updatedAt) == ["2024-05-01T10:20:30.123Z", nil])
    #expect(queue.tokens.map(\.raw) == ["1714558830123", "soon"])
  }
}
