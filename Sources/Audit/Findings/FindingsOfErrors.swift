import Records

extension FindingKind {
  /// A change that the server did not take because it has another version.
  static let errorConflict = FindingKind(
    "error-conflict", .warning,
    severityNote:
      "A note where the server's copy equals what would be sent, apart from its own fields; for a "
      + "delete only where that copy is marked as deleted, or the delete needs no item.",
    title: "a change that the server did not take because it has another version",
    meaning:
      "The server answered 409 or 412: it has the item already, or somebody else has changed "
      + "it since the device last saw it. Nothing was overwritten; the change still waits.",
    causes: [
      "Somebody else edited the item.",
      "The insert or an earlier update did reach the server, and its answer was lost.",
      "The answer to an earlier update was thrown away because another operation was "
        + "pending, so the version here is old (issue 612 of azure-mobile-services).",
    ],
    remedies: [
      "Compare both copies, which the audit shows field by field, and choose a policy: "
        + "'rehome replay --on-conflict'."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.conflict) {
      let copy = input.failures.serverCopy(error, input.rows)
      let details = copy.words.map { "; " + $0 } ?? ""
      sink.raise(
        error, as: copy.isAsWanted ? .note : nil, input.failureText(index, error) + details)
    }
  }

  /// A change that the server or the SDK refused.
  static let errorRejected = FindingKind(
    "error-rejected", .error,
    title: "a change that the server or the SDK refused",
    meaning:
      "The request was refused for what it is: a field that is not allowed, a missing right, "
      + "an item that is not there, or an item that cannot be sent at all. Sent again as it is, "
      + "it will be refused again.",
    causes: [
      "The server's rules or its table changed after the app was written.",
      "The item was deleted on the server (404, 410).",
      "The iOS SDK could not build the request: the row is gone (-1101), has no valid id "
        + "(-1102, -1105), or holds binary data (-1103).",
    ],
    remedies: [
      "Read the message, repair the item in a copy, or mark the operation as dropped. While "
        + "it waits, it blocks every pull of its table."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.rejected) {
      sink.raise(error, input.failureText(index, error))
    }
  }

  /// A failure that may pass by itself.
  static let errorTransient = FindingKind(
    "error-transient", .note,
    title: "a failure that may pass by itself",
    meaning:
      "The server was busy or broken, or could not be reached. The change itself was not "
      + "judged.",
    causes: [
      "An overloaded server (429, 503), an error inside it (500), a time-out, or no network."
    ],
    remedies: [
      "Replay the operation; it is tried again with growing pauses."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.transient) {
      sink.raise(error, input.failureText(index, error))
    }
  }

  /// A failure that does not tell its cause.
  static let errorOfUnknownCause = FindingKind(
    "error-of-unknown-cause", .warning,
    title: "a failure that does not tell its cause",
    meaning:
      "An error belongs to the operation, and neither a status nor a code of the SDK says what "
      + "went wrong: the server may have refused the change, or never heard of it.",
    causes: [
      "The SDK for Android as a rule notes only a message, also where the server refused the "
        + "change.",
      "No answer came to an SDK for .NET: the request timed out, a handler of the app failed, or "
        + "the row was gone.",
      "Another tool rewrote the errors, or the file was damaged.",
    ],
    remedies: [
      "Read the message of the error, if there is one, with 'rehome ops show'; replaying the "
        + "operation will give the cause again."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.unknown) {
      sink.raise(error, input.failureText(index, error))
    }
  }

  /// A change that the server took and the app never noticed.
  static let errorAfterSuccess = FindingKind(
    "error-after-success", .warning,
    title: "a change that the server took and the app never noticed",
    meaning:
      "The server answered with success, but the SDK could not read the answer, kept the "
      + "operation and wrote an error; or it answered a delete with 404 or 410, since the item was "
      + "gone already. The change is most likely on the server.",
    causes: [
      "A server that answers with 204, 304 or an empty body, which the iOS SDK takes for a "
        + "failure of inserts and updates.",
      "An item that was deleted on the server, or by an earlier push whose answer never came.",
    ],
    remedies: [
      "Replay it with a policy for conflicts; an insert may be answered with 409, an update "
        + "with 412, and a delete with 404, which counts as done."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.answered) {
      sink.raise(error, input.failureText(index, error))
    }
  }

  /// A failure whose operation is no longer there.
  static let errorWithoutOperation = FindingKind(
    "error-without-operation", .note,
    title: "a failure whose operation is no longer there",
    meaning:
      "An error was written down, but the operation that failed is not in the queue: it was "
      + "sent, cancelled or discarded later. Whether its change reached the server cannot be "
      + "told from here.",
    causes: [
      "The app ended during a push, and the operation was removed afterwards; the SDK "
        + "deletes left-over errors at the end of the next push.",
      "Errors of the 2014 previews of the iOS SDK do not name their operation.",
    ],
    remedies: [
      "Compare the item with the server's copy if the change matters."
    ]
  ) { input, sink in
    for (index, error) in input.errors(where: { $0.bond == .orphan }) {
      sink.raise(error, "\(input.failureText(index, error)); its operation is not in the queue")
    }
  }

  /// A failure of what the operation no longer is.
  static let staleError = FindingKind(
    "stale-error", .note,
    title: "a failure of what the operation no longer is",
    meaning:
      "The error names an operation that has changed since, or whose id was given to another "
      + "item meanwhile. It says nothing about the operation that waits now.",
    causes: [
      "Ids of operations start at 1 again when the app starts with an empty queue (all "
        + "releases of the iOS SDK).",
      "An update became a delete after it had failed.",
    ],
    remedies: [
      "Do not judge the waiting operation by this error."
    ]
  ) { input, sink in
    for (index, error) in input.errors(where: { $0.bond == .stale }) {
      sink.raise(
        error,
        "\(input.failureText(index, error)); the operation has changed since, or is another one")
    }
  }
}
