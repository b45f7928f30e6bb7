import Bytes

/// One entry in the directory of a ZIP archive.
package struct ZipEntry: Sendable {
  /// What the entry stands for.
  package enum Kind: Sendable {
    case file
    case folder
    case link
  }

  /// The path inside the archive, with `/` between its parts.
  package var path: String
  /// What it stands for.
  package var kind: Kind
  /// How the data is packed, as the format numbers it.
  var method: Int
  /// Whether a password is needed.
  var isEncrypted: Bool
  /// The checksum of the plain data.
  package var crc: UInt32
  /// How many bytes the data takes in the archive.
  var packedSize: Int
  /// How many bytes the plain data has.
  package var size: Int
  /// Where the header before the data stands.
  var headerOffset: Int
  /// Where its record stands, by which it is found again.
  package var place: Int
  /// The name as it stands in the archive.
  var rawName: [UInt8]

  /// The name of a way of packing that is not read; nil for one that is.
  var foreignMethod: String? {
    switch method {
    case 0, 8: nil
    case 1...6: "method \(method) of old versions"
    case 9: "Deflate64"
    case 12: "bzip2"
    case 14: "LZMA"
    case 93: "Zstandard"
    case 95: "XZ"
    case 97: "WavPack"
    case 98: "PPMd"
    case 99: "AES encryption"
    default: "method \(method)"
    }
  }
}

/// How names are spelled in ZIP archives.
enum ZipName {
  /// The path of an entry: UTF-8 where the archive says so or the bytes are, else CP437.
  static func path(_ raw: [UInt8], flags: UInt16, extra: Span<UInt8>, madeByDOS: Bool) -> String {
    var path = text(raw, flags: flags, extra: extra)
    if madeByDOS, !path.utf8.contains(UInt8(ascii: "/")) {
      path = String(path.map { $0 == "\\" ? "/" : $0 })
    }
    return path
  }

  private static func text(_ raw: [UInt8], flags: UInt16, extra: Span<UInt8>) -> String {
    if flags & (1 << 11) == 0 {
      if let name = unicodeName(of: raw, in: extra) { return name }
      if String(validating: raw, as: UTF8.self) == nil {
        return String(String.UnicodeScalarView(raw.map(scalar)))
      }
    }
    return ArchiveName.text(raw)
  }

  /// The name in the field that Info-ZIP adds, where it still belongs to the raw one.
  private static func unicodeName(of raw: [UInt8], in extra: Span<UInt8>) -> String? {
    guard let field = ZipFields.extra(0x7075, in: extra), field.count > 5, field[0] == 1 else {
      return nil
    }
    var crc = CRC32()
    crc.update(raw.span)
    guard ZipFields.number(field.span, at: 1, bytes: 4) == Int(crc.value) else { return nil }
    return String(validating: field[5...], as: UTF8.self)
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]
  }

  /// Code page 437 from 0x80 on.
  private static let upperHalf = Array(
    """
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧\
    ╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
    """.unicodeScalars)
}

/// Names in archives, which may hold any bytes.
package enum ArchiveName {
  /// The text of a name; bytes that are no UTF-8 become `\xHH`, so that two names stay two.
  package static func text(_ raw: [UInt8]) -> String {
    if let text = String(validating: raw, as: UTF8.self) { return text }
    var text = ""
    var start = 0
    while start < raw.count {
      let length = sequenceLength(raw[start])
      let end = min(start + length, raw.count)
      if let character = String(validating: raw[start..<end], as: UTF8.self) {
        text += character
        start = end
      } else {
        let digits = String(raw[start], radix: 16, uppercase: true)
        text += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
        start += 1
      }
    }
    return text
  }

  private static func sequenceLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC0..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0...: 4
    default: 1
    }
  }

  /// The parts of a path without those that mean nothing; nil where it leads outside.
  ///
  /// Honest archives begin their paths with `./` or `/`.
  package static func parts(of path: String) -> [Substring]? {
    let parts = Paths.parts(of: path).filter { $0 != "." }
    let isSafe =
      !parts.isEmpty && !parts.contains("..") && !path.utf8.contains(0) && path.utf8.count <= 4096
    return isSafe ? parts : nil
  }
}
