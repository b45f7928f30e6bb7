import CommandLineKit

extension SeedCommand {
  /// What the help says of single subjects.
  static let sections = [
    Command.Section(
      "Plain files",
      "A plain file becomes the table that its name says. A column has the type that every value in "
        + "the whole file fits without losing a character, otherwise text; --type says better. Dates "
        + "and truth words are read as such, which is reported; --exact leaves them as texts. --dry-run "
        + "shows the types, and which value made each as wide as it is.",
      "How CSV is written is found from its first records, and reported: a byte order mark, the "
        + "separator, line ends, a header. Where two ways fit equally well, nothing is guessed, and "
        + "the message names the option that decides.",
      "--rename T.a=b gives a column another name, and --drop T.a leaves it out; tables and columns "
        + "may be named as the file does, or by their new names. A table holds items where a column is "
        + "called id in the end, in any letter case. Beside it version, createdAt, updatedAt and deleted "
        + "are known by their names and types; __version and the like, as the first version of the "
        + "table service writes them, get these names, too.",
      "Plain files with one name, or renamed to one, are pages of one table: --rename p1=Item --rename "
        + "p2=Item. Of rows that have an id and are alike in everything one is kept; other rows with the "
        + "same id are all kept, and reported."),
    Command.Section(
      "References",
      "--reference Post.authorId=Author says that a column names the rows of another table by their "
        + "id. It gets their keys, whatever the order of the inputs. An id that is not there is "
        + "rejected and becomes NULL."),
    Command.Section(
      "Values that do not fit",
      "A value that does not fit the type given with --type is rejected, and its cell becomes NULL. "
        + "--rejects writes the whole row to a file too, with the reason, even when --max-rejects stops "
        + "the run; so it does with a row that the store of an app refuses. One that is refused for "
        + "want of the row to which it must refer is only told: it comes with that. Correct the row in "
        + "the file, leave its _pk as it is, and seed again from the same input with --corrected. Values of "
        + "corrected rows are read by the rules of the input; those that fitted stand there as exports "
        + "spell them. With both options the new file also has the rows that were corrected before, so "
        + "that it alone is corrected and given next."),
    Command.Section(
      "Stores of apps",
      "--into core-data fills a copy of an empty store that the app itself has created, given with "
        + "--template: the objects, their relationships, what waits to be sent, and how far pulls had "
        + "come. Before anything is written, the template's tables are compared with its model, and "
        + "the data with both. All that does not fit is reported at once; --drop-unknown leaves out what "
        + "the app does not know.",
      "--into toolkit writes the database that an app of the Community Toolkit opens, with what waits "
        + "to be sent and how far pulls had come. With --template the tables of the app's own empty "
        + "database are used, once they are found to fit; without, they are made as Entity Framework "
        + "makes them. The ids of items are texts there, and items refer to each other by them. The "
        + "queue names the types of the app: give their full names with --entity-type where the input "
        + "does not have them. What such a store has no place for is reported.",
      "What a server has taken in the latest replay of the input does not wait there any more; a "
        + "rehearsal does not count. A change is left out where a value of its row could not be read, "
        + "since the app would send null for it. How far pulls of a table had come is left out where rows "
        + "or values of the table are missing, since the app would never ask for them again."),
  ]
}
