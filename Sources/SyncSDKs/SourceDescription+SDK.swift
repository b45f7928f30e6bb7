import Formats
package import Records

extension SourceDescription {
  /// What is true of the SDK that wrote the queue, also where it came through a canonical store.
  package var sdk: SDKTraits {
    SDK.traits(
      ofLayout: origin ?? layout.rawValue,
      generation: origin == nil ? generation : earlier.first?.source.generation)
  }

  /// What the SDKs of the sources do otherwise than most, by the numbers that operations have.
  package var foldHabits: FoldHabits {
    FoldHabits(
      exactSources: exactSources, missingSources: sources(where: \.deletesAcceptMissing),
      changeSources: sources(where: \.sendsChanges), joiningSources: sources(where: \.sendsParts),
      numberSources: sources(where: \.hasNumbersAsVersions),
      branchSources: sources(where: \.sendsBranches)
    ).joining(sources { $0.dialect == .parse }.isEmpty ? joinedObjects : joinedChanges)
  }

  /// The numbers of the sources, as operations name them, whose SDK takes ids that differ only in
  /// letter case for two items.
  package var exactSources: Set<Int32> { sources(where: \.tellsCaseTwinsApart) }

  /// Those whose operations have payloads of their own beside the rows that they are about.
  package var payloadSources: Set<Int32> { sources(where: \.hasPayloadsBesideRows) }

  private func sources(where holds: (SDKTraits) -> Bool) -> Set<Int32> {
    let stores = earlier.filter { holds($0.source.ownTraits) }
    if isOfSeveral { return Set(stores.map { Int32(clamping: $0.number) }) }
    return holds(ownTraits) || !stores.isEmpty ? [0] : []
  }

  /// What is true of the SDK whose layout the store itself has.
  private var ownTraits: SDKTraits {
    SDK.traits(ofLayout: layout.rawValue, generation: generation)
  }
}
