import CoreData
import Records
import Tables
import Testing

/// Values go into an app's column only where the app can store them.
struct ColumnValueTests {
  private func isRejected(_ number: Double, as form: ColumnStorage.Form) -> Bool {
    let arena: [UInt8] = []
    var bytes: [UInt8] = []
    if case .rejected = form.value(.real(number), arena: arena.span, into: &bytes) { return true }
    return false
  }

  @Test(arguments: [1e300, -1e300, 3.5e38])
  func floatTakesNothingThatBecomesInfinite(number: Double) {
    #expect(isRejected(number, as: .float))
    #expect(!isRejected(number, as: .real))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, 0.5, 0, 1e30])
  func floatTakesTheNearestNumber(number: Double) {
    #expect(!isRejected(number, as: .float))
  }

  /// Every form of a UUID that plain files may have under that type.
  @Test(arguments: [
    ("6f9619ff-8b86-d011-b42d-00c04fc964ff", true), ("6F9619FF8B86D011B42D00C04FC964FF", true),
    ("{6f9619ff-8b86-d011-b42d-00c04fc964ff}", true),
    ("(6F9619FF-8B86-D011-B42D-00C04FC964FF)", true),
    ("{6f9619ff-8b86-d011-b42d-00c04fc964ff)", false), ("6f9619ff", false),
  ])
  func uuidIsTakenInAnyForm(text: String, isTaken: Bool) {
    let arena = Array(text.utf8)
    var bytes: [UInt8] = []
    let form = ColumnStorage.Form.uuid
    _ = form.value(.text(at: 0, size: text.utf8.count), arena: arena.span, into: &bytes)
    let uuid: [UInt8] = [
      0x6F, 0x96, 0x19, 0xFF, 0x8B, 0x86, 0xD0, 0x11, 0xB4, 0x2D, 0x00, 0xC0, 0x4F, 0xC9, 0x64,
      0xFF,
    ]
    #expect(bytes == (isTaken ? uuid : []))
  }
}
