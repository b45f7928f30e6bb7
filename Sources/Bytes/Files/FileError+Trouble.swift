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
    case .notPermitted: "ask its owner, or copy it to where you may read it"
    case .missing, .isDirectory, .notAFile, .readOnly, .brokenPipe, .other: nil
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
