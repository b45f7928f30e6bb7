import TestSupport
import Testing

@testable import Places

struct DevicePatternTests {
  @Test(arguments: [
    ("shelf/{device}/**", "shelf/anna/Documents/q.sqlite", "anna"),
    ("{device}.sqlite", "x/y/bert.sqlite", "bert"),
    ("*/device-{device}-*/q.db", "a/device-7-old/q.db", "7"),
    ("{device}/Documents/*", "zip/c.zip!carla/Documents/q.sqlite", "carla"),
    ("d?{device}/**/q.db", "dXdora/a/b/c/q.db", "dora"),
    ("*.zip!{device}!app/*", "a.zip!emil!app/q.db", "emil"),
  ])
  func patternFindsTheDevice(pattern: String, path: String, device: String) throws {
    #expect(try #require(DevicePattern(pattern)).device(in: path, isInArchive: true) == device)
  }

  @Test func markInTheNameOfAFolderIsPartOfIt() throws {
    for (pattern, device) in [("{device}/q.db", "X!Y"), ("X!{device}/q.db", "Y")] {
      let found = try #require(DevicePattern(pattern)).device(in: "s/X!Y/q.db", isInArchive: false)
      #expect(found == device)
    }
  }

  @Test(arguments: [("shelf/{device}/q.db", "shelf/q.db"), ("{device}/*.sqlite", "a/b.db")])
  func pathThatDoesNotFitHasNoDevice(pattern: String, path: String) throws {
    #expect(try #require(DevicePattern(pattern)).device(in: path, isInArchive: true) == nil)
  }

  @Test(arguments: ["", "shelf/**", "{device}/{device}", "{Device}"])
  func patternNamesTheDeviceOnce(pattern: String) {
    #expect(DevicePattern(pattern) == nil)
  }

  @Test func shortestPartThatTellsStoresApartIsTheDevice() {
    #expect(
      names(of: ["s/anna/Documents/q.sqlite", "s/bert/Documents/q.sqlite"])
        == ["anna", "bert"])
    #expect(
      names(of: ["s/1/a/q.db", "s/1/b/q.db", "s/2/a/q.db"])
        == ["1/a", "1/b", "2/a"])
    #expect(names(of: ["only.db"]) == [nil])
    #expect(names(of: ["a.db", "a.db"]) == [nil, nil])
    // However far apart what differs is, and however near the top another store lies.
    #expect(
      names(of: ["s/1/a/b/c/d/q.db", "s/1/a/b/c/d/r.db", "s/2/a/b/c/d/q.db"])
        == ["1/a/b/c/d/q.db", "1/a/b/c/d/r.db", "2/a/b/c/d/q.db"])
    #expect(
      names(of: [
        "s/1/Documents/q.db", "s/1/Documents/r.db", "s/2/Documents/q.db", "s/3/q.db",
      ])
        == ["1/Documents/q.db", "1/Documents/r.db", "2/Documents/q.db", "3/q.db"])
    #expect(names(of: ["s/1", "s/1!q.db", "s/2!q.db"]) == ["1", "1/q.db", "2/q.db"])
  }

  private func names(of paths: [String]) -> [String?] {
    DeviceNames.names(of: paths.map { $0.split { $0 == "/" || $0 == "!" } })
  }
}

extension DevicePatternTests {
  @Test func patternThatCouldFitInManyWaysEnds() throws {
    let clock = ThreadClock()
    let pattern = try #require(DevicePattern(String(repeating: "*a", count: 40) + "{device}#"))
    #expect(pattern.device(in: String(repeating: "a", count: 200), isInArchive: true) == nil)
    #expect(clock.seconds < 60)
  }
}
