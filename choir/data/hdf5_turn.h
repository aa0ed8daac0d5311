// libhdf5 keeps global state, is built without locks and prints its errors: its
// users take turns, quietly.
#pragma once

#include <mutex>

namespace choir {

class Hdf5Turn {
 public:
  Hdf5Turn();
  ~Hdf5Turn();
  Hdf5Turn(const Hdf5Turn&) = delete;
  Hdf5Turn& operator=(const Hdf5Turn&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  int (*print_)(long, void*) = nullptr;  // what printed errors before
  void* print_data_ = nullptr;
};

}  // namespace choir
