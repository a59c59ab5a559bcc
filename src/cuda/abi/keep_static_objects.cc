// Destructors of the program's static objects, its exit handlers and threads that still run may
// call the API until the process has ended. exit() would destroy the library's own static and
// thread-local objects before. So static objects are never destroyed, and thread-local ones only at
// the end of a thread that is not the end of the process. The linker directs the library's calls of
// the functions of the C++ ABI here (cmake/cuda_runtime.cmake).
#include <pthread.h>

#include <memory>
#include <utility>

namespace {

struct ThreadObject {
  void (*destroy)(void*);
  void* object;
  std::unique_ptr<ThreadObject> next;
};

void destroy_objects(void* first) {
  std::unique_ptr<ThreadObject> one(static_cast<ThreadObject*>(first));
  for (; one; one = std::move(one->next)) one->destroy(one->object);
}

// exit() does not call the destructors of keys.
pthread_key_t key_of_objects() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, &destroy_objects);
    return made;
  }();
  return key;
}

}  // namespace

extern "C" {

int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }

int __wrap___cxa_thread_atexit(void (*destroy)(void*), void* object, void*) {
  const pthread_key_t key = key_of_objects();
  std::unique_ptr<ThreadObject> next(static_cast<ThreadObject*>(pthread_getspecific(key)));
  auto first = std::make_unique<ThreadObject>(destroy, object, std::move(next));
  return pthread_setspecific(key, first.release());
}

}  // extern "C"
