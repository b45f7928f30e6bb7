import Testing

@testable import Places

/// What the first bytes of a file say where it is packed in a way that nobody here unpacks.
struct FileKindTests {
  private static let lzma: [UInt8] = [0x5D, 0, 0, 0x80, 0] + Array(repeating: 0xFF, count: 8)

  @Test(
    arguments: [
      [0x89, 0x4C, 0x5A, 0x4F, 0, 0x0D, 0x0A, 0x1A, 0x0A], [0x1F, 0x9D, 0x90],
      Array("MSCF\0\0\0\0".utf8),
      Array("OAES\u{1}".utf8), Array("LZIP\u{1}".utf8), [0x50, 0x4B, 7, 8, 0x50, 0x4B, 3, 4], lzma,
      [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0], [0x5E, 0x2A, 0x4D, 0x18, 4, 0, 0, 0],
    ] as [[UInt8]]) func packingIsKnownByItsBeginning(start: [UInt8])
  {
    let kind = FileKind(startingWith: start + Array(repeating: 0x11, count: 512 - start.count))
    switch kind {
    case .foreign, .encrypted: break
    default: Issue.record("\(kind)")
    }
  }

  @Test(
    arguments: [
      Array("]\n  more text".utf8), [0x1F, 0x9D, 0xFF], [0x5D, 0, 0, 0x81, 0],
      Array("MSCFiles".utf8),
    ] as [[UInt8]]) func whatOnlyBeginsAlikeIsNone(start: [UInt8])
  {
    let kind = FileKind(startingWith: start + Array(repeating: 0x20, count: 512 - start.count))
    #expect(!kind.isContainer)
  }
}
