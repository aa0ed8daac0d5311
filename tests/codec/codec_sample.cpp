// Writes one .npz for numpy_reads_codec.py to open: codec_sample FILE.
#include <vector>

#include "choir/codec/archive.h"
#include "choir/codec/npy.h"

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::vector<double> values = {0, 1.5, -2, 3, 1e300, 5};
  choir::NpyArray fortran = choir::from_doubles(values, {2, 3});
  fortran.fortran_order = true;
  const choir::NpyArray bytes{choir::ElementType::uint8, {2}, false, {std::byte{7}, std::byte{255}}};
  choir::write_archive(argv[1],
                       {{"table.npy", choir::encode_npy(choir::from_doubles(values, {2, 3}))},
                        {"answer/fortran.npy", choir::encode_npy(fortran)},
                        {"scalar.npy", choir::encode_npy(choir::from_doubles({values.data() + 1, 1}, {}))},
                        {"empty.npy", choir::encode_npy(choir::from_doubles({}, {0, 4}))},
                        {"bytes.npy", choir::encode_npy(bytes)}});
}
