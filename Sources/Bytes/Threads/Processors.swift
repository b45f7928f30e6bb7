import Glibc

/// How many processors the system has for its threads; at least one.
package func processorCount() -> Int {
  max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
