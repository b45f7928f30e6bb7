import Bytes
package import Records

/// What is true of the SDKs of a store's devices, by the numbers that operations and rows give them.
///
/// A store that several were joined into has a device under the number of each; in any other all
/// have the number 0.
package struct DeviceSDKs: Sendable {
  /// Device by device; behind them what is true of one that nobody knows: what all have in common
  /// where they are of one SDK, else what is true of none.
  package let traits: [SDKTraits]
  /// What made the store of each, device by device.
  private let kinds: [Kind]
  private let places: [Int32: Int]

  /// Looks up the SDK of each device: the store itself, where no earlier ones went into it.
  package init(of source: SourceDescription) {
    let devices: [(number: Int32, source: SourceDescription)] =
      source.isOfSeveral
      ? source.earlier.map { (Int32(clamping: $0.number), $0.source) }
      : [(0, source.earlier.first?.source ?? source)]
    kinds = devices.map { device in
      Kind(
        layout: device.source.origin ?? device.source.layout.rawValue,
        generation: device.source.generation)
    }
    let known = kinds.map { SDK.traits(ofLayout: $0.layout, generation: $0.generation) }
    traits = known + [Set(kinds).count == 1 ? known[0] : SDKTraits()]
    places = Dictionary(keepingFirst: zip(devices.map(\.number), devices.indices))
  }

  /// A layout and its generation.
  private struct Kind: Hashable {
    let layout: String
    let generation: String?
  }

  /// What made the stores of some devices, by their numbers: each layout and generation once.
  package func origins(
    of numbers: Set<Int32>
  ) -> [(layout: String, generation: String?)] {
    var seen: Set<Kind> = []
    return numbers.sorted().compactMap { places[$0] }.map { kinds[$0] }
      .filter { seen.insert($0).inserted }.map { ($0.layout, $0.generation) }
  }

  /// Where among the traits those of a device are.
  package func place(ofSource number: Int32) -> Int { places[number] ?? traits.count - 1 }

  /// What is true of the SDK of a device.
  package subscript(number: Int32) -> SDKTraits { traits[place(ofSource: number)] }

  /// The devices whose operations send sets of changes and no rows, as those of Parse do.
  package var setSenders: Set<Int32> { numbers(where: \.sendsSets) }

  /// Whether one of them takes names that differ only in letter case for two.
  package var tellNameTwinsApart: Bool { !numbers(where: \.tellsNameTwinsApart).isEmpty }

  /// The styles, each once, of those that keep columns for themselves.
  package var reservingStyles: [SDKStyle] {
    traits.reduce(into: []) { styles, traits in
      if traits.style.reservesNames, !styles.contains(traits.style) { styles.append(traits.style) }
    }
  }

  /// What may stand before the names of system columns on any of the devices.
  package var systemPrefixes: [String] {
    traits.reduce(into: []) { prefixes, traits in
      prefixes += traits.systemPrefixes.filter { !prefixes.contains($0) }
    }
  }

  /// Whether something is true of the SDKs of all devices.
  package func allSatisfy(_ holds: (SDKTraits) -> Bool) -> Bool {
    places.values.allSatisfy { holds(traits[$0]) }
  }

  /// The numbers of the devices of whose SDK something is true.
  package func numbers(where holds: (SDKTraits) -> Bool) -> Set<Int32> {
    Set(places.filter { holds(traits[$0.value]) }.keys)
  }
}
