import Bytes
import CSQLite

/// A function of the library's own, run for a hostile schema by a database that has nothing in it.
///
/// Releases up to 3.40 let no such schema call their functions for JSON: the mark that says that they do
/// no harm is set where it says the opposite, which 3.41 has put right.
final class LibraryFunction {
  private let name: String
  private let bench: Bench
  /// The call that was made last, as the next one is likely to be of the same form.
  private var last: (form: Form, call: Call)?

  private init(_ name: String, on bench: Bench) {
    self.name = name
    self.bench = bench
  }

  /// The names of all such functions: the library's own, with a result that only their arguments decide,
  /// which a hostile schema may not call, although they are not among those that no schema may.
  private static let names: [String] = (try? readNames()) ?? []

  private static func readNames() throws(SQLiteError) -> [String] {
    let connection = try Connection(scratchInMemory: true)
    var statement = try connection.prepare(
      """
      SELECT DISTINCT name FROM pragma_function_list WHERE builtin AND type = 's'
        AND flags & \(SQLITE_DETERMINISTIC)
        AND NOT flags & \(SQLITE_INNOCUOUS | SQLITE_DIRECTONLY)
      """)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0) ?? "") }
    return names
  }

  static func all() -> [(name: String, function: LibraryFunction)] {
    guard !names.isEmpty else { return [] }
    let bench = Bench()
    return names.map { ($0, LibraryFunction($0, on: bench)) }
  }

  /// Computes the result of a call, or tells why there is none.
  @safe
  fileprivate func run(
    _ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>
  ) {
    do {
      guard Self.bytes(of: arguments) <= Self.mostBytes else {
        unsafe sqlite3_result_error_toobig(context)
        return
      }
      let call = try self.call(of: Form(arguments))
      // What may be long in the hostile database is so here.
      let database = unsafe sqlite3_context_db_handle(context)
      bench.limitValues(to: unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, -1))
      try call.run(context, arguments)
    } catch {
      unsafe sqlite3_result_error(context, error.message, -1)
      unsafe sqlite3_result_error_code(context, error.code.rawValue)
    }
  }

  /// What is made of JSON takes twenty times as much memory as its text.
  private static let mostBytes = 4 << 20

  @safe
  private static func bytes(of arguments: UnsafeBufferPointer<OpaquePointer?>) -> Int {
    var sum = 0
    for place in arguments.indices {
      let argument = unsafe arguments[place]
      let type = unsafe sqlite3_value_type(argument)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB else { continue }
      sum += Int(unsafe sqlite3_value_bytes(argument))
    }
    return sum
  }

  private func call(of form: Form) throws(SQLiteError) -> Call {
    if let last, last.form == form { return last.call }
    let call = try bench.call(of: name, form)
    last = (form, call)
    return call
  }

  /// How many values a call has, and which of them are the results of other functions, so that they are
  /// taken for JSON and not for text.
  fileprivate struct Form: Equatable {
    private let count: Int
    // The library takes no more than 127 values.
    private var isJSON: UInt128 = 0

    @safe
    init(_ arguments: UnsafeBufferPointer<OpaquePointer?>) {
      count = arguments.count
      for place in arguments.indices {
        let mark = unsafe sqlite3_value_subtype(arguments[place])
        if mark == UInt32(UInt8(ascii: "J")) { isJSON |= 1 << UInt128(place) }
      }
    }

    /// The values as parameters of a statement.
    var parameters: String {
      (0..<count).map { place in
        isJSON >> UInt128(place) & 1 == 0 ? "?\(place + 1)" : "json(?\(place + 1))"
      }.joined(separator: ", ")
    }
  }
}

extension LibraryFunction {
  /// The empty database on which the functions of a connection run, with the statements that call them.
  fileprivate final class Bench {
    private var database: Database?
    private var calls: [String: Call] = [:]

    /// A schema may have any number of them.
    private static let mostCalls = 64

    /// The statement that calls a function in a form.
    func call(of name: String, _ form: Form) throws(SQLiteError) -> Call {
      let sql = "SELECT \(quoted(name))(\(form.parameters))"
      if let call = calls[sql] { return call }
      let database = try openDatabase()
      if calls.count >= Self.mostCalls { calls = [:] }
      let call = Call(try database.connection.prepare(sql))
      calls[sql] = call
      return call
    }

    private func openDatabase() throws(SQLiteError) -> Database {
      if let database { return database }
      let database = try Database()
      self.database = database
      return database
    }

    func limitValues(to bytes: Int32) {
      guard let database else { return }
      unsafe _ = sqlite3_limit(database.connection.handle, SQLITE_LIMIT_LENGTH, bytes)
    }
  }

  private final class Database {
    let connection: Connection
    init() throws(SQLiteError) { connection = try Connection(scratchInMemory: true) }
  }

  fileprivate final class Call {
    private var statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }

    /// Hands the arguments in and the result out, both as they are.
    @safe
    func run(
      _ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>
    ) throws(SQLiteError) {
      defer {
        statement.reset()
        unsafe _ = sqlite3_clear_bindings(statement.handle)
      }
      for place in arguments.indices {
        let result = unsafe sqlite3_bind_value(
          statement.handle, Int32(place + 1), arguments[place])
        guard result == SQLITE_OK else { throw statement.failure(result) }
      }
      guard try statement.step() else { return }
      unsafe sqlite3_result_value(context, sqlite3_column_value(statement.handle, 0))
    }
  }
}

extension Connection {
  /// Lets a hostile schema call functions of the library that do no harm.
  ///
  /// Releases that call them harmful by mistake even take every schema for malformed that names one in an
  /// index or in a computed column.
  func admitLibraryFunctions() throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE
    for (name, function) in LibraryFunction.all() {
      // The library gives the function back once it is of no more use, be it since this fails.
      try check(
        unsafe sqlite3_create_function_v2(
          handle, name, -1, flags, Unmanaged.passRetained(function).toOpaque(),
          { context, count, values in
            // It is that of the registration, which lives as long as that.
            guard let function = unsafe sqlite3_user_data(context) else { return }
            unsafe Unmanaged<LibraryFunction>.fromOpaque(function).takeUnretainedValue()
              .run(context, UnsafeBufferPointer(start: values, count: Int(count)))
          }, nil, nil,
          { function in
            guard let function = unsafe function else { return }
            unsafe Unmanaged<LibraryFunction>.fromOpaque(function).release()
          }))
    }
  }
}
