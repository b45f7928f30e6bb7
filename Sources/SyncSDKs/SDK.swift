import Bytes
package import Records
package import SQLite
package import Tables

/// A sync SDK: how its stores are told from others, and what is true of each of their generations.
///
/// Each has one file, in the folder of its name, and one line in `all`.
package struct SDK: Sendable {
  /// What a database turns out to be.
  package enum Recognition {
    case tables(RecognisedTables)
    /// A schema that only the SDK's own reader knows; what people call the store.
    case own(
      String, @Sendable (consuming SourceDatabase) throws(StoreError) -> any StoreReader)
  }

  /// The name of the layout.
  package let layout: Layout
  /// What is true of a generation, or of stores that do not tell theirs.
  let traits: @Sendable (_ generation: String?) -> SDKTraits
  /// Looks whether a database is of the SDK; nil where more than a database has to be looked at.
  let recognise: Recogniser?

  /// Tells what a database is by its tables; nil when it is not the SDK's.
  typealias Recogniser =
    @Sendable (SystemTables, borrowing Connection) throws(SQLiteError) -> Recognition?

  /// All SDKs, in the order in which their stores are recognised: the surest signs first.
  package static let all: [SDK] = [
    .azureMobileIOS, .parseCommandCache, .parseLocalDatastore, .couchbaseLite, .datasyncToolkit,
    .azureMobileCordova, .amplifyDataStore, .azureMobileAndroid, .azureMobileDotnet,
    .datasyncDotnet, .watermelonDB, .powerSync,
  ]

  private static let byLayout = Dictionary(keepingFirst: all.map { ($0.layout.rawValue, $0) })

  /// What is true of the stores of a layout; of one that is no SDK's, nothing in particular.
  package static func traits(ofLayout layout: String?, generation: String?) -> SDKTraits {
    layout.flatMap { byLayout[$0] }?.traits(generation) ?? SDKTraits()
  }

  /// What is true of the stores of a layout, as a store of several names it.
  package static func traits(of origin: (layout: String, generation: String?)) -> SDKTraits {
    traits(ofLayout: origin.layout, generation: origin.generation)
  }

  /// What a database is, if any SDK has made it.
  package static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Recognition? {
    for sdk in all {
      if let found = try sdk.recognise?(tables, connection) { return found }
    }
    return nil
  }
}
