/// A number with what is counted, as in `1 row is` and `2 rows are`.
package func counted(_ number: some BinaryInteger, _ one: String, _ several: String) -> String {
  "\(number) \(number == 1 ? one : several)"
}
