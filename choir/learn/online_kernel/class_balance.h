// How often classes occur, and what a loss does about it.
//
// With class weights balanced the loss is taken of f_k(x) + log(K pi_k), pi_k the share of class k among the
// samples of the network so far. Samples of a frequent class then hardly move the score of a rare one, and
// the largest f_k(x) is the class that is most likely if all were equally frequent: what class weights
// 1 / pi_k aim at, without gradients of that length.
#pragma once

#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

// `targets`: places in the classes. K; empty for values.
Vector count_classes(const Vector& targets, const Options& options);

// log(K pi_k) with one more sample counted for each class; zeros if classes do not count. K (1 for values).
Vector class_offsets(const Vector& counts, const Options& options);

}  // namespace choir::online_kernel
