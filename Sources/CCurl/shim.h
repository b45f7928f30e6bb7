// The part of libcurl that is used, found when it is first needed: its headers are not necessary
// for building, and a command that never touches the network never loads it.
#ifndef REHOME_CCURL_SHIM_H
#define REHOME_CCURL_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

/// What one finished transfer leaves, as the library lays it out.
struct rehome_curl_message {
  int kind;
  void *easy;
  union {
    void *other;
    int result;
  } data;
};

/// The library's functions.
struct rehome_curl {
  int (*global_init)(long flags);
  void *(*easy_init)(void);
  void (*easy_reset)(void *easy);
  void (*easy_cleanup)(void *easy);
  int (*easy_pause)(void *easy, int directions);
  int (*easy_setopt)(void *easy, int option, ...);
  int (*easy_getinfo)(void *easy, int question, ...);
  const char *(*easy_strerror)(int code);
  void *(*slist_append)(void *list, const char *text);
  void (*slist_free_all)(void *list);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *multi);
  int (*multi_setopt)(void *multi, int option, ...);
  int (*multi_add_handle)(void *multi, void *easy);
  int (*multi_remove_handle)(void *multi, void *easy);
  int (*multi_perform)(void *multi, int *running);
  int (*multi_poll)(void *multi, void *more, unsigned count, int milliseconds, int *ready);
  struct rehome_curl_message *(*multi_info_read)(void *multi, int *left);
};

/// Fills the table; returns 0 where the library or one of its functions is not there.
static inline int rehome_curl_load(struct rehome_curl *curl) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define REHOME_CURL(name) \
  if (!(*(void **)&curl->name = dlsym(library, "curl_" #name))) return 0;
  REHOME_CURL(global_init)
  REHOME_CURL(easy_init)
  REHOME_CURL(easy_reset)
  REHOME_CURL(easy_cleanup)
  REHOME_CURL(easy_pause)
  REHOME_CURL(easy_setopt)
  REHOME_CURL(easy_getinfo)
  REHOME_CURL(easy_strerror)
  REHOME_CURL(slist_append)
  REHOME_CURL(slist_free_all)
  REHOME_CURL(multi_init)
  REHOME_CURL(multi_cleanup)
  REHOME_CURL(multi_setopt)
  REHOME_CURL(multi_add_handle)
  REHOME_CURL(multi_remove_handle)
  REHOME_CURL(multi_perform)
  REHOME_CURL(multi_poll)
  REHOME_CURL(multi_info_read)
#undef REHOME_CURL
  return 1;
}

/// Sets an option that is a number.
static inline int rehome_curl_set_number(
    struct rehome_curl curl, void *easy, int option, long value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option that is a size of 64 bits.
static inline int rehome_curl_set_size(
    struct rehome_curl curl, void *easy, int option, long long value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option that is text, a list or a value handed back to a callback.
static inline int rehome_curl_set_pointer(
    struct rehome_curl curl, void *easy, int option, const void *value) {
  return curl.easy_setopt(easy, option, value);
}

/// Takes what arrives: bytes of the body, or one line of the head.
typedef size_t (*rehome_curl_receiver)(
    const char *bytes, size_t size, size_t count, void *context);

/// Sets the function that takes the body or the head.
static inline int rehome_curl_set_receiver(
    struct rehome_curl curl, void *easy, int option, rehome_curl_receiver value) {
  return curl.easy_setopt(easy, option, value);
}

/// Is asked before each time that a request leaves.
typedef int (*rehome_curl_gate)(
    void *context, char *address, char *own_address, int port, int own_port);

/// Sets the function that is asked before a request leaves.
static inline int rehome_curl_set_gate(
    struct rehome_curl curl, void *easy, int option, rehome_curl_gate value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option of all connections together.
static inline int rehome_curl_set_shared(
    struct rehome_curl curl, void *multi, int option, long value) {
  return curl.multi_setopt(multi, option, value);
}

#endif
