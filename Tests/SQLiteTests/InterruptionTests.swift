import Bytes
import SQLite
import Synchronization
import TestSupport
import Testing

struct InterruptionTests {
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  @Test(.mustEnd) func raisedInterruptionStopsAnEndlessQuery() throws {
    let connection = try memory("")
    let polls = Atomic<Int>(0)
    connection.watch(Interruption { polls.add(1, ordering: .relaxed).newValue > 3 })
    let error = try #require(
      #expect(throws: SQLiteError.self) { try connection.integer(Self.endless) })
    #expect(error.code == .interrupt)
    #expect(error.kind == .interrupted)
    #expect(polls.load(ordering: .relaxed) == 4)
  }

  @Test func interruptionThatIsNotRaisedChangesNothing() throws {
    let connection = try memory("")
    let polls = Atomic<Int>(0)
    connection.watch(
      Interruption {
        polls.add(1, ordering: .relaxed)
        return false
      })
    let sql = Self.endless.replacing("FROM n)", with: "FROM n WHERE i < 100000)")
    #expect(try connection.integer(sql) == 100_000)
    #expect(polls.load(ordering: .relaxed) > 0)
  }
}
