/// The nearest whole number, of two the even one, of a number whose magnitude is below 2^51.
///
/// Doubles of the size that the sum has leave no room for a fraction. What `rounded` gives is the
/// same, but on processors of the oldest kind, for which we build, it is a call. Of a larger number
/// the result is off, but not below 2^51.
@inline(__always)
func nearestWhole(_ value: Double) -> Double {
  (value + 0x1.8p52) - 0x1.8p52
}
