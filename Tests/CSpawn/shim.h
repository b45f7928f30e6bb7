// How tests start programs, with what Swift's module of the C library leaves out.
#ifndef REHOME_CSPAWN_SHIM_H
#define REHOME_CSPAWN_SHIM_H

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <unistd.h>

// The headers declare these for programs that ask for all of GNU.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/// Starts a program in a folder, with three streams and no other descriptor; a stream below zero is
/// empty, or for errors that of the tests. Returns zero or the number of the error.
static inline int rehome_spawn(
    pid_t *number, const char *program, char *const *words, char *const *variables,
    const char *folder, int input, int output, int error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  int streams[] = {input, output, error};
  posix_spawn_file_actions_init(&actions);
  for (int target = 0; target < 3; target++) {
    if (streams[target] >= 0)
      posix_spawn_file_actions_adddup2(&actions, streams[target], target);
    else if (target < 2)
      posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawnattr_init(&attributes);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  // Whoever runs the tests in the background of a script has them, and all they start, ignore these.
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGQUIT);
  sigaddset(&signals, SIGHUP);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int result = posix_spawn(number, program, &actions, &attributes, words, variables);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return result;
}

#endif
