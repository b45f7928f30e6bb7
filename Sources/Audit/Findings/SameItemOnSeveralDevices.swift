import Bytes
import Records
import SyncSDKs

extension FindingKind {
  /// Rows or changes of one item in several stores.
  static let sameItemOnSeveralDevices = FindingKind(
    "same-item-on-several-devices", .note,
    severityNote: "A warning where several devices have operations that wait on the item.",
    title: "an item that came with several devices",
    meaning:
      "Several stores were converted into one, and this item was in more than one of them. Its "
      + "row is kept once: the one with the newest updatedAt, then that with the highest version, "
      + "then that of the first store. A version is compared as the number that is in it where it "
      + "is a row version of SQL Server, which is eight bytes in Base64, or digits alone, as the number "
      + "before the hyphen first in a revision of Couchbase, and otherwise by its bytes. "
      + "Two rows are the same item when the bytes of their ids are the same; a different letter "
      + "case makes another item, which item-id-case-twins tells. The row that gave way is kept here, "
      + "in the column item of rehome_finding, as an export of its store would show it. What "
      + "referred to it refers to the row that is kept. Of a relationship between many and many, a "
      + "pair that several stores have is kept once in the same way. Operations are never merged: "
      + "each device sends its own row with the version that it knew, one device after the other, "
      + "and what meets a newer state on the server is a conflict like any other. Where several "
      + "devices have changes of the item that wait, each of them is told.",
    causes: [
      "Devices of one user or team have pulled the same items.",
      "One backup was given twice.",
    ],
    remedies: [
      "Nothing, if the newer row is the right one and no operation is named.",
      "Where operations are named, look at each with 'rehome ops show', and drop the one that must "
        + "not be sent, or decide with 'rehome replay --on-conflict'.",
    ]
  ) { input, sink in
    guard input.source.isOfSeveral else { return }
    guard let devices = input.firstsOfDevices else { return }
    for index in input.pending where devices.isFirst(index) {
      let firsts = devices.places(from: index)
      let changes = firsts.map { place in
        "\(input.kindName(place)) of "
          + (input.devices[input.operations[place].source] ?? "one") + " "
          + "(operation \(input.operations[place].sequence))"
      }
      let message =
        "\(firsts.count) devices change the item: " + changes.shortList
        + input.differences(among: firsts)
      for place in firsts { sink.raise(at: place, as: .warning, message) }
    }
  }
}

extension AuditInput {
  /// The first operation of each device on items on which several have some; nil where they cannot
  /// be set aside, which ends the run.
  fileprivate var firstsOfDevices: DeviceFirsts? {
    do {
      return try operations.firstsOfDevices(sdks)
    } catch {
      SpoolFile.note(error)
      return nil
    }
  }

  /// Where the items of some devices' operations are not all the same, in words.
  fileprivate func differences(among firsts: [Int]) -> String {
    var first: (place: Int, item: [UInt8])?
    var fields: [String] = []
    var compared = 1
    // What is the app's own to one device may be the SDK's to another, so that it tells nothing.
    var isCertain = true
    for place in firsts {
      guard let item = rows.item(of: operations[place]) else { continue }
      guard let (other, base) = first else {
        first = (place, item)
        continue
      }
      guard
        let found = failures.comparison(ofTable: operations[other].table)
          .differences(device: base, server: item, isOfServer: false)
      else { continue }
      compared += 1
      for difference in found where !difference.isSystemField {
        let owners = [other, place].count { isOwn(difference.field, of: $0) }
        if owners == 1 { isCertain = false }
        if owners == 0, !fields.contains(where: { hasSameBytes($0, difference.field) }) {
          fields.append(difference.field)
        }
      }
    }
    guard fields.isEmpty else { return "; the items differ in " + fields.shortList }
    // Of a device that deletes the item or has no row nobody knows whether it would be the same.
    guard isCertain, compared == firsts.count else { return "" }
    return compared == 2 ? "; both have the same item" : "; all have the same item"
  }

  /// Whether a field is one that the SDK of an operation keeps for itself.
  private func isOwn(_ field: String, of place: Int) -> Bool {
    let style = sdks[operations[place].source].style
    guard style.reservesNames, let name = operations[place].table,
      let table = catalogue.index(ofTable: name)
    else { return false }
    return catalogue.tables[table].columns.contains { column in
      style.reserves(column)
        && (hasSameBytes(column.name, field) || hasSameBytes(column.sourceName, field))
    }
  }
}
