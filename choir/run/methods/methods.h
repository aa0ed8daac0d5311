// One description per method; method.cpp lists them.
#pragma once

#include "choir/run/method.h"

namespace choir::central_kpca {
MethodInfo method_info();
}
namespace choir::local_kpca {
MethodInfo method_info();
}
namespace choir::consensus_kpca {
MethodInfo method_info();
}
namespace choir::gossip_pca {
MethodInfo method_info();
}
namespace choir::federated_kmeans {
MethodInfo method_info();
}
namespace choir::oneshot_kpca {
MethodInfo method_info();
}
namespace choir::online_kernel {
MethodInfo method_info();
}
