"""numpy opens what the codec writes, and sees the same numbers: numpy_reads_codec.py SAMPLE_PROGRAM."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "sample.npz"
    subprocess.run([sys.argv[1], path], check=True)
    with np.load(path) as sample:
        values = [0, 1.5, -2, 3, 1e300, 5]
        assert sorted(sample.files) == ["answer/fortran", "bytes", "empty", "scalar", "table"], sample.files
        np.testing.assert_array_equal(sample["table"], np.reshape(values, (2, 3)))
        np.testing.assert_array_equal(sample["answer/fortran"], np.reshape(values, (2, 3), order="F"))
        assert sample["answer/fortran"].flags.f_contiguous
        assert sample["scalar"].shape == () and sample["scalar"] == 1.5
        assert sample["empty"].shape == (0, 4)
        assert sample["bytes"].dtype == np.uint8 and list(sample["bytes"]) == [7, 255]
