/*
 * Makes the n-th call of one of the system's functions fail, or ends the process at it.
 *
 * Loaded into the tool with LD_PRELOAD by the tests of crash safety. What the kernel and the disk
 * do once in a while happens here at the place that the environment names:
 *
 *   FAULT_CALLS  which functions count, as open,write,fsync; all of them by default
 *   FAULT_AT     the number of the call, from 1
 *   FAULT_ERRNO  the error it gives; 0 ends the process as kill -9 would
 *   FAULT_LAST   set: all later counted calls fail as well, as on a disk that stays full
 *   FAULT_COUNT  a file that gets the number of counted calls when the process ends
 *   FAULT_SKIP   paths that begin with this do not count
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long target = -1;
static int number;
static int stays;
static const char *wanted;
static const char *skipped;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO");
  target = at ? atol(at) : -1;
  number = error ? atoi(error) : 0;
  stays = getenv("FAULT_LAST") != NULL;
  wanted = getenv("FAULT_CALLS");
  skipped = getenv("FAULT_SKIP");
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  if (!path) return;
  int file = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) dprintf(file, "%ld\n", atomic_load(&calls)), close(file);
}

/* Whether the function is among those that count. */
static int counts(const char *name) {
  if (!wanted) return 1;
  size_t length = strlen(name);
  for (const char *at = wanted; (at = strstr(at, name)); at += length) {
    int starts = at == wanted || at[-1] == ',';
    if (starts && (at[length] == 0 || at[length] == ',')) return 1;
  }
  return 0;
}

/* Counts a call; 1 when it must fail, with `errno` set. */
static int fails(const char *name) {
  if (!counts(name)) return 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (target < 0 || call < target || (call > target && !stays)) return 0;
  if (number == 0) kill(getpid(), SIGKILL);
  errno = number;
  return 1;
}

static int is_skipped(const char *path) {
  return skipped && strncmp(path, skipped, strlen(skipped)) == 0;
}

/* Opening to read is a fault of another kind than opening to write: it has its own name. */
static const char *opening(int flags) {
  return (flags & O_ACCMODE) == O_RDONLY ? "openr" : "open";
}

#define MODE(flags)                                      \
  mode_t mode = 0;                                       \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {               \
    va_list list;                                        \
    va_start(list, flags);                               \
    mode = va_arg(list, mode_t);                         \
    va_end(list);                                        \
  }

/* Before the tool's own code runs, the loader and the runtime open files of theirs. */
static int is_system(const char *path) {
  static const char *const places[] = {"/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/opt"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strncmp(path, places[i], strlen(places[i])) == 0) return 1;
  return is_skipped(path);
}

int open(const char *path, int flags, ...) {
  MODE(flags)
  if (!is_system(path) && fails(opening(flags))) return -1;
  return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  if (!is_system(path) && fails(opening(flags))) return -1;
  return REAL(open64)(path, flags, mode);
}

/* Regular files only: standard error must stay able to say what happened. */
static int is_file(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && file > 2;
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (is_file(file) && fails("write")) return -1;
  return REAL(write)(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (is_file(file) && fails("write")) return -1;
  return REAL(writev)(file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  if (fails("pwrite")) return -1;
  return REAL(pwrite)(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  if (fails("pwrite")) return -1;
  return REAL(pwrite64)(file, bytes, count, at);
}

ssize_t read(int file, void *bytes, size_t count) {
  if (is_file(file) && fails("read")) return -1;
  return REAL(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  if (fails("read")) return -1;
  return REAL(pread)(file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  if (fails("read")) return -1;
  return REAL(pread64)(file, bytes, count, at);
}

int fsync(int file) { return fails("fsync") ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return fails("fsync") ? -1 : REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) {
  return fails("ftruncate") ? -1 : REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  return fails("ftruncate") ? -1 : REAL(ftruncate64)(file, size);
}
int fallocate(int file, int mode, off_t at, off_t size) {
  return fails("ftruncate") ? -1 : REAL(fallocate)(file, mode, at, size);
}
int rename(const char *old, const char *new) {
  return fails("rename") ? -1 : REAL(rename)(old, new);
}
int renameat2(int from, const char *old, int to, const char *new, unsigned int flags) {
  return fails("rename") ? -1 : REAL(renameat2)(from, old, to, new, flags);
}
int link(const char *old, const char *new) { return fails("link") ? -1 : REAL(link)(old, new); }
int unlink(const char *path) { return fails("unlink") ? -1 : REAL(unlink)(path); }
int rmdir(const char *path) { return fails("unlink") ? -1 : REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { return fails("mkdir") ? -1 : REAL(mkdir)(path, mode); }
char *mkdtemp(char *pattern) { return fails("mkdir") ? NULL : REAL(mkdtemp)(pattern); }
int fchmod(int file, mode_t mode) { return fails("chmod") ? -1 : REAL(fchmod)(file, mode); }
