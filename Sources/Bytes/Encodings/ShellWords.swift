/// A word as a shell takes it back whole: as it is where that is safe, else between quotes.
///
/// What tells a person a command with a name in it writes the name so, because it is there to be
/// copied.
package func quotedForShell(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_./=:,+@%".utf8.contains(byte)
    }
  }
  return isPlain && !word.isEmpty
    ? word
    : "'" + word.replacing(byte: UInt8(ascii: "'"), with: "'\\''") + "'"
}
