import Bytes
import TestSupport
import Testing

struct ShellWordsTests {
  @Test(arguments: ["items.rehome", "a/b-c_d.e=f:g,h+i@j%k", "--rename", "7"])
  func safeWordStaysAsItIs(_ word: String) {
    #expect(quotedForShell(word) == word)
  }

  @Test(arguments: [
    "", "my store.rehome", "it's", "'", "''", "a$b", "$(x)", "`x`", "a;b", "a&b", "*", "~", "a\\b",
    "a\"b", "#x", "!x", "größe", "{a,b}", "a>b",
    "it'\u{301}s $(x)", "'\u{FE0F}",
  ])
  func shellReadsTheWordBack(_ word: String) throws {
    let output = try SystemProgram.python.run([
      "-c", "import shlex, sys; print(shlex.split(sys.argv[1]) == [sys.argv[2]])",
      quotedForShell(word), word,
    ])
    #expect(String(decoding: output.data, as: UTF8.self) == "True\n")
    #expect(quotedForShell(word).hasPrefix("'"))
  }
}
