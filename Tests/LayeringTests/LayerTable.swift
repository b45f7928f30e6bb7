/// The layers of the house style: who may import whom.
struct LayerTable {
  /// The targets of each layer, from the bottom up; 0 holds the system libraries.
  static let layers: [[String]] = [
    ["CSQLite", "CLibXML2", "CZlib", "CCurl", "CHashing", "CMemory"],
    ["Bytes"],
    ["SQLite", "Formats", "XMLFormat", "Records"],
    ["SQLiteFile"],
    ["Readers", "CanonicalStore", "Writers", "Audit", "Replay"],
    ["HTTPTransport", "CommandLineKit", "Places"],
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
    switch layer {
    case 2, 3: other > 0 && other < min(layer, 3)
    // The kit knows bytes, and the transport what replay asks for; nobody else's records.
    case 4 where target == "CommandLineKit": other == 1
    case 4 where target == "Places": (1...2).contains(other) || module == "Readers"
    case 4: (1...2).contains(other) || module == "Replay"
    default: other > 0 && other < layer
    }
  }
}
