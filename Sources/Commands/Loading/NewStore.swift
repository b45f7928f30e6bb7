import Records

/// What shall come of a load: where the store goes, and what it has.
struct NewStore {
  /// Where it goes.
  let path: String
  /// How many rejects it may have.
  var rejectLimit = RejectLimit.none
  /// Which tables are loaded; nil for all.
  var selection: TableSelection?
  /// Whether a file that stands under its name is replaced.
  let isReplacing: Bool
}
