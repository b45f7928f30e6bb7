import Bytes
import CommandLineKit
import Testing

@testable import Commands

/// Scripts rely on the code of each kind of trouble.
struct ExitCodeTests {
  private static let codes: [FailureKind: Int32] = [
    .notAStore: 65, .damaged: 65, .unsupported: 65, .limit: 65, .missing: 66, .notPermitted: 77,
    .cannotCreate: 73, .exists: 73, .inputOutput: 74, .noSpace: 74, .brokenPipe: 0, .temporary: 75,
    .tooManyRejects: 3, .usage: 64, .interrupted: 130, .internalError: 70,
  ]

  @Test(arguments: FailureKind.allCases) func kindOfFailureHasItsCode(kind: FailureKind) {
    #expect(ExitCode(kind).rawValue == Self.codes[kind])
  }

  @Test func codesOfACommandAreListedInOrder() {
    let codes = ExitCode.reading(.cannotCreate, .completeWithRejects).map(\.code)
    #expect(codes == [0, 2, 64, 65, 66, 73, 74, 75, 77, 130])
  }
}
