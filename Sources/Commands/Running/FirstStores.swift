import Records

/// The first stores of all that have the same bytes, by the hashes of these.
struct FirstStores {
  private var stores: [String: (name: String, losses: [Finding])] = [:]

  /// Takes a store, unless another one with these bytes was taken.
  ///
  /// - Returns: the name of the other one.
  mutating func take(_ name: String, _ losses: [Finding], hash: String) -> String? {
    if let first = stores[hash] { return first.name }
    stores[hash] = (name, losses)
    return nil
  }

  /// Whether a store with these bytes was taken.
  func contains(_ hash: String) -> Bool { stores[hash] != nil }

  /// What is lost of a store that is left out for one with these bytes, of which it is not lost.
  func findings(ofTwin name: String, _ losses: [Finding], hash: String) -> [Finding] {
    guard let first = stores[hash] else { return [] }
    let told = Set(first.losses.map(\.code))
    return losses.filter { !told.contains($0.code) }.map { loss in
      Finding(
        loss.code, .error,
        message:
          "\(name) was left out as it has the same bytes as \(first.name); \(loss.message)")
    }
  }
}
