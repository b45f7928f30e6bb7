import Foundation
import TestSupport
import Testing

/// A store that spells no names of columns, of which a person knows some.
struct GuessedNamesTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.copy(of: Sample(name: "ios-2016")) + "/qstodoitem.sqlite"
    _ = try python(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('DROP TABLE Z_MODELCACHE')", store)
  }

  private let names = ["--rename", "Visit.NOTE=note", "--rename", "Visit.DISTANCE=distance"]

  private func bodies(
    _ arguments: [String]
  ) async throws -> (bodies: [[String: Any]], said: String) {
    let outcome = await rehome(
      ["replay", "--dry-run", "--json", "--table", "Visit"] + arguments)
    let steps = try outcome.json()["steps"] as? [[String: Any]]
    let bodies = try #require(steps, "\(outcome.error)").compactMap { $0["body"] as? [String: Any] }
    try #require(!bodies.isEmpty)
    return (bodies, outcome.error)
  }

  @Test(arguments: ["direct", "converted", "exported"])
  func toldNamesAreSent(_ way: String) async throws {
    var given = [store] + names
    if way != "direct" {
      given = [folder.path("made.rehome")]
      let made = await rehome(["convert", "-q", store, "-o"] + given + names)
      #expect(made.code == 0, "\(made.error)")
    }
    if way == "exported" {
      let file = folder.path("made.json")
      _ = await rehome("export", "-q", given[0], "--to", "json", "-o", file)
      given = [file]
    }
    let (bodies, said) = try await bodies(given)
    for body in bodies {
      #expect(body.keys.contains("note") && body.keys.contains("distance"), "\(body)")
      #expect(!body.keys.contains("NOTE") && !body.keys.contains("DISTANCE"), "\(body)")
      #expect(body.keys.contains("RATING"))
    }
    #expect(
      said.contains(
        "canonical store where it is converted, tells the app's own [names-from-fallback]")
        && !said.contains("Visit.note"), "\(said)")
  }

  @Test func guessesAreTold() async throws {
    let said = try await bodies([store]).said
    #expect(said.contains("sent as Visit.DISTANCE, "), "\(said)")
  }

  /// Whichever device comes last, and whatever its store spells.
  @Test(arguments: [false, true], ["converted", "json", "xml", "csv"])
  func guessesOfOneOfSeveralDevicesAreTold(isLast: Bool, _ way: String) async throws {
    let sample = Sample(name: "cordova-2017").store()
    let merged = folder.path("merged.rehome")
    _ = await rehome(
      ["convert", "-q", "-o", merged] + (isLast ? [sample, store] : [store, sample]))
    var given = merged
    if way != "converted" {
      let export = folder.path(way == "csv" ? "bundle" : "all.\(way)")
      _ = await rehome("export", "-q", merged, "--to", way, "-o", export)
      given = folder.path("seeded.rehome")
      _ = await rehome("seed", "-q", export, "-o", given)
    }
    let said = try await bodies([given, "--to", "https://example.net"]).said
    #expect(said.contains("sent as Visit.DISTANCE, "), "\(said)")
    // Of the tables on which only the other device has changes nothing is guessed.
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE rehome_operation SET source = 3 - source")
      """, given)
    let other = await rehome("replay", given, "--dry-run", "--table", "Visit").error
    #expect(!other.contains("names-from-fallback"), "\(other)")
  }

  /// A device without a model sends its own rows under names in capitals, also where another device has
  /// spelled them, and whichever comes first.
  @Test(arguments: [false, true])
  func guessesBesideSpelledNamesAreTold(isLast: Bool) async throws {
    let device = folder.path("net.db")
    try Devices.execute(
      device,
      QueueTables.dotNet + """
        CREATE TABLE Visit (id TEXT PRIMARY KEY, note TEXT, distance REAL, version TEXT);
        INSERT INTO Visit VALUES ('own', 'x', 1.5, 'AA==');
        """)
    let merged = folder.path("merged.rehome")
    let outcome = await rehome(
      ["convert", "-q", "-o", merged] + (isLast ? [device, store] : [store, device]))
    #expect(outcome.code == 2, "\(outcome.error)")
    let (bodies, said) = try await bodies([merged, "--to", "https://example.net"])
    #expect(bodies.contains { $0.keys.contains("NOTE") }, "\(bodies)")
    #expect(said.contains("sent as Visit.DISTANCE, "), "\(said)")
    #expect(!isLast || said.contains("Visit.DISTANCE, Visit.NOTE, "), "\(said)")
  }

  /// The names that a store spells itself are the app's, whatever they are called here.
  @Test func spelledNamesStay() async throws {
    let (bodies, said) = try await bodies(
      [Sample(name: "ios-2016").store(), "--rename", "Visit.note=remark"])
    #expect(bodies.allSatisfy { $0.keys.contains("note") && !$0.keys.contains("remark") })
    #expect(!said.contains("names-from-fallback"), "\(said)")
  }
}
