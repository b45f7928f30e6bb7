import CSQLite

/// A function of the engine that works as long as the product of two of its arguments is large: one
/// call of it may take minutes, in which nobody can stop the engine.
///
/// It stands before the function itself, and refuses what would take more than about a second.
final class BoundedFunction {
  /// Where the function is called.
  private let engine: Connection
  private var statement: Statement
  /// What may ask to stop between two calls.
  private let watched: Connection.Watched

  /// How large the product may be.
  private static let largest = 1 << 28

  init(
    _ signature: Signature, in encoding: DatabaseEncoding, _ watched: Connection.Watched
  ) throws(SQLiteError) {
    engine = try Connection(scratchInMemory: true)
    try engine.write(in: encoding)
    statement = try engine.prepare(signature.call)
    self.watched = watched
  }

  /// Calls the function for the engine; `arguments` are those that it has, or fewer.
  @safe
  func call(_ context: OpaquePointer, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    guard watched.interruption?.isRaised != true else {
      return unsafe sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    }
    let sizes = unsafe arguments.prefix(2).map { unsafe Self.size(of: $0) }
    guard sizes.reduce(1, *) <= Self.largest else {
      return unsafe sqlite3_result_error(context, "the function would take too long", -1)
    }
    // No value may become longer than where it is wanted.
    let most = unsafe sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1)
    engine.limitValues(to: most)
    for place in 0..<arguments.count {
      unsafe _ = sqlite3_bind_value(statement.handle, Int32(place + 1), arguments[place])
    }
    unsafe giveResult(to: context)
    statement.reset()
    unsafe _ = sqlite3_clear_bindings(statement.handle)
  }

  /// How many bytes an argument has; numbers have few.
  private static func size(of argument: OpaquePointer?) -> Int {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_TEXT, SQLITE_BLOB: unsafe max(1, Int(sqlite3_value_bytes(argument)))
    default: 32
    }
  }

  private func giveResult(to context: OpaquePointer) {
    switch unsafe sqlite3_step(statement.handle) {
    case SQLITE_ROW:
      let value = unsafe sqlite3_column_value(statement.handle, 0)
      unsafe sqlite3_result_value(context, value)
      // What is JSON, and not a text, is told beside the value.
      unsafe sqlite3_result_subtype(context, sqlite3_value_subtype(value))
    case SQLITE_TOOBIG:
      unsafe sqlite3_result_error_toobig(context)
    default:
      unsafe sqlite3_result_error(context, sqlite3_errmsg(engine.handle), -1)
    }
  }
}

extension BoundedFunction {
  /// A name, and how many arguments there are.
  struct Signature {
    let name: String
    let count: Int

    /// The call, with arguments that are read from a table: as parameters, bytes that are taken for
    /// a text would be one in UTF-8, whatever the encoding of the database is.
    fileprivate var call: String {
      let marks = [String](repeating: "?", count: count).joined(separator: ", ")
      let names = (0..<count).map { "a\($0)" }.joined(separator: ", ")
      return "WITH given(\(names)) AS MATERIALIZED (SELECT \(marks)) "
        + "SELECT \(name)(\(names)) FROM given"
    }
  }

  /// All of them; which are there depends on the library.
  fileprivate static let signatures = [
    Signature(name: "instr", count: 2), Signature(name: "replace", count: 3),
    Signature(name: "trim", count: 2), Signature(name: "ltrim", count: 2),
    Signature(name: "rtrim", count: 2), Signature(name: "like", count: 2),
    Signature(name: "like", count: 3), Signature(name: "glob", count: 2),
    Signature(name: "unhex", count: 2), Signature(name: "json_patch", count: 2),
    Signature(name: "jsonb_patch", count: 2),
  ]
}

extension Connection {
  /// Bounds what the functions may do that the schema calls; those of our own statements stay as
  /// quick as they are where it calls none.
  func boundFunctionsOfSchema() throws(SQLiteError) {
    let signatures = BoundedFunction.signatures
    let isNamed = signatures.map { "ifnull(max(sql LIKE '%\($0.name)%'), 0)" }
    var statement = try prepare("SELECT \(isNamed.joined(separator: ", ")) FROM sqlite_schema")
    guard try statement.step() else { return }
    let named = signatures.indices.filter { statement.integer(at: $0) != 0 }
    statement.reset()
    for place in named where !Self.refusedFunctions.contains(signatures[place].name) {
      // A library without the function fails to prepare its call, and the schema's as well.
      let signature = signatures[place]
      guard let function = try? BoundedFunction(signature, in: known.encoding, watched) else {
        continue
      }
      try add(function, as: signature)
    }
  }

  private func add(
    _ function: BoundedFunction, as signature: BoundedFunction.Signature
  ) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    // The library keeps the function alive until it is told to release it, also where this fails.
    let pointer = unsafe Unmanaged.passRetained(function).toOpaque()
    let result = unsafe sqlite3_create_function_v2(
      handle, signature.name, Int32(signature.count), flags, pointer,
      { context, count, arguments in
        guard let context = unsafe context, let function = unsafe sqlite3_user_data(context) else {
          return
        }
        unsafe Unmanaged<BoundedFunction>.fromOpaque(function).takeUnretainedValue().call(
          context, UnsafeBufferPointer(start: arguments, count: Int(count)))
      }, nil, nil,
      { function in
        if let function = unsafe function {
          unsafe Unmanaged<BoundedFunction>.fromOpaque(function).release()
        }
      })
    try check(result)
  }
}
