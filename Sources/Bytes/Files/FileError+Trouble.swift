extension FileError: Trouble {
  package var kind: TroubleKind {
    switch code {
    case .brokenPipe: .brokenPipe
    case .noSpace: .noSpace
    case .exists: .exists
    case .missing, .isDirectory, .notAFile, .readOnly, .notPermitted, .other:
      operation == "create" ? .cannotCreate : inputKind
    }
  }

  package var message: String { "cannot \(operation) it: \(reason)" }

  package var hint: String? {
    switch code {
    case .exists: "give another name, or --force to replace it"
    case .noSpace: "make room on the disk, or write elsewhere"
    case .missing where operation == "create": "make the folder first"
    case .notPermitted where operation == "create": "write to a folder of your own"
    case .notPermitted where path?.hasSuffix("-wal") == true:
      "without it the newest changes would be missing; copy it with the database to where you may "
        + "read both"
    case .notPermitted: "ask its owner, or copy it to where you may read it"
    case .missing: "check the spelling of the path"
    case .isDirectory, .notAFile, .readOnly, .brokenPipe, .other: nil
    }
  }

  private var inputKind: TroubleKind {
    switch code {
    case .missing: .missing
    case .notPermitted: .notPermitted
    case .notAFile: .notAStore
    default: .inputOutput
    }
  }
}
