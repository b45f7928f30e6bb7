import Bytes
import CommandLineKit
import Foundation
import Records
import Testing

@testable import Commands

/// What the values of options come to.
struct OptionValueTests {
  private func parsed(_ words: String...) throws -> ParsedArguments {
    try ArgumentParser.parse(words, with: RehomeCommand.description)
  }

  @Test(arguments: [
    ("7", 7), ("1K", 1024), ("64M", 64 << 20), ("1G", 1 << 30), ("3G", 3 << 30),
  ]) func letterStandsForAPowerOf1024(text: String, bytes: Int) throws {
    let limits = try InputLimits(parsed("hash", "--max-pipe-bytes", text, "a"))
    #expect(limits.pipe == bytes)
  }

  @Test(arguments: ["0", "-1", "1.5M", "K", "1T", "9223372036854775807G"])
  func limitIsAPositiveNumber(text: String) throws {
    let arguments = try parsed("hash", "--max-pipe-bytes=\(text)", "a")
    #expect(throws: StoreError.self) { try InputLimits(arguments) }
  }

  @Test(arguments: [("1", true), ("64", true), ("0", false), ("65", false), ("x", false)])
  func threadsAreFrom1To64(text: String, isTaken: Bool) throws {
    let arguments = try parsed("hash", "-j", text, "a")
    #expect((try? InputLimits(arguments).threads) == (isTaken ? Int(text) : nil))
  }

  @Test func replayHasItsDefaults() throws {
    let server = try ReplayOptions(parsed("replay", "a", "--to", "https://a.example"))
    #expect(server.jobs == 4 && server.attempts == 6 && server.timeoutMilliseconds == 60_000)
    #expect(server.rate == nil && server.maxFailures == nil && !server.isDryRun)
    #expect(server.destination == .server("https://a.example"))
    let store = try ReplayOptions(parsed("replay", "a", "--to", "b", "--retries", "0"))
    #expect(store.jobs == 64 && store.attempts == 1 && store.destination == .store("b"))
    #expect(try ReplayOptions(parsed("replay", "a", "-n")).destination == .open)
  }

  @Test func textForNoValueIsTakenWherePlacesAre() throws {
    let arguments = try parsed("convert", "-0", "--null", "NA", "a.csv", "-o", "b")
    #expect(arguments.flag("zero") && arguments.values("null").map(\.text) == ["NA"])
    #expect(arguments.positionals("STORE").map(\.text) == ["a.csv"])
  }
}
