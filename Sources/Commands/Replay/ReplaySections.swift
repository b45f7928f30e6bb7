import CommandLineKit

extension ReplayCommand {
  /// What the help says of single subjects.
  static let sections = [
    Command.Section(
      "Runs that were stopped",
      "A journal in the canonical store is written before each request and after each answer, so "
        + "that a run that was stopped or killed goes on when it is started again. For a request "
        + "without an answer the server is asked for the item first, and the change is sent again "
        + "only if the item shows that it was not carried out. So no item is inserted twice, no "
        + "update with a version is carried out twice, and nothing is left out.",
      "One case is not covered: a request that the server is still working on while a later run asks "
        + "for the item is sent again. An update without a version, or of a table that keeps none, may "
        + "then be carried out twice, with the same body both times."),
    Command.Section(
      "Conflicts",
      "A change is in conflict where the server's item has another version than the device knew "
        + "(changed), where the item was deleted there (deleted), and where the server already has "
        + "an item with the id of a new one (exists). --on-conflict says what is done: 'skip' leaves "
        + "the change for a later run and goes on; 'stop' leaves it and ends the run; 'client-wins' "
        + "sends it on top of what the server has; 'server-wins' gives it up; 'newest' compares the "
        + "updatedAt of both copies, and leaves the change where one has none. The SDKs keep the "
        + "server's time in updatedAt even when the app changes an item. So 'newest' lets the device "
        + "win only where the app itself sets the time; elsewhere the server's copy counts as newer, "
        + "or as just as old, and wins.",
      "A file of --rules decides conflict by conflict. It is CSV with the head "
        + "table,operation,situation,decision. The first line that fits decides, and --on-conflict "
        + "where none does. The operation is insert, update or delete, the situation changed, deleted "
        + "or exists; '*' fits everything. The decision is one of those of --on-conflict. A table may "
        + "be named as the store or as a device calls it; a rule about a table that is not there is "
        + "reported."),
    Command.Section(
      "Several devices",
      "The operations of a store of several devices are sent device by device. Where a device could "
        + "not finish with an item for now, the changes of later devices to the item wait, too. A "
        + "change that was refused is not sent on top of what a later device has sent since: it is "
        + "held back or, where the server reports a conflict, sent by 'newest' alone. The other "
        + "policies decide as always, except that 'client-wins' leaves such a conflict."),
    Command.Section(
      "Answers of the server",
      "Before anything is sent to a table, the server is asked for one of its items. Where there is "
        + "no such table, or no table service answers, the operations on it are refused; a later run "
        + "with the right address or --map sends them. Where reading is not permitted (401, 403), "
        + "operations are sent all the same. A 404 then counts as a missing item only if it names "
        + "the item, and what would have to be compared stays a conflict or in doubt.",
      "A change that the server says it took is not sent again. If the answer does not show the "
        + "item, the server is asked for it. Another id or other values are reported as "
        + "server-changed-value, and an item that is as before is a refusal. Where there is no such "
        + "item, or nothing in it shows the change, the change is in doubt: 'client-wins' sends it "
        + "again in a later run, once, and 'server-wins' gives it up. Where the answers show nothing "
        + "at all, each run asks again, until 'rehome ops drop' gives the change up.",
      "A 404 of a web server or gateway is a refusal, and so is a fault of the server (500) that "
        + "stays after --retries. The next run tries again what was refused. Where the server says "
        + "with Retry-After when to ask again, the run waits that long, up to ten minutes each time.",
      "Values that the server keeps otherwise than they were sent, such as whole numbers beyond "
        + "9007199254740991 on a server in JavaScript, are reported as server-changed-value; with "
        + "--fail-on warning the exit code is then 2."),
    Command.Section(
      "What is sent",
      "No null is sent for a value that could not be read, and no change without the condition on a "
        + "version that could not. An insert or update whose row has such a value is held back as "
        + "withoutValue until somebody has seen to the value; see 'rehome explain "
        + "operation-without-value'.",
      "Where the store does not spell the names of columns, they are guessed, which is reported; "
        + "--model or --rename gives the app's own. Some SDKs declare truth values and times as "
        + "numbers, and objects as texts: columns that may hold such are reported, and --type says "
        + "what they are. A canonical store takes these options where it is converted.",
      "Columns that are not sent are reported where they have values: references to other rows, and "
        + "columns of the app that have the names of those which the server keeps for itself."),
    Command.Section(
      "Tokens",
      "Tokens come from --header-file and appear nowhere else. The file has one 'Name: value' a "
        + "line. A line that is nothing but a token is sent as X-ZUMO-AUTH, or to a server of Parse "
        + "as X-Parse-Session-Token."),
    Command.Section(
      "Parse",
      "What waits in a store of Parse is sent to a server of Parse: each set of changes as it was "
        + "stored, one request at a time unless --jobs says otherwise. --header-file gives "
        + "X-Parse-Application-Id, a key and X-Parse-Session-Token. Objects are looked at before "
        + "they are changed; one that the server changed after the device saw it is a conflict, "
        + "unless the change only adds to what is there. Pointers to new objects carry the ids that "
        + "the server gives these. Files that were never uploaded, events, sign-ups and other "
        + "commands are reported and kept. Where nobody can tell whether a change arrived, it stays in "
        + "doubt; 'client-wins' sends it again, and 'server-wins' gives it up."),
    Command.Section(
      "Rehearsals",
      "A canonical store as the target answers as a server would. Changed items get a new version, "
        + "and the time of the run as updatedAt unless the app keeps and sends that itself, as with "
        + "WatermelonDB. Where a table has a column for deleted items, these stay and are marked, as "
        + "on servers with soft delete; --hard-delete removes them. Columns that the target lacks and "
        + "fractions among whole numbers are refused, unless --dynamic-schema takes them, as servers "
        + "with a dynamic schema do. Tables of the target without a column of ids or of versions are "
        + "reported: nothing can be applied to the former, and no conflict is seen in the latter."),
  ]
}
