import Records

extension FindingKind {
  static let severalOperationsForItem = FindingKind(
    "several-operations-for-item", .note,
    severityNote:
      "A warning where the SDK keeps at most one operation for an item: every SDK but those "
      + "for iOS and Cordova.",
    title: "several operations for one item",
    meaning:
      "More than one operation on the item waits. They are folded into one effect; all of them "
      + "are listed with it.",
    causes: [
      "The item was edited while an operation on it was being sent (all releases of the iOS SDK).",
      "The item was edited after a failed push; in the iOS SDK up to 3.0.0 the failed "
        + "operation stays locked until the app restarts.",
      "Races in the concurrent write queue of the iOS SDK before 2.2.0.",
    ],
    remedies: [
      "Nothing: send the effect, not the single operations."
    ]
  ) { input, sink in
    for index in input.pending {
      guard input.previous(index) == nil, input.next(index) != nil else { continue }
      let count = input.chain(from: index).reduce(0) { count, _ in count + 1 }
      let kinds = input.chain(from: index).prefix(6).map { input.kindName($0) }
      sink.raise(
        at: index, as: input.sdk(index).keepsSeveralOperations ? nil : .warning,
        count > 6
          ? "\(count) operations wait for the item"
          : "waiting for the item: " + kinds.joined(separator: ", "))
    }
  }

  static let operationAfterDelete = FindingKind(
    "operation-after-delete", .warning,
    title: "an operation behind a delete of the item",
    meaning:
      "The item has a pending delete, and another operation on it waits behind. Every SDK "
      + "refuses changes to a deleted item, so the two do not belong together.",
    causes: [
      "A race, or two sync contexts on one store (iOS SDK before 2.2.0).",
      "Two queues were merged, or the store was edited by hand.",
    ],
    remedies: [
      "Decide whether the item shall live; drop the delete, or what follows it."
    ]
  ) { input, sink in
    for index in input.pending {
      guard let earlier = input.previous(index), input.kind(ofOperation: earlier) == .delete,
        !input.sdk(index).sendsBranches
      else { continue }
      sink.raise(
        at: index, as: input.sdk(index).sendsChanges ? .note : nil,
        "a delete of the item waits before this operation")
    }
  }

  /// An insert behind another operation on the item.
  static let insertAfterPending = FindingKind(
    "insert-after-pending", .warning,
    title: "an insert behind another operation on the item",
    meaning:
      "An insert waits although an update or insert of the same item waits before it. Every "
      + "SDK refuses that, so the two do not belong together.",
    causes: [
      "Duplicate ids or a race let one operation take another's place (iOS SDK before 2.2.0).",
      "Two queues were merged, or the store was edited by hand.",
    ],
    remedies: [
      "Look at both with 'rehome ops show'. They are kept in order as two effects; drop the "
        + "one that is not meant."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.inserts, index) {
      guard let earlier = input.previous(index), input.kind(ofOperation: earlier) != .delete,
        !input.sdk(index).sendsChanges, !input.sdk(index).sendsBranches
      else { continue }
      sink.raise(
        at: index,
        "an \(input.kindName(earlier)) of the item waits before this insert")
    }
  }

  /// An insert that may be on the server, followed by a delete.
  static let insertThenDelete = FindingKind(
    "insert-then-delete", .warning,
    title: "an insert that may be on the server, followed by a delete",
    meaning:
      "The item was inserted and deleted before the insert was confirmed. An SDK normally "
      + "drops both; that it kept them means the insert was being sent, or had failed, and "
      + "nobody knows whether it reached the server.",
    causes: [
      "The item was deleted while its insert was being sent, or after the insert had failed "
        + "(iOS SDK up to 3.0.0)."
    ],
    remedies: [
      "Send the delete, and take 404 for success. Dropping both could leave an item on the "
        + "server that nobody wanted."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.deletes, index) {
      guard input.followsInsert(index), !input.sdk(index).sendsBranches else { continue }
      sink.raise(
        at: index, as: input.sdk(index).sendsChanges ? .note : nil,
        "the insert before this delete may have reached the server; folded to a delete that takes 404"
      )
    }
  }

  static let insertAlreadyOnServer = FindingKind(
    "insert-already-on-server", .warning,
    title: "an insert of a row that the server has confirmed",
    meaning:
      "An insert waits, but its row has a version, which only the server gives. The insert was "
      + "most likely carried out already, and sending it again will be answered with 409.",
    causes: [
      "The app ended, or the operation could not be removed (error -1154), after the server "
        + "had answered.",
      "An SDK before 2.0.0 allowed an insert over a row that was there already.",
    ],
    remedies: [
      "Send it with a policy for conflicts; a 409 whose server copy equals the row counts as done."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.inserts, index) {
      guard !input.sdk(index).sendsBranches, input.sendsRowWithVersion(index) else { continue }
      sink.raise(at: index, "the row to be inserted has a version, so the server seems to have it")
    }
  }

  /// An update that would overwrite whatever the server has.
  static let updateWithoutVersion = FindingKind(
    "update-without-version", .warning,
    severityNote:
      "A note, once for each table, where the table has no column for versions; audit then "
      + "counts its updates among those that can be sent.",
    title: "an update that would overwrite whatever the server has",
    meaning:
      "The update has no version to compare with, so it would be sent without a condition and "
      + "overwrite changes of others unseen.",
    causes: [
      "The item was edited while its insert was being sent; the SDK then throws the answer "
        + "with the version away (issue 612 of azure-mobile-services).",
      "The model has no version attribute, so that no update ever carries a condition.",
      "The row came from a build of the iOS SDK that pulled no versions (June 2014), or lost "
        + "its version in a migration.",
    ],
    remedies: [
      "Compare the row with the server's copy before sending. Without a condition no conflict "
        + "arises, so no policy of 'rehome replay' holds the update back.",
      "If the server's copy is to stay, mark the operation as dropped with 'rehome ops drop'.",
    ], asksFirst: true
  ) { input, sink in
    var unversioned = [Int](repeating: 0, count: input.catalogue.tables.count)
    for index in input.pending where input.isSo(.updates, index) {
      let sdk = input.sdk(index)
      // Parse has no versions at all, as everybody knows who uses it.
      guard sdk.hasVersions, !sdk.sendsBranches, !input.isSo(.hasBaseVersion, index),
        let table = input.rowTable(ofOperation: index), input.isSo(.namesItem, index),
        !input.lacksRow(index) || sdk.hasPayloadsBesideRows, input.beginsEffect(index),
        !input.endsInDelete(index)
      else { continue }
      if input.hasVersionColumn(index) {
        sink.raise(at: index, "the update has no version, so it would be sent without a condition")
      } else {
        unversioned[table] += 1
      }
    }
    let counts = zip(input.catalogue.tables.map(\.name), unversioned)
    for (table, count) in counts.sorted(by: { $0.0 < $1.0 }) where count > 0 {
      sink.raise(
        .note, table: table,
        "the table has no column for versions, so its updates (\(count)) go without a condition")
    }
  }

  /// A delete that does not hold the deleted item.
  static let deleteWithoutItem = FindingKind(
    "delete-without-item", .warning,
    title: "a delete that does not hold the deleted item",
    meaning:
      "A delete keeps a copy of the item with its version. This one has none, or one without any "
      + "member, so its SDK can never send it, and only the id is known.",
    causes: [
      "The first preview of the iOS SDK (1.3 alpha1, June 2014) did not read the copy back.",
      "The operation was rewritten with modifyOperationType: without an item, or by another tool.",
    ],
    remedies: [
      "Send the delete with the id of the operation; it then carries no condition.",
      "Until it is sent or dropped, the app cannot pull the table.",
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.deletes, index) {
      guard input.sdk(index).keepsDeletedItems, !input.holdsItem(index) else { continue }
      sink.raise(
        at: index, "the delete holds no item; only the operation's own id is known")
    }
  }

  /// A delete without a condition.
  static let deleteWithoutVersion = FindingKind(
    "delete-without-version", .note,
    title: "a delete without a condition",
    meaning:
      "The deleted item was kept without a version, so the delete would be sent without a "
      + "condition.",
    causes: [
      "The app passed only an id to delete:, which is allowed.",
      "The SDK for Cordova keeps only the version of a deleted item, and there was none.",
      "The item had never been confirmed by the server, or its table has no versions.",
    ],
    remedies: [
      "Nothing, unless others may have changed the item meanwhile; then compare with the "
        + "server's copy first."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.deletes, index) {
      guard !input.isSo(.hasBaseVersion, index), !input.sdk(index).sendsBranches,
        !input.sdk(index).keepsDeletedItems || input.holdsItem(index),
        !input.followsInsert(index), input.hasVersionColumn(index)
      else { continue }
      sink.raise(at: index, "the deleted item was kept without a version")
    }
  }

  static let serverChangedValue = FindingKind(
    "server-changed-value", .warning,
    title: "a change that the server took and keeps with other values",
    meaning:
      "The server answered that it has taken the change, and showed the item with another value "
      + "than was sent, or without the field. The change counts as applied. Properties that the "
      + "server itself sets do not count, nor do other spellings of the same number, truth, time "
      + "or UUID; times may differ by less than a millisecond, because servers show no more.",
    causes: [
      "A server written in JavaScript keeps numbers as doubles, so whole numbers beyond "
        + "9007199254740991 lose their last digits.",
      "The server's column has another type, fewer digits or less room, or there is none.",
      "A script or trigger on the server changes what comes in.",
    ],
    remedies: [
      "Compare what was sent with what the server has, which the report of 'rehome replay' shows "
        + "field by field.",
      "Correct the value on the server, or send such numbers as text.",
    ]
  ) { input, sink in
    for index in input.operations.indices {
      guard let note = input.delivery(of: index)?.changedFields else { continue }
      sink.raise(at: index, "the server keeps other values in \(note)")
    }
  }
}
