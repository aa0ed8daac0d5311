// What the snippets of the public headers use without declaring it. Names that mean different things in
// different headers are declared in the namespace of the header's snippet. Nothing here is ever linked.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "choir/choir.h"

namespace choir::snippets {

template <class... Anything>
void print(const Anything&... anything);

extern const std::uint64_t seed;
extern const std::uint64_t round;
extern const int threads;
extern const Index M, N, d, j, q;

extern Samples samples;
extern const Samples all_samples, new_samples, shard, other_shard;
extern const Matrix scores, matrix, v, w, x, y;
extern const Matrix mine;
extern const std::vector<Samples> shards;
extern const std::vector<std::int64_t> labels;
extern const Dataset digits;

extern Kernel kernel;
extern const Model model;
extern const std::unique_ptr<Engine> engine;
extern const Graph graph;
extern const Contract contract;
extern const RunReport report;
extern Node& node;
extern const central_kpca::Fit central;

namespace choir_base_error_h {
extern const std::string path;
extern const Index row, got, expected;
void load(const std::string& path);
}  // namespace choir_base_error_h

namespace choir_base_progress_h {
extern const std::stop_token token;
extern const Index tile, tiles;
void draw(const Progress& progress);
}  // namespace choir_base_progress_h

namespace choir_base_rng_h {
extern const NodeId node;
}

namespace choir_codec_npy_h {
extern const std::vector<std::byte> bytes;
extern std::vector<double> values;
}  // namespace choir_codec_npy_h

namespace choir_data_shards_h {
extern const std::vector<std::int64_t> wanted;
}

namespace choir_data_stream_h {
void learn(const Samples& samples, const Vector& targets);
}

namespace choir_kernel_centring_h {
extern const TriangularGram<double> lower;
extern Matrix block;
}  // namespace choir_kernel_centring_h

namespace choir_learn_alignment_alignment_h {
extern const SampleOrder order;
}

namespace choir_learn_assessment_assessment_h {
extern const ScoreMoments moments;
extern const Vector claims;
}  // namespace choir_learn_assessment_assessment_h

namespace choir_learn_assessment_score_moments_h {
extern const ScoreMoments all;
}

namespace choir_learn_consensus_kpca_models_h {
extern const consensus_kpca::Fit fit;
}

namespace choir_learn_consensus_kpca_quality_h {
extern const consensus_kpca::Fit fit;
}

namespace choir_learn_features_feature_map_h {
extern const Array shard;
extern const LandmarkOptions options;
}  // namespace choir_learn_features_feature_map_h

namespace choir_learn_features_feature_store_h {
extern const std::shared_ptr<FeatureStore> store;
}

namespace choir_learn_features_landmarks_h {
extern const Array shard;
}

namespace choir_learn_federated_kmeans_federated_kmeans_h {
extern const federated_kmeans::Options options;
}

namespace choir_learn_federated_kmeans_quality_h {
extern const Matrix gram;
}

namespace choir_learn_gossip_pca_gossip_pca_h {
extern const gossip_pca::Options options;
}

namespace choir_learn_gossip_pca_models_h {
extern const gossip_pca::Fit fit;
}

namespace choir_learn_gossip_pca_observer_h {
extern double weight;
}

namespace choir_learn_gossip_pca_quality_h {
extern const gossip_pca::Fit fit;
}

namespace choir_learn_gossip_pca_summary_h {
extern const gossip_pca::SummaryRule rule;
extern const gossip_pca::Summary theirs;
extern Rng random;
}  // namespace choir_learn_gossip_pca_summary_h

namespace choir_learn_oneshot_kpca_oneshot_kpca_h {
extern const std::vector<SampleOrder> orders;
extern const oneshot_kpca::Options options;
}  // namespace choir_learn_oneshot_kpca_oneshot_kpca_h

namespace choir_learn_oneshot_kpca_quality_h {
extern const oneshot_kpca::Fit fit;
}

namespace choir_learn_online_kernel_examination_h {
extern const Matrix targets, scores, total_of_all_rows;
extern const Vector weights, constant;
}  // namespace choir_learn_online_kernel_examination_h

namespace choir_learn_online_kernel_feature_state_h {
extern online_kernel::Hooks hooks;
}  // namespace choir_learn_online_kernel_feature_state_h

namespace choir_learn_online_kernel_feature_sums_h {
extern const Matrix psi, targets;
extern const Vector weights;
}  // namespace choir_learn_online_kernel_feature_sums_h

namespace choir_learn_online_kernel_fitness_h {
extern online_kernel::Fitness fitness;
extern const Matrix psi;
extern const online_kernel::FitSums total_of_all_nodes;
}  // namespace choir_learn_online_kernel_fitness_h

namespace choir_learn_online_kernel_memories_h {
extern const online_kernel::FeatureSums block;
}

namespace choir_learn_online_kernel_expansion_h {
extern const Index features, outputs;
extern const Samples batch;
extern const online_kernel::Expansion neighbour;
}  // namespace choir_learn_online_kernel_expansion_h

namespace choir_learn_online_kernel_online_kernel_h {
extern std::vector<std::unique_ptr<SampleStream>> streams;
extern const online_kernel::Options options;
}  // namespace choir_learn_online_kernel_online_kernel_h

namespace choir_learn_parts_projection_h {
extern const std::vector<Part> parts;
extern const std::vector<Samples> new_samples;
}  // namespace choir_learn_parts_projection_h

namespace choir_learn_shard_h {
extern const Samples first, second;
extern std::vector<Samples> samples;
}  // namespace choir_learn_shard_h

namespace choir_model_cluster_model_h {
extern const ClusterModel model;
}

namespace choir_model_feature_model_h {
extern const FeatureModel model;
}

namespace choir_model_kernel_machine_h {
extern const KernelMachine machine;
}

namespace choir_model_kernel_model_h {
extern const KernelModel model;
}

namespace choir_model_kernel_part_h {
extern const KernelPart first, second;
extern const Samples its_features;
}  // namespace choir_model_kernel_part_h

namespace choir_model_linear_model_h {
extern const LinearModel model;
}

namespace choir_model_linear_part_h {
extern const LinearPart first, second;
extern const Samples its_coordinates;
}  // namespace choir_model_linear_part_h

namespace choir_model_part_h {
extern const Part first, second;
extern const Samples its_features;
}  // namespace choir_model_part_h

namespace choir_run_context_h {
extern MethodContext& context;
}

namespace choir_run_embedding_h {
extern const NodeRange own;
extern const std::vector<std::vector<std::int64_t>> labels;
extern Result result;
}  // namespace choir_run_embedding_h

namespace choir_run_result_h {
extern Run run;
}

namespace choir_run_run_h {
extern Job job;
}

namespace choir_runtime_array_h {
extern Matrix matrix;
extern const std::shared_ptr<const Matrix> shard;
}  // namespace choir_runtime_array_h

namespace choir_runtime_blocks_flood_h {
extern const Message mine;
}

namespace choir_runtime_blocks_gossip_h {
extern const Matrix value;
}

namespace choir_runtime_blocks_gossip_value_h {
extern const GossipOptions options;
}

namespace choir_runtime_blocks_stop_h {
extern Message message;
extern const bool flagged;
extern const std::vector<StopWords> words_of_the_neighbors;
}  // namespace choir_runtime_blocks_stop_h

namespace choir_runtime_engine_h {
extern const RunOptions options;
extern const std::vector<double> values;
Task<double> average(Node& node, double value);
}  // namespace choir_runtime_engine_h

namespace choir_runtime_kind_h {
extern const Message message;
}

namespace choir_runtime_message_h {
extern const NodeId neighbor;
extern const Channel channel;
extern const std::int64_t counter;
extern const double norm;
extern Matrix coefficients;
extern const Message received;
}  // namespace choir_runtime_message_h

namespace choir_runtime_process_group_h {
extern const std::string file;
Samples read(const std::string& file);
std::string make_folder();
}  // namespace choir_runtime_process_group_h

namespace choir_runtime_task_h {
Task<double> step(Node& node, double value);
}

}  // namespace choir::snippets
