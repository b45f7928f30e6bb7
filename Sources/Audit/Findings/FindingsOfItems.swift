import Bytes
import Records
import SyncSDKs

extension FindingKind {
  /// Several rows with one id.
  static let duplicateItemID = FindingKind(
    "duplicate-item-id", .warning,
    title: "several rows with one id",
    meaning:
      "The table has several rows for the same item. The SDK uses the first that it finds; the "
      + "others are neither sent nor refreshed. In a seed, a value that names several rows of the "
      + "table given with --reference leads to the first of them.",
    causes: [
      "No store of these SDKs has a constraint on ids; races (iOS SDK before 2.2.0) and "
        + "imports by the app make twins."
    ],
    remedies: [
      "Compare the rows and keep the one that is meant. The row with the lowest key is the "
        + "one that operations are tied to."
    ]
  ) { input, sink in
    for facts in input.tables {
      for repeated in facts.sharedIDs.flatMap(\.repeated) {
        sink.raise(
          table: facts.name, itemID: repeated.text,
          repeated.rows.counting("row has this id", "rows have this id"))
      }
      let rest = facts.unlistedIDs.repeated
      if rest > 0 {
        sink.raise(
          table: facts.name, rest.counting("more id is", "more ids are") + " those of several rows",
          count: rest)
      }
    }
  }

  /// Ids that differ only in letter case.
  static let itemIDCaseTwins = FindingKind(
    "item-id-case-twins", .warning,
    severityNote:
      "A note for Amplify DataStore, whose ids are of one item only where they are alike.",
    title: "ids that differ only in letter case",
    meaning:
      "Rows have the same id in different spellings. Servers and newer SDKs take them for one "
      + "item.",
    causes: [
      "Devices make upper-case ids and servers lower-case ones; the iOS SDK before 2.2.0 "
        + "compared them letter by letter."
    ],
    remedies: [
      "Compare the rows and keep the one that is meant."
    ]
  ) { input, sink in
    for facts in input.tables {
      let sdks = facts.sources.map { input.sdks[$0] }
      guard let severity = sdks.compactMap(\.caseTwins).max() else { continue }
      for shared in facts.sharedIDs where shared.spellings > 1 {
        sink.raise(
          severity, table: facts.name, itemID: shared.first,
          "\(shared.spellings) spellings of this id differ only in letter case")
      }
      let rest = facts.unlistedIDs.twins
      if rest > 0 {
        sink.raise(
          severity, table: facts.name,
          "\(rest) more ids have spellings that differ only in letter case",
          count: rest)
      }
    }
  }

  /// Rows without an id.
  static let missingItemID = FindingKind(
    "missing-item-id", .warning,
    title: "rows without an id",
    meaning:
      "Rows of the table have no id, or an empty one. They can neither be sent nor be matched "
      + "with the server.",
    causes: [
      "The app saved the rows with plain Core Data, past the SDK.",
      "An upsert of an item without id lands on such a row (iOS SDK).",
    ],
    remedies: [
      "Find out what the rows are; give them ids before they are sent as inserts."
    ]
  ) { input, sink in
    for facts in input.tables where facts.missingIDs > 0 {
      sink.raise(table: facts.name, facts.missingIDs.counting("row has", "rows have") + " no id")
    }
  }

  /// Objects of an XML store share an identifier.
  static let duplicateObjectID = FindingKind(
    "duplicate-object-id", .warning,
    title: "objects share an identifier",
    meaning:
      "Several objects of a Core Data XML store have the same id. All are kept; "
      + "references mean the first of them.",
    causes: [
      "A file that was edited or merged by hand."
    ],
    remedies: [
      "Check whether the later objects are copies, and what should refer to them."
    ]
  )

  /// Objects of an XML store have no usual identifier.
  static let objectIDUnusual = FindingKind(
    "object-id-unusual", .note,
    title: "objects have no usual identifier",
    meaning:
      "Objects of a Core Data XML store have an id that is not z and a number. They get "
      + "keys after the largest number that is in use.",
    causes: [
      "A file that was written by hand or by another tool."
    ],
    remedies: [
      "Nothing; references to these objects are kept."
    ]
  )

  /// References to rows that are not there.
  static let danglingReference = FindingKind(
    "dangling-reference", .warning,
    title: "references to rows that are not there",
    meaning:
      "A column points to rows of another table that do not exist. The numbers are kept; where stores "
      + "were merged, with a minus, as a row of another store may have the number itself. In a "
      + "store of Core Data the row may be there and be of another entity than the store says. Where a "
      + "seed was told with --reference that a column holds ids, an id that is not there becomes "
      + "NULL and is a reject, and so does any such reference in a store of the toolkit.",
    causes: [
      "The rows were deleted past the app's framework, or a pull removed them.",
      "The file was damaged and repaired.",
    ],
    remedies: [
      "Decide per reference: clear it, or restore the row from a backup or the server.",
      "In a seed, see whether all pages of the other table are there.",
    ]
  ) { input, sink in
    for facts in input.tables {
      for link in facts.dangling {
        sink.raise(
          table: facts.name,
          link.keys.counting("key in \(link.column) leads", "keys in \(link.column) lead")
            + " to no row of \(link.target), the first is \(link.example)"
        )
      }
    }
  }

  static let softDeletedRows = FindingKind(
    "soft-deleted-rows", .note,
    title: "rows that the server has deleted",
    meaning:
      "Rows carry the server's mark of deletion and are still here. To the app they look "
      + "alive.",
    causes: [
      "Previews of the iOS SDK before September 2014 did not ask for the mark when they "
        + "pulled, and nothing removed such rows."
    ],
    remedies: [
      "Leave them out when the data moves to a new system."
    ]
  ) { input, sink in
    for facts in input.tables where facts.deletedRows > 0 {
      sink.raise(
        table: facts.name, facts.deletedRows.counting("row is", "rows are") + " marked as deleted")
    }
  }

  /// A row that the server may never have had.
  static let rowWithoutVersionOrOperation = FindingKind(
    "row-without-version-or-operation", .warning,
    severityNote:
      "A note where no row of the table has a version: then the table is hardly synchronised "
      + "with versions at all.",
    title: "a row that the server may never have had",
    meaning:
      "The row has no version, which the server gives to every item that it knows, and no "
      + "operation waits to send it. Either it was never sent, or its version was lost.",
    causes: [
      "The concurrent write queue of the iOS SDK before 2.2.0 overwrote its operation.",
      "The app wrote the row with plain Core Data, past the SDK, or was killed between the "
        + "two saves that an SDK makes for a change.",
      "Builds of the iOS SDK of June 2014 pulled rows without their versions.",
      "An app update renamed ms_version to version without a renaming identifier, so that "
        + "all versions were lost.",
    ],
    remedies: [
      "Ask the server for the item. If it is not there, insert it from the export."
    ]
  ) { input, sink in
    for facts in input.tables where facts.unexplainedRows > 0 {
      guard facts.rowsWithVersion > 0 else {
        sink.raise(
          .note, table: facts.name, itemID: facts.rows == 1 ? facts.unexplainedIDs.first : nil,
          "no row of the table has a version, and \(facts.unexplainedRows) have no operation either"
        )
        continue
      }
      for id in facts.unexplainedIDs {
        sink.raise(
          table: facts.name, itemID: id,
          "the row has no version, and no operation waits to send it")
      }
      let rest = facts.unexplainedRows - facts.unexplainedIDs.count
      if rest > 0 {
        sink.raise(
          table: facts.name, rest.counting("more row is", "more rows are") + " without both",
          count: rest)
      }
    }
  }
}
