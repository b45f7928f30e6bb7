import Records

/// Long text for standard output, handed on in large pieces rather than line by line.
struct TextOutput {
  private let console: Console
  private var text = ""

  private static let pieceSize = 64 << 10

  /// Text that goes to a console.
  init(to console: Console) {
    self.console = console
  }

  /// Adds text.
  ///
  /// - Throws: `StoreError` when the output cannot be written.
  mutating func add(_ more: String) throws(StoreError) {
    text += more
    if text.utf8.count >= Self.pieceSize { try finish() }
  }

  /// Hands on what is left; must be called at the end.
  ///
  /// - Throws: `StoreError` when the output cannot be written.
  mutating func finish() throws(StoreError) {
    guard !text.isEmpty else { return }
    try console.print(text)
    text.removeAll(keepingCapacity: true)
  }
}
