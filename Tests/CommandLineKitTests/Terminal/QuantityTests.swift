import CommandLineKit
import Testing

struct QuantityTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1250, "1.3 kB"),
    (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_200_000, "1.2 MB"), (-1500, "-1.5 kB"),
    (.max, "9.2 EB"), (.min, "-9.2 EB"),
  ])
  func sizesHaveOneDecimal(number: Int, text: String) {
    #expect(Quantity.bytes(number) == text)
  }
}
