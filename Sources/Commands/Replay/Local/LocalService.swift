import Bytes
import CanonicalStore
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
  }

  let items: StoredItems
  let catalogue: Catalogue
  /// Whether the service speaks as version 3 does, where that is another language.
  let isVersion3: Bool
  let systemPrefix: String

  /// Answers one request; what it changes belongs to the caller's transaction.
  ///
  /// - Throws: `StoreError` when the store cannot be read or written.
  func answer(_ request: Request, now: Timestamp) throws(StoreError) -> Answer {
    guard let table = table(named: request.table), table.index(of: .id) != nil else {
      return Self.refusal(404, "there is no table \(request.table)")
    }
    let exchange = LocalExchange(
      items: items, shape: LocalItems(table, systemPrefix: systemPrefix), isVersion3: isVersion3,
      request: request, now: now)
    return try exchange.answer()
  }

  /// The table of that name, or of that source name, without regard to case.
  ///
  /// Routes of version 3 are named after a type, where the app names its table after many of them.
  private func table(named name: String) -> Table? {
    let folded = name.lowercased()
    return catalogue.tables.first { $0.name == name }
      ?? catalogue.tables.first { $0.name.lowercased() == folded }
      ?? catalogue.tables.first { $0.sourceName.lowercased() == folded }
      ?? (isVersion3 ? catalogue.tables.first { isPlural($0.name.lowercased(), of: folded) } : nil)
  }

  private func isPlural(_ name: String, of word: String) -> Bool {
    name == word + "s" || name == word + "es"
      || (word.hasSuffix("y") && name == word.dropLast() + "ies")
  }

  static func refusal(_ status: Int, _ words: String) -> Answer {
    var body: [UInt8] = []
    JSONValue.object(JSONObject([.init(key: "error", value: .string(words))]) ?? JSONObject())
      .append(to: &body)
    return Answer(status: status, body: body)
  }
}
