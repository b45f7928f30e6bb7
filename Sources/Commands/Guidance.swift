import CommandLineKit

/// What leads a person to the right command: words that people try, and topics of the help.
enum Guidance {
  private typealias Example = Command.Example

  /// Words that are no commands of `rehome`, and what does what they mean.
  static let synonyms: [Command.Synonym] = [
    .init(
      "merge combine join union concat unify", leadTo: "convert",
      Example(
        "rehome convert phone.sqlite tablet.sqlite -o both.rehome", "make one store of several")),
    .init(
      "migrate normalise normalize transform upgrade query sql select sqlite copy",
      leadTo: "convert",
      Example(
        "rehome convert qstodoitem.sqlite -o items.rehome",
        "put all of it into one plain SQLite file"
      )),
    .init(
      "recover repair salvage fix rescue", leadTo: "convert",
      Example(
        "rehome convert --salvage broken.sqlite -o items.rehome",
        "write what can still be read of a damaged store into a new one")),
    .init(
      "diff compare cmp equal same prove", leadTo: "verify",
      Example("rehome verify qstodoitem.sqlite items.rehome", "show where two stores differ")),
    .init(
      "ls scan search locate discover stores devices device backup backups", leadTo: "find",
      Example("rehome find backups/", "list every store below a folder")),
    .init(
      "extract unpack unzip untar", leadTo: "find",
      Example(
        "rehome find --copy-to stores/ backup.zip", "copy the stores in an archive to a folder")),
    .init(
      "list queue pending operations waiting unsent outbox", leadTo: "ops list",
      Example(
        "rehome ops list qstodoitem.sqlite", "list what waits to be sent; 'find' lists stores")),
    .init(
      "conflicts errors failures", leadTo: "ops list",
      Example(
        "rehome ops list --finding error-conflict qstodoitem.sqlite",
        "list what the server did not take")),
    .init(
      "info open show describe view identify stat status tables columns schema count file",
      leadTo: "inspect",
      Example("rehome inspect qstodoitem.sqlite", "see what a store is and holds")),
    .init(
      "check lint doctor diagnose analyse analyze report html examine lost", leadTo: "audit",
      Example(
        "rehome audit --html audit.html qstodoitem.sqlite",
        "see what is wrong or was never sent, as a page")),
    .init(
      "excel spreadsheet xlsx workbook calc", leadTo: "export",
      Example(
        "rehome export qstodoitem.sqlite --to csv --for excel --table TodoItem -o items.csv",
        "write a table as spreadsheets open it")),
    .init(
      "postgresql postgres psql pg", leadTo: "export",
      Example(
        "rehome export qstodoitem.sqlite --to postgresql -o items.sql",
        "write a script that makes the tables with their rows in PostgreSQL")),
    .init(
      "dump cat csv json ndjson xml print save write", leadTo: "export",
      Example(
        "rehome export qstodoitem.sqlite --to csv --table TodoItem",
        "write the rows of a table to standard output")),
    .init(
      "import load restore create new init make fill populate pull download fetch", leadTo: "seed",
      Example(
        "rehome seed items.json -o fresh.rehome", "load an export or plain files into a new store")),
    .init(
      "token tokens header password login", leadTo: "replay",
      Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --header-file token.txt",
        "send what waits, with a token that stands in a file")),
    .init(
      "rename type types correct", leadTo: "convert",
      Example(
        "rehome convert --rename TodoItem=Task qstodoitem.sqlite -o items.rehome",
        "call a table otherwise; --type says what a column is")),
    .init(
      "sync push upload send submit post apply retry resend put patch", leadTo: "replay",
      Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --dry-run",
        "see what would be sent; without --dry-run it is sent")),
    .init(
      "preview plan rehearse simulate dry-run", leadTo: "replay",
      Example("rehome replay qstodoitem.sqlite --dry-run", "see every request, and send nothing")),
    .init(
      "drop delete remove rm discard ignore skip cancel", leadTo: "ops drop",
      Example(
        "rehome ops drop items.rehome 3-7", "keep operations of a canonical store from being sent")),
    .init(
      "keep undo undrop undelete unmark", leadTo: "ops keep",
      Example("rehome ops keep items.rehome 3-7", "let dropped operations be sent after all")),
    .init(
      "checksum sha256 sha256sum digest fingerprint", leadTo: "hash",
      Example("rehome hash qstodoitem.sqlite items.rehome", "see whether stores hold the same")),
    .init(
      "what why finding findings codes meaning", leadTo: "explain",
      Example("rehome explain error-conflict", "tell what a finding means")),
    .init(
      "completion complete bash zsh fish", leadTo: "completions",
      Example("source <(rehome completions bash)", "complete words in this shell")),
  ]

  /// Words that are no commands of `rehome ops`.
  static let synonymsOfOps: [Command.Synonym] = [
    .init(
      "ls find search queue", leadTo: "list",
      Example("rehome ops list qstodoitem.sqlite", "list what waits to be sent")),
    .init(
      "cat get view info inspect print open", leadTo: "show",
      Example("rehome ops show qstodoitem.sqlite 7", "show one operation whole")),
    .init(
      "delete remove rm discard ignore skip cancel mark", leadTo: "drop",
      Example("rehome ops drop items.rehome 3-7", "keep operations from being sent")),
    .init(
      "undo undrop undelete unmark restore add", leadTo: "keep",
      Example("rehome ops keep items.rehome 3-7", "let dropped operations be sent after all")),
  ]

  /// What is said once of the options that many commands share.
  static let topics: [Command.Topic] = [
    .init(
      "places", summary: "folders, archives, backups and lists of stores",
      discussion: [
        "Where a store is named, a folder, a ZIP or tar archive or a device backup may be named, "
          + "too: every store in it is taken, and called by its path inside, as in "
          + "backup.zip!data/q.sqlite."
      ],
      examples: [
        Example(
          "find shelf -name '*.sqlite' -print0 | rehome audit --files-from - -0",
          "take the places that another program lists"),
        Example(
          "rehome convert --device 'shelf/{device}/**' shelf/ -o all.rehome",
          "take the device's name from each path"),
      ],
      options: CommonOptions.places + StoreRound.options + StoreRound.reportOptions),
    .init(
      "plain-files", summary: "how CSV, JSON, NDJSON and XML without a manifest are read",
      discussion: [
        "What a plain file is, and how it is written, is found from its content, and reported. These "
          + "options say it instead, whatever the content looks like."
      ],
      examples: [
        Example(
          "rehome seed --from csv --separator semicolon --decimal-comma sales.txt -o sales.rehome",
          "read a file as a spreadsheet of a country with decimal commas writes it")
      ],
      options: CommonOptions.plainFiles),
    .init(
      "corrections", summary: "names and types that you know better than the store",
      discussion: [
        "A store's own names and types are used as far as it has them. These options correct them, "
          + "and hold for every command that reads. Of several stores each takes those options that "
          + "name a table or a column of its own; an option that fits none of the stores is a mistake.",
        "Numbers that become a timestamp count what the SDK's own times count. In other files of SQLite "
          + "they count seconds since 1970, and milliseconds from 100,000,000,000 on, either way from "
          + "0; unix-seconds and unix-milliseconds say what all numbers of a column count.",
        "Stores of Couchbase Lite and Parse and those of Core Data in XML take none of them, since "
          + "they say names and types themselves; nor do canonical stores and exports.",
        "A replay sends operations to the table with the name that it has then (v3 and toolkit in "
          + "lower case), unless --map says otherwise. A column is sent by the name that the store "
          + "spells; where it spells none (names-from-fallback), a new name counts as the app's own.",
      ],
      examples: [
        Example(
          "rehome export --rename ZTODO=TodoItem --type TodoItem.DUE=timestamp old.sqlite --to json",
          "name a table, and read a column as times")
      ],
      options: CommonOptions.names + CommonOptions.corrections),
    .init(
      "limits", summary: "how much a store may ask for",
      discussion: [
        "A damaged or hostile store must not take the machine. One that asks for more than a limit "
          + "is refused with exit code 65, and the message names the option that raises it. K, M "
          + "and G stand for the powers of 1024."
      ],
      examples: [
        Example(
          "rehome convert --max-value-bytes 512M photos.sqlite -o photos.rehome",
          "read a store with large values")
      ],
      options: CommonOptions.limits),
  ]
}
