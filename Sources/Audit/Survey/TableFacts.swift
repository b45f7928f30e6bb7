import Bytes
import Records

/// What the rules need to know about the rows of one table.
package struct TableFacts: Sendable, Equatable {
  /// The table's name.
  package var name: String
  /// How many rows it has.
  package var rows = 0
  /// The numbers of the sources that rows are of; in a store of one all have the number 0.
  var sources: Set<Int32>
  /// How many rows have no id, in a table whose items have one.
  var missingIDs = 0
  /// Ids that several rows share, up to a limit.
  var sharedIDs: [SharedID] = []
  /// Those beyond the limit.
  var unlistedIDs = UnlistedIDs()
  var rowsWithVersion = 0
  /// How many rows have neither a version nor a pending operation.
  var unexplainedRows = 0
  /// The ids of the first of them.
  var unexplainedIDs: [String] = []
  var deletedRows = 0
  /// The newest `updatedAt`, as canonical text in UTF-8; empty when there is none.
  var newestTimeText: [UInt8] = []
  /// Values that could not be taken over, by column and code.
  var rejects: [RejectPlace: Int] = [:]
  /// References whose rows are not there.
  var dangling: [DanglingReference] = []
  /// The keys of rows with a version that operations are tied to.
  var attachedWithVersion = KeySet()
  /// The keys of rows that operations are tied to, and of which a value could not be taken over that
  /// would be sent.
  var attachedWithGaps = KeySet()
  /// Those of which the version could not be taken over.
  var attachedWithLostVersion = KeySet()

  var newestUpdate: String? {
    get { newestTimeText.isEmpty ? nil : String(decoding: newestTimeText, as: UTF8.self) }
    set { newestTimeText = Array((newValue ?? "").utf8) }
  }

  /// How many places of one kind are listed one by one.
  static let listLimit = 1000

  /// Facts about a table of which no row was seen yet.
  init(name: String, sources: Set<Int32> = [0]) {
    self.name = name
    self.sources = sources
  }

  /// An id that several rows have.
  struct SharedID: Sendable, Equatable {
    /// The id as the first of the rows spells it.
    var first: String
    /// How many rows have it.
    package var rows: Int
    /// In how many ways they spell it.
    var spellings: Int
    /// The spellings that several rows have, and how many; none where each has its own.
    var repeated: [Spelling]

    /// A way to spell an id, and how many rows spell it so.
    struct Spelling: Sendable, Equatable {
      var text: String
      var rows: Int
    }
  }

  /// Ids that several rows share and that are not listed.
  struct UnlistedIDs: Sendable, Equatable {
    /// How many of them several rows spell in the same way.
    var repeated = 0
    /// How many of them are spelled in ways that differ in letter case.
    var twins = 0

    init() {}

    mutating func add(_ others: UnlistedIDs) {
      repeated += others.repeated
      twins += others.twins
    }
  }

  /// A column and what is wrong with some of its values.
  struct RejectPlace: Sendable, Hashable {
    /// The column's name.
    @ExactText var column: String
    var code: RejectCode
  }

  /// A column that points to rows that are not there.
  struct DanglingReference: Sendable, Equatable {
    /// The column's name.
    var column: String
    var target: String
    /// How many different keys lead nowhere.
    var keys: Int
    /// The least of them.
    var example: Int64
  }
}
