package import Records
package import SQLite

extension PendingOperation {
  /// An operation at its place in push order, with the SDK's id from the first column.
  ///
  /// Repaired, the ids of two operations could be one.
  package init(number: Int, _ statement: borrowing Statement) {
    self.init()
    sequence = Int64(number)
    originalID = statement.name(at: 0)
  }

  /// What stands for a version that nobody can read.
  ///
  /// No request can carry it, so that the change is held back; without any version it would go without
  /// a condition, over whatever the server has.
  package static let unreadableVersion = "\u{FFFD}"

  /// Keeps the payload, and behind it what no field can say.
  package mutating func keep(_ unread: UnreadColumns, behind payload: RawValue?) {
    guard !unread.isEmpty || payload?.hasKeptLine == true else { return }
    raw = unread.raw(behind: payload)
  }

  /// Keeps a payload; that of a delete is the item, with its version under one of these keys.
  package mutating func takePayload(_ payload: RawValue?, versionKeys: [String]) {
    raw = payload
    guard kind == .delete else { return }
    let decoded = JSONPayload(payload)
    item = decoded.bytes(of: payload)
    baseVersion = decoded.version(under: versionKeys)
  }
}

extension OperationError {
  /// Takes the status of the answer; 0 stands for none.
  package mutating func takeStatus(_ status: Int64?) {
    self.status = status == 0 ? nil : status
  }

  /// Takes what had been sent, and the item's id from it where nothing else tells it.
  package mutating func takeItem(_ payload: RawValue?) {
    let decoded = JSONPayload(payload)
    item = decoded.bytes(of: payload)
    itemID = itemID ?? decoded.text("id")
  }

  /// Takes the body of the answer, for the status that was taken before.
  package mutating func takeAnswer(_ body: RawValue?) {
    let answer = ServerAnswer(status: status, body: body)
    raw = body
    message = message ?? answer.message
    serverItem = serverItem ?? answer.item
  }
}

/// The keys under which a payload may hold the version of its item.
package enum VersionKeys {
  /// Where the SDK has no prefix for system properties.
  package static let new = ["version", "__version", "ms_version"]
  /// Where it has one.
  package static let old = ["__version", "ms_version", "version"]
}
