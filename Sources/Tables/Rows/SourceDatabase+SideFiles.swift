import Bytes
package import Records
import SQLite

extension SourceDatabase {
  /// What the side files show that a person should know.
  ///
  /// An app that is running, or that the system has ended, leaves its changes in the log; only one
  /// that closes its store does not. Where an SDK synchronises, its queue is among them.
  package func sideFindings(isSynchronised: Bool) -> [Finding] {
    var findings: [Finding] = []
    if files.seemsToLackWAL {
      findings.append(
        Finding(
          "wal-missing", .warning,
          message: "a -shm file is here without its -wal: recent changes may be missing"))
    } else if usesWAL, files.wal == nil {
      findings.append(
        Finding(
          "wal-missing", isSynchronised || files.hasStrangeWAL ? .warning : .note,
          message: "the store keeps recent changes in a -wal file, and "
            + (files.hasStrangeWAL
              ? "what is called so here is no plain file and not read, as a link may lead anywhere"
              : "none is here")
            + ": unless the app had closed the store, changes are missing"))
    }
    if let trouble = journalTrouble {
      findings.append(Finding("journal-damaged", .warning, message: trouble.text))
    }
    guard let wal else { return findings }
    if let trouble = wal.trouble {
      findings.append(Finding("wal-damaged", .warning, message: trouble.text))
    } else if wal.uncommittedFrames > 0 {
      findings.append(
        Finding(
          "wal-uncommitted", .note,
          message: wal.uncommittedFrames == 1
            ? "the last frame of the -wal belongs to a change that was never committed"
            : "the last \(wal.uncommittedFrames) frames of the -wal belong to a change that "
              + "was never committed"))
    }
    return findings
  }
}

extension WALSummary.Trouble {
  /// What is wrong, in a sentence.
  fileprivate var text: String {
    switch self {
    case .notALog: "the -wal does not begin as a write-ahead log, so nothing of it is read"
    case .cutOff: "the -wal is cut off: the changes behind its last whole frame are not read"
    case .damagedFrame(let number):
      "frame \(number) of the -wal is damaged; it and what follows are not read"
    }
  }
}

extension JournalTrouble {
  /// What is wrong, in a sentence.
  fileprivate var text: String {
    let rest = "pages of a change that was not finished stay as it wrote them"
    return switch self {
    case .notPlain:
      "the -journal is no plain file and not read, as a link may lead anywhere: \(rest)"
    case .notAJournal: "the -journal does not begin as a rollback journal: \(rest)"
    case .cutOff: "the -journal is cut off: \(rest)"
    case .damagedPage(let number): "page \(number) in the -journal is damaged: \(rest)"
    case .hasMorePages: "the -journal has more pages than it says: \(rest)"
    case .strangeSize:
      "the -journal says of the store a size that it cannot have had, and may be damaged otherwise; "
        + "its pages are used"
    case .lacksSuperJournal:
      "the -journal is of a change of several databases, and the file is not here whose name ends in "
        + "-mj and digits while that is not finished: it is taken for finished"
    }
  }
}
