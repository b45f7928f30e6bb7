import TestSupport
import Testing

@testable import CommandLineKit

struct ManualPageTests {
  private static func page(_ path: CommandPath) -> String {
    ManualPage.troff(for: path, date: "2025-01-31", version: "1.2-rc")
  }

  @Test func pageOfACommandReadsAsWritten() throws {
    #expect(
      Self.page(try SampleTool.path("compare")) == #"""
        .TH "KILN\-COMPARE" "1" "2025-01-31" "kiln 1.2\-rc" "User Commands"
        .SH NAME
        kiln\-compare \- compare two pots
        .SH SYNOPSIS
        .B "kiln compare"
        [options] [POT...] MODEL
        .SH DESCRIPTION
        Compare two pots.
        .SH ARGUMENTS
        .TP
        .B "[POT...]"
        Pots.
        .TP
        .B "MODEL"
        The pot to compare with.
        .SH OPTIONS
        .SS "Options"
        .TP
        .B "\-p, \-\-plain"
        Leave out the colours.
        .TP
        .B "\-h, \-\-help"
        Show all of this; \-h shows what matters most.
        .SS "Common options"
        .TP
        .B "\-q, \-\-quiet"
        Say only what went wrong.
        .TP
        .B "\-v, \-\-verbose"
        Say more.
        .TP
        .B "\-\-color WHEN"
        Colour the output (one of auto, always, never; default auto).
        .SH EXIT STATUS
        .TP
        .B "0"
        It worked.
        .TP
        .B "64"
        The arguments are wrong.
        .SH SEE ALSO
        .BR kiln (1)

        """#)
  }

  /// What counts for all commands stands once, on the page of the tool.
  @Test func variablesAreOnThePageOfTheTool() throws {
    let section = ".SH ENVIRONMENT\n.TP\n.B \"KILN\"\nWhich kiln is fired.\n.SH SEE ALSO\n"
    #expect(Self.page(try SampleTool.path()).contains(section))
    #expect(!Self.page(try SampleTool.path("fire")).contains("ENVIRONMENT"))
  }

  @Test func sectionsStandBelowTheDescription() throws {
    let fire = Self.page(try SampleTool.path("fire"))
    #expect(
      fire.contains(
        #"""
        \&.dotted paragraphs and C:\epaths survive.
        .SS "Cones \- and curves"
        A cone bends when it is hot enough.
        .PP
        \-\-curve goes before \-\-cone.
        .SS "Clay"
        Red clay
        """#))
  }

  @Test func pageListsExamplesAndNeighbours() throws {
    let fire = Self.page(try SampleTool.path("fire"))
    #expect(
      fire.contains(
        ".SH EXAMPLES\nFire one pot.\n.PP\n.RS 4\n.nf\nkiln fire bowl.pot \\-o out\n.fi\n.RE\n.PP\n"
      ))
    #expect(fire.hasSuffix(".SH SEE ALSO\n.BR kiln (1),\n.BR clay (5)\n"))
    let log = Self.page(try SampleTool.path("log"))
    #expect(log.hasSuffix(".BR kiln (1),\n.BR kiln\\-log\\-list (1),\n.BR kiln\\-log\\-show (1)\n"))
  }

  @Test(arguments: [
    ("-o --output", #"\-o \-\-output"#), (".start", #"\&.start"#), ("'start", #"\&\(aqstart"#),
    (#"a\b"#, #"a\eb"#), ("isn't `x` ~ ^ \"q\"", #"isn\(aqt \(gax\(ga \(ti \(ha \(dqq\(dq"#),
    ("two\nlines\r\n.three", "two lines .three"), ("ü…", #"\[u00FC]\[u2026]"#),
    ("bell\u{7}", "bell "), ("", ""),
  ])
  func troffActsOnNothingInAText(text: String, source: String) {
    #expect(roffText(text) == source)
  }

  @Test func longTextIsBrokenAndEachLineGuarded() {
    let words = String(repeating: ".word 'quote ", count: 20)
    let lines = roffLines(words)
    #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0.hasPrefix("\\&") })
    #expect(
      lines.joined(separator: " ").replacing("\\&", with: "").split(separator: " ").count == 40)
    #expect(roffLines(" ") == [])
  }

  @Test(.enabled(if: SystemProgram.mandoc.isInstalled, "mandoc is not installed"))
  func mandocFindsNothingToComplainAbout() throws {
    for path in CommandPath.every(in: SampleTool.root) {
      let outcome = try SystemProgram.mandoc.run(
        ["-T", "lint", "-W", "style"], input: Self.page(path))
      #expect(outcome.output == "", "\(path.name)")
      #expect(outcome.code == 0)
    }
  }

  @Test(.enabled(if: SystemProgram.mandoc.isInstalled, "mandoc is not installed"))
  func formattedPageShowsTheTextUnchanged() throws {
    let outcome = try SystemProgram.mandoc.run(
      ["-T", "ascii", "-O", "width=200"], input: Self.page(try SampleTool.path("fire")))
    // Terminals show bold as a letter, a backspace and the letter again.
    let text = outcome.output.replacing(/.\u{8}/, with: "")
    #expect(text.contains("what \"cone\" says, holds."))
    #expect(text.contains(".dotted paragraphs and C:\\paths survive."))
    #expect(text.contains("kiln fire --cone=-5 *.pot --output out\n"))
  }
}
