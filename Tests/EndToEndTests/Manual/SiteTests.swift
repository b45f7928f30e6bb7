import Foundation
import TestSupport
import Testing

/// The manual as a folder of pages: nothing in it leads astray or asks for a network.
@Suite(.enabled(if: Program.mandoc.isInstalled, "mandoc is not installed"))
struct SiteTests {
  private static let browser = ["chromium", "chromium-browser", "google-chrome", "chrome"]
    .map(Program.init(named:)).first { $0.isInstalled }

  private func site() throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let site = folder.path("site")
    let outcome = try Program.python.run(["-B", Project.path("man/make-site"), site])
    #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
    return (folder, site)
  }

  private func check(_ site: String, _ options: [String] = []) throws -> String {
    let oracle = Project.path("Tests/Oracles/check_site.py")
    let outcome = try Program.python.run(["-B", oracle, site] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    return outcome.text
  }

  @Test func pagesAreWellFormedAndLeadSomewhere() throws {
    let (folder, site) = try site()
    #expect(try check(site) == "nothing is wrong\n")
    // Whatever is in the manual is on the site.
    let pages = try FileManager.default.contentsOfDirectory(atPath: site)
    for file in try FileManager.default.contentsOfDirectory(atPath: Project.path("man"))
    where file.last?.isNumber == true { #expect(pages.contains(file + ".html")) }
    withExtendedLifetime(folder) {}
  }

  @Test(.enabled(if: browser != nil, "Chromium is not installed"))
  func browserFindsNothingToComplainAbout() throws {
    let (folder, site) = try site()
    #expect(try check(site, ["--browser"]) == "nothing is wrong\n")
    withExtendedLifetime(folder) {}
  }

  @Test func faultsOfASiteAreFound() throws {
    let (folder, site) = try site()
    let page = site + "/ContentHash.html"
    let text = try String(contentsOfFile: page, encoding: .utf8)
    for (wrong, words) in [
      ("<a href=\"gone.html\">x</a>", "no gone.html"), ("<a href=\"#gone\">x</a>", "no such place"),
      ("<b>", "not well-formed"), ("<h5>x</h5>", "a jump from"),
      ("<img src=\"https://example.net/x.png\" alt=\"a long description\"/>", "from elsewhere"),
      ("<img src=\"style.css\" alt=\"\"/>", "a picture without words"),
    ] {
      try text.replacing("</main>", with: wrong + "</main>")
        .write(toFile: page, atomically: true, encoding: .utf8)
      #expect(try check(site).contains(words), "\(wrong)")
    }
    withExtendedLifetime(folder) {}
  }

  @Test func foreignFolderIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("mine".utf8, to: "notes.txt")
    let outcome = try Program.python.run(["-B", Project.path("man/make-site"), folder.path])
    #expect(outcome.code == 1 && outcome.error.contains("was not made by this command"))
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test func picturesAreSmall() throws {
    let folder = Project.path("Sources/rehome/rehome.docc/Resources")
    let sizes = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)).count
    }
    #expect(sizes.count >= 3 && sizes.reduce(0, +) < 300_000)
  }
}
