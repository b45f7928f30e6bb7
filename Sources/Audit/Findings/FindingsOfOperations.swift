import Records

extension FindingKind {
  /// An operation that the SDK's own push leaves out.
  static let operationNeverPushed = FindingKind(
    "operation-never-pushed", .warning,
    title: "an operation that the SDK's own push leaves out",
    meaning:
      "The SDK reads only operations of the table kind that it knows. This one has another or "
      + "none, so it waits for ever.",
    causes: [
      "The file was made by an early .NET SDK without the column tableKind and upgraded by a "
        + "later one, which filters on it."
    ],
    remedies: [
      "Replay it: to rehome it is an operation like any other."
    ]
  )

  /// An operation of a kind that the SDK does not have.
  static let unknownOperationKind = FindingKind(
    "unknown-operation-kind", .error,
    title: "an operation of a kind that the SDK does not have",
    meaning:
      "The payload is readable, but its code stands for no kind of operation that any known "
      + "release writes.",
    causes: [
      "Another tool, or a modified SDK, wrote into the queue."
    ],
    remedies: [
      "Find out what the code meant to the app; then send the change by hand and mark the "
        + "operation as dropped."
    ]
  ) { input, sink in
    for index in input.pending where input.kind(ofOperation: index) == nil {
      guard input.hasUnknownCode(index), !input.isCommand(index), !input.isOfOlderSDK(index)
      else { continue }
      sink.raise(at: index, "the code of the operation stands for no known kind")
    }
  }

  /// An operation in a state that the SDK does not have.
  static let unknownOperationState = FindingKind(
    "unknown-operation-state", .warning,
    title: "an operation in a state that the SDK does not have",
    meaning:
      "The queue says of each operation by a number whether it waits, was begun or has failed. This "
      + "one has a number, or something else, that no known release writes. It counts as waiting, and "
      + "a replay sends it, as the SDK's own push leaves out only what it knows to be done. The server "
      + "may have the change already.",
    causes: [
      "A modified SDK or one that is newer than this version of rehome wrote into the queue.",
      "Another tool wrote into the queue, or the file is damaged.",
    ],
    remedies: [
      "Compare the item with the server's copy before it is sent.",
      "If the change is there already, or must not be sent, mark the operation as dropped: 'rehome "
        + "ops drop --finding unknown-operation-state' does so with all of them.",
    ]
  )

  static let operationKindInString = FindingKind(
    "operation-kind-in-string", .note,
    title: "an operation whose kind is a number in a string",
    meaning:
      "The payload gives the kind as text instead of a number. The iOS SDK converts it, and so "
      + "does rehome.",
    causes: [
      "Another tool, or a custom serialiser, rewrote the payload."
    ],
    remedies: [
      "Nothing; check that other parts of the payload are as expected."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.hasQuotedCode, index) {
      guard input.kind(ofOperation: index) != nil, input.sdk(index).hasKindsInPayloads else {
        continue
      }
      sink.raise(
        at: index, "the kind is a number in a string; read as the SDK reads it")
    }
  }

  /// An operation that names no table or no item.
  static let operationWithoutTarget = FindingKind(
    "operation-without-target", .error,
    title: "an operation that names no table or no item",
    meaning: "The operation does not say which item it is about. No SDK writes such a row.",
    causes: [
      "Another program wrote into the queue, or a migration lost the column."
    ],
    remedies: [
      "Look at the raw payload with 'rehome ops show'; if it names the item, repair it in a copy.",
      "Otherwise mark the operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending {
      let namesTable = input.isSo(.namesTable, index)
      guard !input.isCommand(index), !namesTable || !input.isSo(.namesItem, index) else {
        continue
      }
      sink.raise(at: index, "the operation names no \(namesTable ? "item" : "table")")
    }
  }

  /// An operation for a table that is not here.
  static let operationForUnknownTable = FindingKind(
    "operation-for-unknown-table", .error,
    severityNote: "A warning for a delete, which carries all that is needed.",
    title: "an operation for a table that is not here",
    meaning:
      "The operation names a table that the store does not have, so the row that it would send "
      + "cannot be found.",
    causes: [
      "The entity was renamed in a new version of the app, and the queue kept the old name.",
      "The app handles the items itself (handlesSyncTableOperations is off) and keeps them "
        + "elsewhere.",
      "The store is damaged, or was put together from several.",
    ],
    remedies: [
      "Find the table's new name in the app's models, and send the operation under that name.",
      "If the table is gone for good, mark the operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending {
      // The row may be that of a subentity.
      guard input.isSo(.namesTable, index), !input.isSo(.hasRow, index),
        !input.namesKnownTable(index)
      else { continue }
      let sdk = input.sdk(index)
      // Its reader knows what else an operation may name.
      guard !sdk.sendsChanges, !sdk.sendsBranches, !sdk.hasQueueOnly else { continue }
      sink.raise(
        at: index, as: input.isSo(.deletes, index) ? .warning : nil,
        "the operation names a table that the store does not have")
    }
  }

  /// An insert or update whose row is gone.
  static let operationWithoutRow = FindingKind(
    "operation-without-row", .error,
    severityNote:
      "A warning in stores of PowerSync and of Amplify DataStore, whose operations hold what they "
      + "send; an error where a payload of Amplify refers to other items, whose keys only the row has.",
    title: "an insert or update whose row is gone",
    meaning:
      "The queue holds an insert or an update, but the row that it would send is not in its "
      + "table. There is nothing to send, so the change itself is lost on this device.",
    causes: [
      "The app called cancelOperationAndDiscardItem: on an error; in every release of the "
        + "iOS SDK that deletes the row and leaves the operation (issue 97 of "
        + "azure-mobile-apps-ios-client).",
      "The app deleted the row itself, past the SDK.",
      "Two sync contexts, or the concurrent write queue of SDKs before 2.2.0, crossed each other.",
    ],
    remedies: [
      "Look for a copy of the item in an error of the same item, and in an older backup of "
        + "the device.",
      "If there is none, mark the operation as dropped: it can never be sent, and it keeps "
        + "the app from pulling its table.",
    ]
  ) { input, sink in
    for index in input.pending where input.lacksRow(index) {
      guard !input.isSo(.hasItem, index) else {
        if case .send? = input.unsent[input.operations.sequence(at: index)] {
          sink.raise(
            at: index,
            "the row of this \(input.kindName(index)) is gone, and with it the keys of other items that "
              + "the item refers to; it is not sent")
        } else {
          sink.raise(
            at: index, as: .warning,
            "the row that this operation was made of is gone; its own payload is sent")
        }
        continue
      }
      let hasCopy = input.hasErrorCopy(index)
      sink.raise(
        at: index,
        "the row that this \(input.kindName(index)) would send is gone"
          + (hasCopy ? "; an error of the item holds a copy" : ""))
    }
  }

  /// An insert or update whose row lacks a value that could not be taken over.
  static let operationWithoutValue = FindingKind(
    "operation-without-value", .error,
    title: "an insert or update whose row holds a value that could not be taken over",
    meaning:
      "The row that the operation would send holds a value that is not of its column's type, that "
      + "its type has no room for, that is no text, or whose file is missing. The row has NULL there, "
      + "and a null that is sent would overwrite what the server has; so would a change without the "
      + "version that is its condition. So a replay does not send the operation.",
    causes: [
      "The app kept a value that its model has no room for, such as the latest date of its "
        + "language for \"never\".",
      "The column was declared with another type than its values have.",
      "The file of a large value was not copied together with the store.",
    ],
    remedies: [
      "Look at the raw value in the table rehome_reject of the converted store; that of a losing "
        + "branch of Couchbase Lite is in the payload that 'rehome ops show' prints.",
      "Where the type is wrong, convert the store again with --type TABLE.COLUMN=TYPE.",
      "Else put the right value into the row of the converted store, or leave it NULL, and take the "
        + "line of the value out of rehome_reject; a replay then sends the row as it is. In a store of "
        + "several devices it sends the device's own row, and takes that value alone from the row, "
        + "which may be another device's: see to it before the line is taken away.",
      "If the change does not matter, mark the operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending where input.lacksValue(index) {
      sink.raise(
        at: index,
        "a value of the row that this \(input.kindName(index)) would send"
          + (input.kind(ofOperation: index) == .update ? ", or its version," : "")
          + " could not be taken over")
    }
  }

  /// An operation whose payload cannot be read.
  static let undecodableOperation = FindingKind(
    "undecodable-operation", .error,
    title: "an operation whose payload cannot be read",
    meaning:
      "The payload is missing, is not what the SDK writes, is that of another item, or does not say "
      + "what the operation is to do. The iOS SDK itself would take it for an insert, the others stop at it; "
      + "rehome does not guess.",
    causes: [
      "A migration or another tool rewrote the queue.",
      "The file was damaged and repaired.",
    ],
    remedies: [
      "Look at the raw payload with 'rehome ops show'.",
      "Compare the row with the server's copy to see what the change was, then mark the "
        + "operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending where input.kind(ofOperation: index) == nil {
      guard !input.hasUnknownCode(index), !input.isCommand(index) else { continue }
      sink.raise(
        at: index, "the payload does not tell what this operation is to do")
    }
    for index in input.pending where input.hasStrangePayload(index) {
      sink.raise(at: index, "the payload is no JSON object")
    }
    for index in input.pending where input.keepsOtherItem(index) {
      sink.raise(at: index, "the payload is that of another item")
    }
  }

  /// Several operations with one id.
  static let duplicateOperationID = FindingKind(
    "duplicate-operation-id", .warning,
    title: "several operations with one id",
    meaning:
      "The SDK's own id of the operation is not unique. The SDK finds operations by it, so one "
      + "of them can hide, overwrite or remove another.",
    causes: [
      "The write queue of the iOS SDK before 2.2.0 was concurrent, so the counter could give "
        + "a number twice."
    ],
    remedies: [
      "Expect rows in this store that were changed without any operation, and compare them "
        + "with the server.",
      "Name operations by their sequence, not by their original id.",
    ]
  ) { input, sink in
    // Counters that grow leave nothing to look for, and most queues have such.
    guard !input.originalIDsGrow else { return }
    let operations = input.operations
    var known = HashPlaces(capacity: operations.count)
    for (index, operation) in operations.enumerated() {
      guard let hash = operation.originalIDHash(seed: known.seed) else { continue }
      guard let earlier = known.first(of: hash, where: { operation.isOwnTwin(of: operations[$0]) })
      else {
        known.add(index, hash: hash)
        continue
      }
      sink.raise(
        at: index,
        "operation \(operations.sequence(at: earlier)) has the same id of the SDK's")
    }
  }

  /// An operation whose id is not positive.
  static let oddOperationID = FindingKind(
    "odd-operation-id", .note,
    severityNote:
      "A warning for a negative id: the iOS SDK's own push never ends while such an operation "
      + "fails.",
    title: "an operation whose id is not positive",
    meaning:
      "Ids count from 1. An id of 0 or below comes from a counter that could not be read at "
      + "start-up; the order is still that of the ids.",
    causes: [
      "The query for the highest id failed when the app started (all releases of the iOS SDK)."
    ],
    remedies: [
      "Nothing for reading or replaying. An app that still runs on this store should push "
        + "once with the cause removed."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.hasOddID, index) {
      guard input.sdk(index).hasKindsInPayloads else { continue }
      let id = input.operations[index].originalID.flatMap { Int64($0) } ?? 0
      sink.raise(
        at: index, as: id < 0 ? .warning : nil, "the SDK's id is not positive")
    }
  }

  /// An operation that was being sent.
  static let operationInDoubt = FindingKind(
    "operation-in-doubt", .warning,
    title: "an operation that was being sent",
    meaning:
      "The SDK had marked the operation as attempted and never noted an outcome, or a replay of "
      + "a canonical store ended so. The server may have the change already.",
    causes: [
      "The app ended, or the network went, between the request and its answer (.NET, "
        + "Datasync and Android SDKs; that for iOS keeps no state)."
    ],
    remedies: [
      "Let 'rehome replay' send it, as the SDK would have done again: an insert that the server "
        + "refuses as there already, and a change with a version that it refuses as out of date, "
        + "count as done where its item holds what was sent. A change without a version, which no "
        + "server refuses, is carried out once more.",
      "What a replay itself has left in doubt, it looks up on the server before it sends it again.",
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.isAttempted, index) {
      sink.raise(at: index, "a request was started, and its outcome was never noted")
    }
  }
}

extension PendingOperation {
  /// A hash of the SDK's own id and of its source; nil where there is none.
  fileprivate func originalIDHash(seed: UInt64) -> UInt64? {
    texts.originalID.map { id in
      spelledHash(packed.span.extracting(id), seed: seed ^ UInt64(truncatingIfNeeded: source))
    }
  }

  /// Whether another operation of the same device has the same id of the SDK's.
  fileprivate func isOwnTwin(of other: PendingOperation) -> Bool {
    guard source == other.source, let own = texts.originalID, let others = other.texts.originalID
    else { return false }
    return packed[own] == other.packed[others]
  }
}
