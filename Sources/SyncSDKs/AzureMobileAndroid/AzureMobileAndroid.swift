import Records
package import Tables

/// The layout of the SDK for Android.
package enum AzureMobileAndroid {
  /// Recognises a store by the time at which each session loaded its queue.
  package static func recognise(_ tables: SystemTables) -> PlainLayout? {
    let columns = ["id", "kind", "tablename", "itemid", "__queueloadedat"]
    guard tables.has(AndroidNames.operations, columns), tables.has(AndroidNames.tokens),
      !tables.has(DotnetNames.configuration)
    else { return nil }
    let traits = AndroidTraits(tables)
    let isOld = traits.generation == .d1
    let time = StoredTime(spelling: .iso)
    let rules = ColumnRules(
      system: SystemColumn.all(time: time),
      prefixes: isOld ? [AndroidNames.oldPrefix] : ["", AndroidNames.oldPrefix], time: time)
    var layout = PlainLayout(
      layout: .azureMobileAndroid, generation: traits.generation.rawValue,
      evidence: [
        "tables \(AndroidNames.operations) and \(AndroidNames.tokens)",
        "operations have __queueloadedat",
      ] + traits.evidence,
      systemTables: AndroidNames.systemTables, columns: rules,
      queue: AndroidQueue(versionKeys: isOld ? VersionKeys.old : VersionKeys.new))
    if traits.hasNewDate, traits.hasOldDate {
      layout.findings = [.twoGenerations("operations have createdat and __createdat")]
    }
    return layout
  }
}
