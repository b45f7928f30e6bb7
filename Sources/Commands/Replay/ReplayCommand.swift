import Bytes
import CommandLineKit
import Records

/// `rehome replay`: what was still waiting is sent to a server, or applied to another store.
enum ReplayCommand {
  static let description = Command(
    name: "replay",
    summary: "send what was still waiting, each change once",
    discussion: [
      "Sends the pending operations of a store to the table service at a URL, or applies them to "
        + "a canonical store, which is the rehearsal. Operations on one item keep their order, "
        + "and what several come to is sent as one change, with the version that the device knew "
        + "as its condition. Of a store of several devices one follows the other; what a device could "
        + "not finish for now is not overtaken by what a later one has for the item, and what was "
        + "refused does not go on top of what a later one has sent: it is held back or, where the "
        + "server tells of a conflict, sent by --on-conflict newest alone.",
      "A journal in the canonical store is written before each request and after each answer. A "
        + "run that was stopped or killed at any moment goes on when it is started again: what "
        + "was sent without an answer is looked up on the server first, and sent again only where "
        + "the server's item shows that it was not carried out. So no item is inserted twice, no "
        + "update with a version is carried out twice, and nothing is left out. One case is not "
        + "covered: a request that the server still works on, unanswered, while a later run asks "
        + "for the item is sent again; an update without a version, or an update of a table "
        + "without versions, may then be carried out twice, with the same body both times. A "
        + "store of another layout is converted first; the source itself is never changed.",
      "A change that the server says it took is not sent again by itself. Where the answer does not "
        + "show the item, the server is asked for it: another id or other values are told as "
        + "server-changed-value, and an item that is as before as a refusal. Where the server shows "
        + "no such item, or one in which nothing tells of the change, it stays in doubt; "
        + "--on-conflict client-wins sends it again in a later run, once, and server-wins gives it "
        + "up. Answers that show nothing at all decide nothing: each run asks again, until "
        + "'rehome ops drop' gives the change up.",
      "Each table is asked for once before anything is sent to it, with a GET of one item. Where "
        + "there is no such table, or no table service answers, its operations are refused; a "
        + "later run with the right address or --map sends them. Where reading is not permitted "
        + "(401, 403), the operations are sent, and an answer of 404 counts as a missing item only "
        + "where it names the item; what would have to be compared stays a conflict or in doubt, and "
        + "the rest is sent. A 404 of a web server or gateway is a refusal, and so is a "
        + "server's own fault (500) that stays after --retries; what was refused is tried again by "
        + "the next run.",
      "No null is sent for a value that could not be taken over: an insert or update whose row has "
        + "such a value is kept, told as withoutValue, and sent once the value is seen to; see "
        + "'rehome explain operation-without-value'.",
      "A file of --rules decides conflict by conflict. It is CSV with the head "
        + "table,operation,situation,decision; of the rules behind it, one a line, the first that fits "
        + "decides, and --on-conflict where none does. The operation is insert, update or delete. The "
        + "situation is changed, where the item was changed on the server since the device saw it, "
        + "deleted, where it was deleted there, or exists, where the server has an item with the id of "
        + "a new one. '*' fits everything. The decision is one of those of --on-conflict. client-wins, "
        + "in a rule or there, leaves a conflict with what a later device has sent.",
      "A rule of --rules counts for a table whatever a device calls it; one about a table that nobody "
        + "knows is told. Columns whose names the store does not spell are sent by guesses, which "
        + "is told, too; --model or --rename gives the app's own, to a canonical store where it is "
        + "converted. Some SDKs declare truth values "
        + "and times as numbers, and objects as texts; what may be one is told, and --type says what it "
        + "is. Columns with values that are left out of what is sent are told: references to other "
        + "rows, and columns of the app that are called as what the server keeps of its own.",
      "The server's answer is compared with what was sent. Values that it keeps otherwise, such as "
        + "whole numbers beyond 9007199254740991 on a server in JavaScript, are told as "
        + "server-changed-value; --fail-on warning makes that exit code 2.",
      "--on-conflict newest compares the updatedAt of both copies. The SDKs keep the server's time "
        + "in it when the app changes an item, so it lets the device win only where the app itself "
        + "sets the time; elsewhere the server's copy counts as newer, or as just as old.",
      "Tokens come from --header-file and appear nowhere else. The file has one 'Name: value' a line; "
        + "a line that is nothing but a token is sent as X-ZUMO-AUTH, to a server of Parse as "
        + "X-Parse-Session-Token. --dry-run shows every request "
        + "without sending one.",
      "What waits in a store of Parse is sent to a server of Parse: each set of changes as it was "
        + "stored, one request at a time unless --jobs says otherwise, with X-Parse-Application-Id, "
        + "a key and X-Parse-Session-Token from --header-file. Objects are looked at before they "
        + "are changed; one that the server changed after the device saw it is a conflict, unless "
        + "the change only adds to what is there. Pointers to new objects carry the ids that the "
        + "server gives them. Files that were never uploaded, events, sign-ups and other commands "
        + "are told and kept. Where nobody can tell whether a change arrived, it stays in doubt; "
        + "--on-conflict client-wins sends it again, and server-wins gives it up.",
      "A canonical store as the target answers as a server would. Changed items get a new "
        + "version and the time of the run as updatedAt, unless the times are the app's own, as in "
        + "WatermelonDB, and sent. A table with a column for deleted items keeps them, marked, as "
        + "servers with soft delete do; --hard-delete removes them. Columns that the target lacks "
        + "and fractions among whole numbers are refused, which a server with a dynamic schema "
        + "takes; --dynamic-schema takes them, too.",
      "'rehome audit' and 'rehome ops' read the journal: they tell what became of each operation, "
        + "target by target, and what still waits at the latest server of each device. What was "
        + "only rehearsed still waits.",
    ],
    examples: [
      Command.Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --dry-run",
        "see what would be sent"),
      Command.Example(
        "rehome replay qstodoitem.sqlite --to https://example.net --header-file token.txt",
        "send it"),
      Command.Example(
        "rehome replay device.rehome --to server.rehome --on-conflict client-wins",
        "rehearse it on a store that was seeded from the server"),
    ],
    options: ReplayOptions.described + CommonOptions.opening + CommonOptions.reporting,
    essentials: ["to", "dry-run", "header-file", "on-conflict", "journal", "table"],
    positionals: [
      Positional("STORE", help: "the store whose operations are sent", completion: .file)
    ],
    exitStatuses: ExitCode.reading(.completeWithRejects, .conflicts, .unavailable, .cannotCreate),
    seeAlso: ["rehome-store(5)", "rehome-findings(7)"])

  /// Shows the plan, or carries it out and reports.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let options = try ReplayOptions(session.arguments)
    let file = try session.beginFile("report")
    if options.isDryRun {
      let source = try ReplaySource.preview(session)
      do {
        return try ReplayPreview(source: source, options: options, session: session).run(file)
      } catch {
        throw source.told(error)
      }
    }
    let source = try ReplaySource.prepare(session)
    var hasBegun = false
    let report: ReplayReport
    do {
      report = try ReplayRun(source: source, options: options, session: session).run {
        hasBegun = true
      }
    } catch {
      if !hasBegun { source.discardIfNew() }
      throw error
    }
    try write(report, to: file, session)
    guard report.exitCode != .interrupted else { throw StoreError.interrupted }
    guard report.exitCode == .complete else { return report.exitCode }
    // What is told as server-changed-value.
    return session.exitCode(worst: report.changedCount > 0 ? .warning : nil)
  }

  private static func write(
    _ report: ReplayReport, to file: consuming StagedOutput?, _ session: Session
  ) throws(StoreError) {
    // What was sent is told even where nothing else can be written.
    session.say(ReplayText(report, style: session.console.terminal.errorStyle).text)
    if let file = consume file {
      try session.finish(file) { (write) throws(StoreError) in try report.writeJSON(write) }
    }
    if session.wantsJSON { try report.writeJSON(session.console.writeOutput) }
  }
}
