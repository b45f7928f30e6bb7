import CMemory

/// Gives memory that was freed in small pieces back to the system, which the allocator would keep.
///
/// It takes a few milliseconds, and is for the moment when much was moved to a file.
package func giveBackFreeMemory() {
  rehome_trim()
}
