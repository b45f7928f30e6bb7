import Bytes
import Records

extension FindingKind {
  /// A file of which only a part could be read.
  static let storeDamaged = FindingKind(
    "store-damaged", .error,
    title: "a store with missing or wrong bytes",
    meaning:
      "Pages of the file contradict each other, or are missing. What could still be read was "
      + "read page by page; the finding says how much of the file was not. Values inside of a "
      + "page that was written over with others of the same kind cannot be told from true ones.",
    causes: [
      "The copy was cut short, or the medium that it came from is failing.",
      "The device lost power while it wrote, or another program wrote into the file.",
      "The archive that the store lies in is damaged: its checksum is that of other bytes, and which "
        + "bytes are wrong nobody can tell.",
    ],
    remedies: [
      "Copy the store again with its side files, or take an older backup, and compare.",
      "Where this is the only copy, take the result as incomplete.",
    ]
  )

  /// A table of which only a part could be read.
  static let tableSalvaged = FindingKind(
    "table-salvaged", .error,
    title: "a table of which rows are lost",
    meaning:
      "The store is damaged, and this table with it. The finding says how many rows were read, "
      + "how many are known to be lost, and how many parts of the table were not found; nobody "
      + "knows how many rows these held. Pages that nothing leads to any more were taken into the "
      + "table when their rows fit no other. Pages that contradict themselves may have had more rows "
      + "than they list. Rows that may be mixed up share stored bytes with another row, or do not "
      + "end where they should; they are read as SQLite reads them.",
    causes: [
      "The damage that the finding store-damaged tells of."
    ],
    remedies: [
      "Compare with the server or with an older backup before relying on the table."
    ]
  )

  /// A store of several that could not be read.
  static let storeLeftOut = FindingKind(
    "store-left-out", .error,
    title: "a store that could not be read",
    meaning:
      "Several stores were converted into one with --skip-unreadable, and this one could not be "
      + "read. Nothing of it is here, neither its rows nor its operations. Where it is an archive or a "
      + "backup that is cut or damaged, the stores that it has whole are here, and those are missing "
      + "that nobody could find in it.",
    causes: [
      "The copy was cut off, or made while the app wrote to the store.",
      "The store or its backup is encrypted, or the file only has the name of one.",
    ],
    remedies: [
      "Copy it again with its -wal file, or see with 'rehome inspect --salvage' what can still be "
        + "read.",
      "Convert all stores anew when it can be read; merging it later gives it a later place in the "
        + "queue.",
    ]
  )

  /// A backup that was not finished when a store was taken from it.
  static let backupIncomplete = FindingKind(
    "backup-incomplete", .note,
    title: "a store from a backup that is not whole",
    meaning:
      "The device sends a backup piece by piece, and puts the pieces in their places at the end. The "
      + "transfer of this one broke off: it is mixed from two runs, or lacks files. The store was read "
      + "as it is there; it, or its -wal file, may be older than the rest, and the newest changes may "
      + "not have come.",
    causes: [
      "The cable was pulled, the disk was full, or the backup was copied while it was being made."
    ],
    remedies: [
      "Make the backup again if the device is at hand, and read that.",
      "If it is not, look for an older backup that is whole, and compare the two.",
    ]
  )

  /// What an older backup has of a store of which a later one of the same device has another state.
  static let earlierCopyOfStore = FindingKind(
    "earlier-copy-of-store", .warning,
    title: "a store of which a later backup of the device has another state",
    meaning:
      "Two backups say that they are of one device, and both have this store, with other bytes: it is "
      + "one store at two dates. This one is from the older backup, as the times that both tell say, or "
      + "else the names of their folders. Operations that wait in both would be sent twice, and those "
      + "that wait only here may have been sent since. In a merge the order of the arguments decides, "
      + "and not the dates: of two copies of a row that neither a time nor a version tells apart, the one "
      + "that comes first is kept, and operations are sent store after store. Within a folder "
      + "stores come in the order of their paths.",
    causes: [
      "A folder of backups was given that keeps older ones, as '<identifier>-20200101-120000'."
    ],
    remedies: [
      "Compare the two, and see what waits in each with 'rehome ops list'; then convert again, and "
        + "give one of the two backups alone, by its name.",
      "If both are needed, name each in the order that you mean, and drop the operations that the "
        + "server has already or that the other one has, too.",
    ]
  )

  /// One store under two names.
  static let sourceGivenTwice = FindingKind(
    "source-given-twice", .warning,
    severityNote: "A note where the stores have neither rows nor operations.",
    title: "two stores with the same bytes",
    meaning:
      "Several stores were converted into one, and two of them are the same, byte for byte. "
      + "Items that an SDK knows by an id are kept once, but the operations of the store, and rows "
      + "that no such id tells apart, are there twice, as are all rows of a store of no SDK. A "
      + "canonical store or an export counts as the stores that it was made from, unless those that "
      + "came before have other tables of them.",
    causes: [
      "A backup was copied, or a pattern of names matches a store and a link to it.",
      "Stores were merged step by step, and one of them was taken twice.",
    ],
    remedies: [
      "Convert again, and give the store once; --once leaves out what has the bytes of another. Do "
        + "not replay the queue of this one: its operations would be sent twice."
    ]
  )

  /// The write-ahead log may be missing.
  static let walMissing = FindingKind(
    "wal-missing", .warning,
    severityNote:
      "An error where an archive or a backup lists the log and does not have it, or where it lies "
      + "beside the store but is packed by itself; a note where no "
      + "SDK synchronises, and the log may be gone because the app has closed its store.",
    title: "the write-ahead log may be missing",
    meaning:
      "The store says that its changes go to a file ending in -wal first, or a file ending in -shm "
      + "lies beside it, but no -wal. The newest changes, and operations that wait, may be in a log "
      + "that was not copied. Only an app that closes its store, which few do, leaves no log behind. "
      + "Where an object of Core Data has a key above the last one that was given, a part of the changes "
      + "is missing for sure.",
    causes: [
      "The store was copied without its side files, or while the app was running.",
      "What is called as the log is a link, which may lead anywhere: none beside a store is followed.",
    ],
    remedies: [
      "Copy the store again together with its -wal, and look whether the counts change."
    ]
  )

  /// A log that is cut off or damaged.
  static let walDamaged = FindingKind(
    "wal-damaged", .warning,
    severityNote: "An error where an archive or a backup does not have all of the log.",
    title: "a write-ahead log that cannot be read to its end",
    meaning:
      "A file ending in -wal lies beside the store, but it is cut off, or its contents are "
      + "not what their checksums say. The engine stops at that place, so the newest changes "
      + "behind it are not seen.",
    causes: [
      "The file was copied while the app was writing, or the copy was cut off.",
      "It was damaged, or is a file of another kind under that name.",
    ],
    remedies: [
      "Copy the store again together with its -wal.",
      "If there is no other copy, expect that the newest changes are missing.",
    ]
  )

  /// A rollback journal that is cut off or damaged.
  static let journalDamaged = FindingKind(
    "journal-damaged", .warning,
    severityNote:
      "An error where an archive or a backup lists the journal and does not have all of it.",
    title: "a rollback journal that cannot be used, or not to its end",
    meaning:
      "A file ending in -journal lies beside the store: the app had begun a change and not "
      + "finished it, and the journal has the pages as they were before. It is cut off, or its "
      + "contents are not what their checksums say. The engine stops at that place, so a part of "
      + "the unfinished change is read as if it were a fact. Or it is of a change of several "
      + "databases: while that is not finished, a file lies beside one of them whose name ends in "
      + "-mj and nine digits. Without that file the engine takes the change for finished. A journal "
      + "that says of the store a size that it cannot have had is used, but for that size.",
    causes: [
      "The files were copied while the app was writing, or the copy was cut off.",
      "The journal was damaged, or is a file of another kind or a link under that name.",
      "The file that ends in -mj was left on the device, or the change was finished and only the "
        + "journal not yet removed.",
    ],
    remedies: [
      "Copy the store again together with its -journal, or the whole folder.",
      "If there is no other copy, compare the rows with another source before they are used: "
        + "some may be newer than others, and some may be missing.",
    ]
  )

  /// A packed file with more in it than its data.
  static let bytesLeftOver = FindingKind(
    "bytes-left-over", .note,
    severityNote: "A warning where a ZIP begins with another one.",
    title: "something in a packed file or an archive that is not read",
    meaning:
      "A file of an archive, or one that is packed by itself, takes more bytes than its packed "
      + "data has. The data is whole and its checksum is right; what stands behind it is not read. "
      + "Or a ZIP begins with another one, of which its directory, which stands at its end, tells "
      + "nothing: there may be stores in it.",
    causes: [
      "A program or a gateway has added something to the file.",
      "Two archives were joined into one file.",
      "Somebody hides something in it.",
    ],
    remedies: [
      "Nothing, unless something is missed: then get the file from where it came from again.",
      "Of a ZIP take the beginning as an archive of its own, with 'head -c' and as many bytes as the "
        + "finding says.",
    ]
  )

  /// A log that ends with an unfinished change.
  static let walUncommitted = FindingKind(
    "wal-uncommitted", .note,
    title: "a write-ahead log with a change that was never finished",
    meaning:
      "The last pages of the write-ahead log belong to a change that the app had begun and "
      + "not committed. The app would not see it either, and it is left out.",
    causes: [
      "The app was stopped while it was writing."
    ],
    remedies: [
      "Nothing."
    ]
  )

  static let twoSDKGenerations = FindingKind(
    "two-sdk-generations", .note,
    title: "a file that two generations of an SDK have written to",
    meaning:
      "The file holds columns or settings of an older SDK beside those of the one that "
      + "wrote last. Where system columns stand side by side, those of the newer one count. "
      + "Where the SDKs of .NET counted times in seconds and then in milliseconds, numbers below "
      + "10^11 are read as seconds and others as milliseconds.",
    causes: [
      "The app was updated to a newer SDK and kept its store."
    ],
    remedies: [
      "Nothing, as long as the newer columns are filled; look at the evidence that inspect "
        + "shows.",
      "In a file of the SDKs of .NET look at times before March 1973, which the newer SDK may "
        + "have meant otherwise. Do not open the file with it again: it reads the seconds of the "
        + "older one as milliseconds.",
    ]
  )

  /// Metadata that is no property list.
  static let metadataUnreadable = FindingKind(
    "metadata-unreadable", .warning,
    title: "a store's metadata that cannot be read",
    meaning:
      "The property list in Z_METADATA is damaged. The app itself cannot open such a store; "
      + "its rows are read all the same, only without the hashes by which a model is "
      + "recognised.",
    causes: [
      "The file was damaged, or a tool wrote to the table."
    ],
    remedies: [
      "Look for another copy of the store; if there is none, check the tables and their "
        + "names with care."
    ]
  )

  /// Something that would let others in, and that is in no output.
  static let secretWithheld = FindingKind(
    "secret-withheld", .note,
    title: "something secret that was left out",
    meaning:
      "The store holds tokens, passwords or identifiers that stand for a person's right to sign in. "
      + "They are in no output of any command, neither among rows nor in raw payloads. The message "
      + "says how many were left out and where.",
    causes: [
      "SDKs keep the token of the user who made a change beside it, or the signed-in user as a row."
    ],
    remedies: [
      "Nothing for the data. To send changes as a user, let the user sign in again, and give the new "
        + "token in a file.",
      "Treat the store itself as a secret: whoever has the file has what it holds.",
    ])

  static let externalDataMissing = FindingKind(
    "external-data-missing", .error,
    title: "a value whose file is missing",
    meaning:
      "The row says that a value is kept in a file beside the store, and the file is not "
      + "there. The value is lost unless the file is found.",
    causes: [
      "The store was copied without its hidden folder, .<name>_SUPPORT/_EXTERNAL_DATA.",
      "A store of Couchbase Lite was copied without the folder of its attachments: attachments in "
        + "the folder of the database, or '<name> attachments' beside it.",
      "Couchbase Lite never downloaded the attachment, or the upgrade from version 1.0 lost it.",
    ],
    remedies: [
      "Copy the folder too, and run again."
    ]
  )

  /// An operation that a replay could not finish.
  static let replayUnfinished = FindingKind(
    "replay-unfinished", .warning,
    title: "an operation that a replay could not finish",
    meaning:
      "The journal in the canonical store says that the latest replay ended with a conflict about "
      + "the operation, or that the server refused it. It still waits.",
    causes: [
      "Somebody else has changed the item, and no policy was given.",
      "The server does not take the item as it is, or fails at it.",
      "The table has another name there, or the address was wrong.",
    ],
    remedies: [
      "Look at both copies and the server's words in the report of 'rehome replay', choose "
        + "'--on-conflict' or correct the cause, and run the same command again.",
      "Give the operation up with 'rehome ops drop'.",
    ]
  ) { input, sink in
    for index in input.pending {
      guard let delivery = input.delivery(of: index),
        delivery.outcome == .conflict || delivery.outcome == .rejected
      else { continue }
      let status = delivery.status.map { ", status \($0)" } ?? ""
      let detail = delivery.detail.map { ": \($0)" } ?? ""
      sink.raise(
        at: index,
        "the operation was \(delivery.outcome.words) at \(delivery.target)\(status)\(detail)")
    }
  }

  /// An operation whose code means something else now.
  static let operationOfOlderSDK = FindingKind(
    "operation-of-older-sdk", .error,
    title: "an operation that an older SDK queued under other codes",
    meaning:
      "The operation was queued by the SDK for Mobile Apps, and the file was then opened by "
      + "Microsoft.Datasync.Client, which gives the same numbers other meanings: an update "
      + "reads as a delete, a delete as an insert, and what had failed as completed. So it counts as "
      + "an operation of unknown kind, which waits, and a replay does not send it.",
    causes: [
      "The app moved to Microsoft.Datasync.Client and kept its store without converting it."
    ],
    remedies: [
      "Do not send it as it is: take the operations from a backup made before the app was "
        + "updated, or mark this one as dropped and compare the item with the server's copy."
    ], asksFirst: true)
}
