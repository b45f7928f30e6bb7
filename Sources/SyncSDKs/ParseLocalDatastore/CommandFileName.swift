/// The name of a file in which an SDK of Parse keeps one command that waits.
struct CommandFileName: Sendable {
  /// Whether the SDK for Android wrote it.
  let isFromAndroid: Bool

  /// Reads `Command-<16 hex>-<8 hex>-<UUID>` or `CachedCommand_<16 hex>_<8 hex>_<digits>`; nil for
  /// other names.
  init?(_ name: String) {
    if Self.fits(name, "Command", "-", Self.isUUID) {
      isFromAndroid = false
    } else if Self.fits(name, "CachedCommand", "_", Self.isDigits) {
      isFromAndroid = true
    } else {
      return nil
    }
  }

  private static func fits(
    _ name: String, _ word: String, _ mark: Character, _ isEnd: (Substring) -> Bool
  ) -> Bool {
    guard name.hasPrefix(word + String(mark)) else { return false }
    let parts = name.dropFirst(word.utf8.count + 1)
      .split(separator: mark, maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && isHex(parts[0], 16) && isHex(parts[1], 8) && isEnd(parts[2])
  }

  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isUUID(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { isHex($0, $0.utf8.count) }
  }
}
