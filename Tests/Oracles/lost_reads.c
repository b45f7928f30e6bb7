/* Makes every reading from a file without a name in /var/tmp fail, as on a disk that breaks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t reader(int, void *, size_t, off_t);

static int is_set_aside(int file) {
  char link[64], path[256];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, "/var/tmp/", 9) == 0 && strstr(path, "(deleted)") != NULL;
}

static ssize_t read_or_fail(const char *name, int file, void *bytes, size_t count, off_t place) {
  if (is_set_aside(file)) {
    errno = EIO;
    return -1;
  }
  return ((reader *)dlsym(RTLD_NEXT, name))(file, bytes, count, place);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place) {
  return read_or_fail("pread", file, bytes, count, place);
}

ssize_t pread64(int file, void *bytes, size_t count, off_t place) {
  return read_or_fail("pread64", file, bytes, count, place);
}
