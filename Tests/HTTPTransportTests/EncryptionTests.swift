import Foundation
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// Only a server whose certificate a trusted authority gave for its name gets a request.
struct EncryptionTests {
  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "Fixtures")

  private func fixture(_ name: String) -> String {
    Self.fixtures.appending(path: name + ".pem").path
  }

  private func send(
    certificate: String, authority: String?, host: String = "127.0.0.1"
  ) throws -> (outcome: ReplayEvent, arrived: Int) {
    let service = try TableService(certificate: fixture(certificate))
    let address = service.address.replacing("127.0.0.1", with: host)
    let settings = TransportSettings(
      base: try BaseURL(parsing: address), timeoutMilliseconds: 60_000,
      authorityFile: authority.map(fixture))
    var transport = try HTTPTransport(
      settings, secrets: try Secrets(parsing: Array("a-secret-token".utf8)))
    transport.start(.toTable(body: #"{"id":"a"}"#))
    let outcome = try #require(transport.wait(milliseconds: 90_000).first)
    return (outcome, try service.count("requests"))
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func serversOfAGivenAuthorityAreTrusted(host: String) throws {
    let (outcome, _) = try send(certificate: "loopback", authority: "authority", host: host)
    #expect(outcome.status == 201, "\(outcome)")
  }

  @Test(
    arguments: [
      ("loopback", nil), ("loopback", "other-authority"), ("other-name", "authority"),
    ] as [(String, String?)])
  func othersGetNothing(certificate: String, authority: String?) throws {
    let (outcome, arrived) = try send(certificate: certificate, authority: authority)
    #expect(outcome.isNotSent, "\(outcome)")
    #expect(outcome.text.contains("certificate"), "\(outcome)")
    #expect(arrived == 0)
  }

  @Test func aServerWithoutEncryptionGetsNothing() throws {
    let service = try TableService()
    let base = try BaseURL(parsing: service.address.replacing("http:", with: "https:"))
    var transport = try HTTPTransport(
      TransportSettings(base: base, timeoutMilliseconds: 3000), secrets: Secrets())
    transport.start(.toTable(body: "{}"))
    #expect(transport.wait(milliseconds: 90_000).map(\.isNotSent) == [true])
    #expect(try service.count("requests") == 0)
  }

  @Test func authorityFilesThatAreNoneAreErrors() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write("no certificate", to: "empty.pem")
    for file in [empty, folder.path("missing.pem")] {
      let settings = TransportSettings(
        base: try BaseURL(parsing: "https://localhost"), authorityFile: file)
      let error = #expect(throws: HTTPError.self) {
        _ = try HTTPTransport(settings, secrets: Secrets())
      }
      #expect(error?.path == file)
    }
  }
}
