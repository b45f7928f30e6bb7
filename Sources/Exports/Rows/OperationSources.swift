import Records

/// The sources of operations in an export of several stores.
struct OperationSources {
  /// The operations in their order, and the source of each.
  private var sequences: [Int64] = []
  private var sources: [Int32] = []
  /// Those that come behind a higher one, as no export that was written here has them.
  private var strays: [Int64: Int32] = [:]

  var isEmpty: Bool { sequences.isEmpty }

  /// Notes the source of an operation, unless one is known.
  mutating func add(_ source: Int32, of sequence: Int64) {
    if let last = sequences.last, sequence <= last {
      if self[sequence] == nil { strays[sequence] = source }
    } else {
      sequences.append(sequence)
      sources.append(source)
    }
  }

  subscript(sequence: Int64) -> Int32? {
    let place = firstPlace(in: sequences) { $0 >= sequence }
    guard place < sequences.count, sequences[place] == sequence else { return strays[sequence] }
    return sources[place]
  }
}
