/// The layers of the house style: who may import whom.
struct LayerTable {
  /// The targets of each layer, from the bottom up; 0 holds the system libraries.
  static let layers: [[String]] = [
    ["CSQLite", "CLibXML2", "CZlib", "CCurl", "CHashing", "CMemory"],
    ["Bytes"],
    ["SQLite", "Formats", "XMLFormat", "Records"],
    ["SQLiteFile"],
    ["Tables"],
    ["Exports", "CoreData", "Canonical"],
    ["SyncSDKs"],
    ["Merging", "Opening", "Audit", "Replay", "CommandLineKit"],
    ["HTTPTransport", "Places"],
    ["Commands"],
    ["rehome"],
  ]

  /// The only target that may import each system library or module.
  static let exclusive = [
    "CSQLite": "SQLite", "CLibXML2": "XMLFormat", "CZlib": "Formats", "CHashing": "Bytes",
    "CMemory": "Bytes", "CCurl": "HTTPTransport", "FoundationNetworking": "HTTPTransport",
  ]

  /// What comes with the toolchain and any target may import.
  static let standard: Set<String> = ["Swift", "Glibc", "Synchronization", "_Concurrency"]

  /// Where Foundation may be imported, which is above the layers that work on bytes.
  static let withFoundation: Set<String> = ["HTTPTransport", "Commands"]

  /// The layer of a target, if the table knows it.
  static func layer(of target: String) -> Int? {
    layers.firstIndex { $0.contains(target) }
  }

  /// Why `target` may not import `module`, or nil if it may.
  static func objection(to module: String, in target: String) -> String? {
    guard let layer = layer(of: target) else { return "\(target) is in no layer" }
    if let owner = exclusive[module] {
      return owner == target ? nil : "only \(owner) may import \(module), not \(target)"
    }
    if standard.contains(module) { return nil }
    if module == "Foundation" || module == "FoundationEssentials" {
      return withFoundation.contains(target) ? nil : "\(target) may not import \(module)"
    }
    guard let other = self.layer(of: module) else {
      return "\(target) imports \(module), which is in no layer"
    }
    return mayImport(target, layer, module, other) ? nil : "\(target) may not import \(module)"
  }

  private static func mayImport(
    _ target: String, _ layer: Int, _ module: String, _ other: Int
  ) -> Bool {
    switch target {
    // The kit knows bytes, and nobody's records.
    case "CommandLineKit": other == 1
    // What judges and what sends know the model, and no store.
    case "Replay", "Exports": (1...2).contains(other)
    // What judges must know what is true of the SDK that kept a queue.
    case "Audit": (1...2).contains(other) || module == "SyncSDKs"
    case "HTTPTransport": (1...2).contains(other) || module == "Replay"
    // Lists of backups are property lists of either kind, which is Core Data's to read.
    case "Places": (1...2).contains(other) || ["Opening", "CoreData"].contains(module)
    default: other > 0 && other < layer
    }
  }
}
