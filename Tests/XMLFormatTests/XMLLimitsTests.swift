import TestSupport
import Testing
import XMLFormat

struct XMLLimitsTests {
  private func code(
    _ text: String, _ change: (inout XMLOptions) -> Void = { _ in }
  ) -> XMLError.Code? {
    var options = XMLOptions()
    change(&options)
    return EventDump(Array(text.utf8), options).code
  }

  @Test func depthIsBounded() {
    #expect(code("<a><b><c/></b></a>") { $0.limits.depth = 3 } == nil)
    #expect(code("<a><b><c/></b></a>") { $0.limits.depth = 2 } == .limit)
  }

  @Test func textOfOneRunIsBounded() {
    #expect(code("<a><b>1234</b><b>1234</b></a>") { $0.limits.textBytes = 4 } == nil)
    #expect(code("<a><b>12345</b></a>") { $0.limits.textBytes = 4 } == .limit)
    #expect(code("<a>12<![CDATA[345]]></a>") { $0.limits.textBytes = 4 } == .limit)
  }

  @Test func textOfManyPiecesIsBounded() {
    let text = "<a>" + String(repeating: "x", count: 1_000_000) + "</a>"
    #expect(code(text) { $0.limits.textBytes = 1_000_000 } == nil)
    #expect(code(text) { $0.limits.textBytes = 999_999 } == .limit)
  }

  @Test func attributesAreBounded() {
    #expect(code("<a b=\"12\" c=\"34\"/>") { $0.limits.attributeBytes = 4 } == nil)
    #expect(code("<a b=\"12\" c=\"345\"/>") { $0.limits.attributeBytes = 4 } == .limit)
    #expect(code("<a b=\"1\" c=\"2\"/>") { $0.limits.attributes = 1 } == .limit)
  }

  @Test func differentNamesAreBounded() {
    #expect(code("<a><b/><c/><b/></a>") { $0.limits.names = 3 } == nil)
    #expect(code("<a><b/><c/><b/></a>") { $0.limits.names = 2 } == .limit)
  }

  @Test func bytesOfTheDocumentAreBounded() {
    #expect(code("<a>12345</a>") { $0.limits.totalBytes = 12 } == nil)
    #expect(code("<a>12345</a>") { $0.limits.totalBytes = 11 } == .limit)
  }

  @Test func longestHonestValuesPass() {
    let value = String(repeating: "x", count: 9_000_000)
    #expect(code("<a b=\"\(value)\"/>") { $0.limits.attributeBytes = 10_000_000 } == nil)
    #expect(code("<a b=\"\(value)\"/>") == .limit)
  }

  @Test func valuesAboveTheParsersOwnBoundNeedLeave() {
    let value = String(repeating: "x", count: 12_000_000)
    let text = "<a b=\"\(value)\"/>"
    #expect(code(text) { $0.limits.attributeBytes = 20_000_000 } == .limit)
    #expect(
      code(text) {
        $0.limits.attributeBytes = 20_000_000
        $0.allowsHugeValues = true
      } == nil)
  }

  @Test func hostileTagsAreRefusedBeforeTheyCostTime() {
    let clock = ThreadClock()
    let many = (0..<1_000_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    #expect(code("<a \(many)/>") { $0.limits.attributeBytes = 100_000_000 } == .limit)
    let blank = String(repeating: " ", count: 5_000_000)
    #expect(code("<a \(blank)/>") == .limit)
    #expect(code("<a><!--\(blank)--></a>") == .limit)
    #expect(code("<a><?x \(blank)?></a>") == .limit)
    #expect(code("<\(String(repeating: "n", count: 5_000_000))/>") == .limit)
    #expect(code(String(repeating: "<a>", count: 1_000_000)) == .limit)
    #expect(code("<a>" + (0..<50_000).map { "<b\($0)/>" }.joined() + "</a>") == .limit)
    #expect(clock.seconds < 60)
  }

  @Test func namespacesInForceAreBounded() {
    let clock = ThreadClock()
    let declarations = (0..<60).map { "xmlns:p\($0)=\"u\($0)\"" }.joined(separator: " ")
    #expect(code("<a \(declarations)/>") == nil)
    #expect(code("<a><b \(declarations)/><b \(declarations)/></a>") == nil)
    #expect(code("<a \(declarations)><b \(declarations)/></a>") == .limit)
    #expect(clock.seconds < 60)
  }
}
