import Bytes
import Canonical
import Formats
import Records

/// Answers the requests of a replay from a canonical store as a table service would.
///
/// A change gives the item a version that follows from what it was and what it became, so that a
/// rehearsal gives the same store each time but for `updatedAt`. Where a table has a column for
/// it, a delete only marks the item, as the services do.
struct LocalService {
  /// An answer: the status, and the item with its version where there is one.
  struct Answer: Equatable {
    var status: Int
    var version: String?
    var body: [UInt8] = []
  }

  /// A request, its path taken apart.
  struct Request {
    var method: String
    var table: String
    var id: String?
    /// The version in the condition, unquoted; nil where there is none.
    var condition: String?
    var includesDeleted = false
    var body: [UInt8]?
    /// What the body leaves out, with the values that it is taken for.
    var leftOut: [JSONObject.Member] = []
    /// The members of the body, in lower case, that are the SDK's, so that a table without columns for
    /// them need not keep them.
    var sdkMembers: Set<String> = []
  }

  /// What a service does that not all of them do.
  struct Habits {
    /// Whether a table takes new columns, and fractions where it had whole numbers.
    var growsTables = false
    /// Whether deleted items go, also where a column could mark them.
    var removesDeleted = false
    /// Whether ids that differ only in letter case are two items.
    var tellsCaseTwinsApart = false
    /// What apps call the times at which an item was made and last changed, where these are their
    /// own and taken as they are sent.
    var ownTimes: [ExactText: ColumnRole] = [:]
  }

  let items: StoredItems
  private(set) var tables: LocalTables
  /// The store whose tables may grow; nil where they stay as they are.
  var store: LiveStore?
  var habits = Habits()
  let systemPrefix: String
  /// The member that names an item, where that is not its `id`.
  var idMember: String?

  /// Answers one request; what it changes belongs to the caller's transaction.
  mutating func answer(_ request: Request, now: Timestamp) throws(StoreError) -> Answer {
    guard var table = tables.table(named: request.table) else {
      return Self.refusal(404, "there is no table \(request.table)")
    }
    guard table.index(of: .id) != nil else {
      return Self.refusal(404, "the table \(table.name) has no column with the ids of its items")
    }
    if request.method == "GET", request.id == nil {
      return Answer(status: 200, body: Array((tables.isVersion3 ? "{\"items\":[]}" : "[]").utf8))
    }
    if habits.growsTables, let store {
      table = try grow(table, for: request, in: store)
    }
    let exchange = LocalExchange(
      items: items, shape: shape(of: table, for: request), isVersion3: tables.isVersion3,
      removesDeleted: habits.removesDeleted,
      tellsCaseTwinsApart: habits.tellsCaseTwinsApart, request: request, now: now)
    return try exchange.answer()
  }

  private func shape(of table: Table, for request: Request) -> LocalItems {
    LocalItems(
      table, systemPrefix: systemPrefix, idMember: idMember, hasExactNames: tables.hasExactNames,
      sdkMembers: request.sdkMembers, ownTimes: habits.ownTimes)
  }

  private mutating func grow(
    _ table: Table, for request: Request, in store: LiveStore
  ) throws(StoreError) -> Table {
    // What is no JSON object is refused by the exchange.
    guard let body = request.body,
      let object = JSONObject(parsing: body.span, limits: .standard.inside(levels: 1))
    else { return table }
    var grown = table
    for need in shape(of: table, for: request).needs(of: object) {
      switch need {
      case .column(let column):
        try store.add(column, to: grown)
        grown.columns.append(column)
      case .fractions(let place):
        try store.widen(place, of: grown)
        grown.columns[place].type = .real
      }
    }
    guard grown.columns != table.columns else { return table }
    items.forget(table)
    tables.replace(table, by: grown)
    return grown
  }

  static func refusal(_ status: Int, _ words: String) -> Answer {
    var body: [UInt8] = []
    JSONValue.object(JSONObject([.init(key: "error", value: .string(words))]) ?? JSONObject())
      .append(to: &body)
    return Answer(status: status, body: body)
  }
}
