// User objects: what the program releases when the last graph that refers to it ends.
#include <algorithm>

#include "cuda/graph/nodes.h"
#include "cuda/objects/handles.h"

using namespace heddle::cuda;

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned references, unsigned) {
  return api([&](Session& session) {
    if (!object || !destroy || references == 0) return cudaErrorInvalidValue;
    const std::shared_ptr<void> shared(pointer, destroy);
    const std::uintptr_t handle = session.new_handle();
    session.graphs.user_objects[handle].assign(references, shared);
    *object = reinterpret_cast<cudaUserObject_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return api([&](Session& session) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.empty())
      return cudaErrorInvalidValue;
    const std::shared_ptr<void> shared = found->second.front();
    found->second.insert(found->second.end(), count, shared);
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return api([&](Session& session) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.size() < count)
      return cudaErrorInvalidValue;
    found->second.resize(found->second.size() - count);
    return cudaSuccess;
  });
}
// References move from the program to the graph, or the graph gets new ones.
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.empty())
      return cudaErrorInvalidValue;
    const bool moves = flags & cudaGraphUserObjectMove;
    if (moves && found->second.size() < count) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i)
      into.user_objects.emplace_back(handle_of(object), found->second.front());
    if (moves) found->second.resize(found->second.size() - count);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return with_graph(graph, [&](Session&, Graph& of) {
    for (unsigned i = 0; i < count; ++i) {
      const auto found = std::find_if(of.user_objects.begin(), of.user_objects.end(),
                                      [&](const auto& k) { return k.first == handle_of(object); });
      if (found == of.user_objects.end()) return cudaErrorInvalidValue;
      of.user_objects.erase(found);
    }
    return cudaSuccess;
  });
}
