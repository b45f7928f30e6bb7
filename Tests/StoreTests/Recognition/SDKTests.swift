import Records
import Testing

@testable import SyncSDKs

/// What is known of the SDKs, which replays and audits rely on.
struct SDKTests {
  @Test func everyLayoutIsOfOneSDK() {
    let names = SDK.all.map(\.layout) + Layout.ofNoSDK
    #expect(Set(names).count == names.count)
    for layout in names { #expect(Layout(rawValue: layout.rawValue) == layout) }
  }

  @Test(
    arguments: [
      ("azure-mobile-ios", "2014", Dialect.v1), ("azure-mobile-ios", "2015", .v1),
      ("azure-mobile-ios", "2016", .v2), ("azure-mobile-ios", nil, .v1),
      ("azure-mobile-dotnet", "a0", .v1), ("azure-mobile-dotnet", "a3", .v1),
      ("azure-mobile-dotnet", "b", .v2), ("azure-mobile-android", "d1", .v1),
      ("azure-mobile-android", "d3", .v2), ("azure-mobile-cordova", nil, .v2),
      ("datasync-dotnet", nil, .v3), ("datasync-toolkit", nil, .toolkit),
      ("amplify-datastore", "js", .rows), ("parse-local-datastore", "ios", .parse),
      ("parse-command-cache", "android", .parse), ("watermelondb", "w4", .rows),
      ("powersync", "14", .rows), ("couchbase-lite-1", "1.3", .rows),
    ] as [(String, String?, Dialect)])
  func generationSpeaksItsDialect(_ layout: String, _ generation: String?, _ dialect: Dialect) {
    #expect(SDK.traits(ofLayout: layout, generation: generation).dialect == dialect)
  }

  @Test func everySDKHasAServer() {
    for sdk in SDK.all { #expect(sdk.traits(nil).dialect != nil, "\(sdk.layout.rawValue)") }
  }

  @Test(arguments: ["sqlite", "core-data", "unheard-of", nil])
  func nothingIsKnownOfOtherStores(_ layout: String?) {
    let traits = SDK.traits(ofLayout: layout, generation: "b")
    #expect(traits.dialect == nil && traits.style == SDKStyle() && !traits.tellsCaseTwinsApart)
  }
}
