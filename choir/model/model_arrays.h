// The arrays of a model as .npy entries of its file, called "<answer>/<array>.npy".
//
// One list of names serves writing and reading. Shapes are numpy's: samples and directions of the input space
// are rows there (points (P, M), components, loadings and sample_slopes (D, M)), coefficients are (P, D) and
// weights (P, K).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "choir/codec/archive.h"
#include "choir/codec/npy.h"
#include "choir/model/model_file.h"

namespace choir {

// Appends the arrays of one answer.
void append_arrays(Archive& archive, std::string_view answer, const Model& model);

// Fills the arrays of a model as parse_manifest leaves it. `find` gives the array of a name or
// throws. Throws Error(BadData) if one is not float64 (columns and classes: int64) or has the wrong number of
// dimensions or is empty, but for a kernel machine without points; the sizes are checked later, against each
// other. `file` is what messages call the file.
void fill_arrays(Model& model, std::string_view answer, std::string_view file,
                 const std::function<NpyView(const std::string& entry)>& find);

}  // namespace choir
