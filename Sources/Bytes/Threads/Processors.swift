import Glibc

/// How many processors the system has for its threads; at least one.
private func processorCount() -> Int {
  max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// How many threads work at a time: one for each processor, unless the run was told another number.
package func threadCount() -> Int { InputLimits.current.threads ?? processorCount() }
