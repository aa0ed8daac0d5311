// Do the parts of a model, and what is asked of it, fit together?
#pragma once

#include "choir/model/cluster_model.h"
#include "choir/model/feature_model.h"
#include "choir/model/kernel_machine.h"
#include "choir/model/kernel_model.h"
#include "choir/model/kernel_part.h"
#include "choir/model/linear_model.h"
#include "choir/model/linear_part.h"

namespace choir {

// Throw Error(InvalidArgument) with the two numbers that differ.
void check_features(Index samples_have, Index model_has);
void check_scores(const Matrix& scores, Index components);

// Every size agrees with the others, every number is finite, kernel and preprocessing are usable. What a
// file must satisfy before it becomes a model, and a model before it becomes a file.
void check_consistent(const KernelModel& model);
void check_consistent(const LinearModel& model);
void check_consistent(const FeatureModel& model);
void check_consistent(const LinearPart& model);
void check_consistent(const KernelPart& model);
void check_consistent(const KernelMachine& model);
void check_consistent(const ClusterModel& model);

// eigenvalue / trace; zeros if there was no variance at all.
Vector variance_ratio(const Vector& eigenvalues, double trace);

}  // namespace choir
