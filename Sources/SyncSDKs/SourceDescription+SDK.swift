import Formats
package import Records

extension SourceDescription {
  /// What is true of the SDKs of its devices, also where they came through a canonical store.
  package var sdks: DeviceSDKs { DeviceSDKs(of: self) }

  /// What the SDKs of the sources do otherwise than most, by the numbers that operations have.
  package var foldHabits: FoldHabits {
    let sdks = sdks
    let haveSets = !sdks.setSenders.isEmpty
    return FoldHabits(
      exactSources: exactSources, missingSources: sdks.numbers(where: \.deletesAcceptMissing),
      changeSources: sdks.numbers(where: \.sendsChanges),
      joiningSources: sdks.numbers(where: \.sendsParts),
      numberSources: sdks.numbers(where: \.hasNumbersAsVersions),
      branchSources: sdks.numbers(where: \.sendsBranches)
    ).joining { haveSets ? joinedChanges($0) : joinedObjects($0) }
  }

  /// The numbers of the sources, as operations name them, whose SDK takes ids that differ only in
  /// letter case for two items.
  package var exactSources: Set<Int32> { sdks.numbers(where: \.tellsCaseTwinsApart) }

  /// Whether a table is one of which no device sends anything.
  package func staysOnDevice(_ table: Table) -> Bool {
    sdks.traits.contains { $0.staysOnDevice(table.sourceTable) }
  }

  /// Those whose operations have payloads of their own beside the rows that they are about.
  package var payloadSources: Set<Int32> { sdks.numbers(where: \.hasPayloadsBesideRows) }
}
