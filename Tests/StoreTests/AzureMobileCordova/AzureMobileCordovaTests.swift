import Testing

@testable import Records

struct AzureMobileCordovaTests {
  @Test func systemColumnsHaveTheirTypesWhateverWasDeclared() throws {
    let read = try #require(try SQLStore(WorkedExamples.cordova).reader().read("todoitem"))
    #expect(read.table.types["updatedAt"] == .timestamp)
    #expect(read.table.types["deleted"] == .boolean)
    // Nothing but the app's code tells that these are a date and an object.
    #expect(read.table.types["due"] == .integer)
    #expect(read.table.types["meta"] == .text)
    #expect(read.values("updatedAt") == ["2024-05-01T10:20:30.123Z"])
  }

  @Test func columnsAddedLaterTellTheirTypes() throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.cordova + """
          ALTER TABLE todoitem ADD COLUMN at date; ALTER TABLE todoitem ADD COLUMN list array;
          ALTER TABLE todoitem ADD COLUMN code string; ALTER TABLE todoitem ADD COLUMN on_ boolean;
          ALTER TABLE todoitem ADD COLUMN said string;
          UPDATE todoitem SET at = 5, list = '[1]', code = '00123', on_ = 1,
            said = '"2024-05-01T10:20:30.123Z"';
          """
      ).reader().read("todoitem"))
    #expect(read.table.types["at"] == .timestamp)
    #expect(read.table.types["list"] == .json)
    #expect(read.values("at") == ["1970-01-01T00:00:00.005Z"])
    #expect(read.values("said") == [#""2024-05-01T10:20:30.123Z""#])
    // The affinity of `string` has eaten the zeros: what is left must not pass as the text.
    #expect(read.rejects.map(\.column) == ["code"])
    #expect(read.rejects.map(\.raw) == [.integer(123)])
  }

  @Test func dateInATextColumnMayHaveQuotes() throws {
    let sql = WorkedExamples.cordova.replacing("[updatedAt] INTEGER", with: "[updatedAt] TEXT")
    let read = try #require(
      try SQLStore(sql + #"UPDATE todoitem SET updatedAt = '"2024-05-01T10:20:30.5Z"';"#)
        .reader().read("todoitem"))
    #expect(read.values("updatedAt") == ["2024-05-01T10:20:30.500Z"])
  }

  @Test func queueFollowsItsNumbersAndIgnoresCaseOfIDs() throws {
    let queue = try SQLStore(
      WorkedExamples.cordova + """
        INSERT INTO __operations VALUES (7, 'todoitem', 'delete', 'b2', '{"version":"x"}'),
          (3, 'todoitem', 'insert', 'A1', '{}'), (5, 'todoitem', 'upsert', 'c', NULL);
        """
    ).reader().readQueue()
    #expect(queue.operations.map(\.originalID) == ["1", "3", "5", "7"])
    #expect(queue.operations.map(\.kind) == [.update, .insert, nil, .delete])
    #expect(queue.operations.map(\.rowKey) == [1, 1, nil, nil])
    #expect(queue.operations.map(\.baseVersion) == ["AAAAAAAAB9E=", nil, nil, "x"])
    #expect(queue.operations.allSatisfy { $0.state == .pending && $0.item == nil })
    #expect(queue.errors.isEmpty)
    #expect(queue.tokens.map(\.updatedAt) == ["2024-05-01T10:20:30.123Z"])
    #expect(queue.tokens.map(\.query) == ["allItems"])
  }
}
