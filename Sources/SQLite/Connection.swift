import Bytes
import CSQLite

/// An open database; it is closed when the value ends, and stays on the task that made it.
@safe
package struct Connection: ~Copyable {
  /// Not nil while the value lives; closed once, by `deinit`.
  @usableFromInline let handle: OpaquePointer
  /// The file, for messages.
  package let path: String
  /// What can end its queries, which the library knows without keeping it alive.
  let watched = Connection.Watched()
  let known = KnownSchema()

  /// How a database file is opened.
  package enum Mode: Sendable {
    /// The file itself, which nobody changes meanwhile: no lock, no side file is made or read.
    case immutable
    /// A private copy, or a file of our own; side files are read and may be made.
    case readWrite
    /// A new file of our own, which exists and is empty.
    case create
  }

  /// Set up once for all connections; a library that somebody else has begun to use stays as it is.
  private static let isSetUp = rehome_sqlite3_count_no_memory() == SQLITE_OK

  /// Opens the file at `path`.
  ///
  /// - Throws: `SQLiteError` also where the engine would remove a file that a journal names.
  package init(opening path: String, mode: Mode) throws(SQLiteError) {
    if mode == .readWrite { try Self.checkJournal(of: path) }
    // A relative path such as `:memory:` would mean something else to the library.
    let name = Self.percentEncoded(path.hasPrefix("/") ? path : "./" + path)
    if mode == .immutable {
      try self.init(name + "?immutable=1", SQLITE_OPEN_READONLY, path: path)
    } else {
      try self.init(name, SQLITE_OPEN_READWRITE, path: path)
    }
  }

  private static func checkJournal(of path: String) throws(SQLiteError) {
    let journal = SourceFiles.realPath(of: path) + "-journal"
    guard Paths.exists(journal) else { return }
    let named: SuperJournal?
    do {
      named = try SuperJournal(namedByFileAt: journal)
    } catch {
      throw SQLiteError(error)
    }
    guard named != nil else { return }
    throw SQLiteError(
      .cannotOpen, .damaged,
      "its -journal is of a change of several databases, which cannot be finished here", path: path,
      hint: "convert it into a new store, which takes the change in or undoes it, and says so")
  }

  /// Makes an empty database that nobody else sees, in memory or in a file without a name.
  package init(scratchInMemory isInMemory: Bool) throws(SQLiteError) {
    try self.init(isInMemory ? ":memory:" : "", SQLITE_OPEN_READWRITE, path: "scratch")
  }

  private init(_ name: String, _ access: Int32, path: String) throws(SQLiteError) {
    _ = Self.isSetUp
    let flags = access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let result = unsafe ResultCode(rawValue: sqlite3_open_v2("file:" + name, &opened, flags, nil))
    guard result == .ok, let opened = unsafe opened else {
      // The library may return a handle together with an error; it must be closed all the same.
      let message = unsafe String(cString: sqlite3_errstr(result.rawValue))
      unsafe sqlite3_close_v2(opened)
      if result.primary == .cannotOpen, EnginePath.isTooLong(path) {
        throw EnginePath.error(on: path)
      }
      throw SQLiteError(result, message, path: path)
    }
    unsafe self.handle = opened
    self.path = path
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements that return nothing of interest.
  ///
  /// - Throws: `SQLiteError` of the first statement that fails.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  /// The first column of the first row of a query, as a number.
  ///
  /// - Throws: `SQLiteError` when the statement fails or yields no row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    var statement = try prepare(sql)
    guard try statement.step() else {
      throw SQLiteError(.error, "the query gave no row", path: path, sql: sql)
    }
    return statement.integer(at: 0)
  }

  /// The rows that the last statement changed.
  package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Throws unless `result` is success.
  func check(_ result: Int32, sql: String? = nil) throws(SQLiteError) {
    guard result != SQLITE_OK else { return }
    throw error(result, sql: sql)
  }

  /// The library's words for what just failed.
  func error(_ result: Int32, sql: String? = nil) -> SQLiteError {
    unsafe SQLiteError(result, of: handle, path: path, sql: sql, isEvidence: isHardened)
  }

  /// The path as a URI's path: everything that has a meaning there is escaped.
  private static func percentEncoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        bytes.append(UInt8(ascii: "%"))
        let digits = Array("0123456789ABCDEF".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  final class Watched {
    var interruption: Interruption?
  }
}
