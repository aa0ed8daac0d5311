// One description per method; method.cpp lists them.
#pragma once

#include "choir/run/method.h"

namespace choir {

const MethodInfo& central_kpca_info();
const MethodInfo& local_kpca_info();
const MethodInfo& consensus_kpca_info();
const MethodInfo& gossip_pca_info();
const MethodInfo& oneshot_kpca_info();
const MethodInfo& online_kernel_info();
const MethodInfo& federated_kmeans_info();

}  // namespace choir
