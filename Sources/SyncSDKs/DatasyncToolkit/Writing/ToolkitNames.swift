/// The names that the Community Toolkit and Entity Framework use, as their migrations spell them.
enum ToolkitNames {
  /// The columns of the queue, and those of the tokens.
  static let queueColumns = [
    "Id", "Kind", "State", "LastAttempt", "HttpStatusCode", "EntityType", "ItemId",
    "EntityVersion", "Item", "Sequence", "Version",
  ]
  static let tokenColumns = ["Id", "Value"]

  /// What makes both tables in a store for which no template is given.
  static let systemTables = """
    CREATE TABLE "DatasyncDeltaTokens" (
        "Id" TEXT NOT NULL CONSTRAINT "PK_DatasyncDeltaTokens" PRIMARY KEY,
        "Value" INTEGER NOT NULL
    );
    CREATE TABLE "DatasyncOperationsQueue" (
        "Id" TEXT NOT NULL CONSTRAINT "PK_DatasyncOperationsQueue" PRIMARY KEY,
        "Kind" INTEGER NOT NULL,
        "State" INTEGER NOT NULL,
        "LastAttempt" TEXT NULL,
        "HttpStatusCode" INTEGER NULL,
        "EntityType" TEXT NOT NULL,
        "ItemId" TEXT NOT NULL,
        "EntityVersion" TEXT NOT NULL,
        "Item" TEXT NOT NULL,
        "Sequence" INTEGER NOT NULL,
        "Version" INTEGER NOT NULL
    );
    CREATE INDEX "IX_DatasyncOperationsQueue_ItemId_EntityType"
        ON "DatasyncOperationsQueue" ("ItemId", "EntityType")
    """

  /// Whether a table is bookkeeping of the toolkit, of Entity Framework or of the engine.
  static func isReserved(_ table: String) -> Bool {
    let name = table.lowercased()
    return name == DatasyncToolkit.operations.lowercased()
      || name == DatasyncToolkit.tokens.lowercased()
      || name == "android_metadata" || name.hasPrefix("__ef") || name.hasPrefix("sqlite_")
  }

  /// Whether the toolkit takes a text for the id of an item or of a token: a letter or digit, then
  /// up to 126 of these and of `_.|:-`.
  static func isValidID(_ id: Span<UInt8>) -> Bool {
    guard (1...127).contains(id.count), isLetterOrDigit(id[0]) else { return false }
    for place in 1..<id.count where !isLetterOrDigit(id[place]) {
      switch id[place] {
      case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "|"), UInt8(ascii: ":"),
        UInt8(ascii: "-"):
        continue
      default: return false
      }
    }
    return true
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  /// A property's name as its JSON member: of the capitals that it begins with, all become small
  /// but the last of several that begins the next word.
  static func memberName(of property: String) -> String {
    var bytes = Array(property.utf8)
    guard let first = bytes.first, isCapital(first) else { return property }
    for place in bytes.indices {
      if place == 1, !isCapital(bytes[1]) { break }
      if place > 0, place + 1 < bytes.count, !isCapital(bytes[place + 1]) { break }
      if isCapital(bytes[place]) { bytes[place] |= 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
}
