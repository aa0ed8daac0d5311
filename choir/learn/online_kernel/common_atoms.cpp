#include "choir/learn/online_kernel/common_atoms.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/atom_index.h"

namespace choir::online_kernel {
namespace {

constexpr std::int64_t not_known = -1;

}  // namespace

CommonAtoms::CommonAtoms(Index features, Index neighbors)
    : sent_(features, 0), heard_(static_cast<std::size_t>(neighbors), Samples(features, 0)) {}

PackedAtoms CommonAtoms::pack(const Samples& atoms, Index position) const {
  const AtomIndex sent(sent_);
  const AtomIndex heard(heard_[static_cast<std::size_t>(position)]);
  PackedAtoms packed{.places = MatrixOf<std::int64_t>(atoms.cols(), 1), .news = Samples(atoms.rows(), 0)};
  std::vector<Index> news;
  for (Index n = 0; n < atoms.cols(); ++n) {
    const double* atom = atoms.col(n).data();
    std::int64_t place = sent.find(atom);
    if (place < 0) {
      place = heard.find(atom);
      if (place >= 0) place += sent_.cols();
    }
    if (place < 0) {
      place = not_known;
      news.push_back(n);
    }
    packed.places(n, 0) = place;
  }
  packed.news = atoms(Eigen::all, news);
  return packed;
}

Samples CommonAtoms::unpack(const Eigen::Map<const MatrixOf<std::int64_t>>& places,
                            const Eigen::Map<const Matrix>& news, Index position) const {
  const Samples& theirs = heard_[static_cast<std::size_t>(position)];  // what its sender sent before
  Samples atoms(sent_.rows(), places.size());
  Index used = 0;
  for (Index n = 0; n < places.size(); ++n) {
    const std::int64_t place = places(n);
    if (place == not_known && used < news.cols()) {
      atoms.col(n) = news.col(used++);
    } else if (place >= 0 && place < theirs.cols()) {
      atoms.col(n) = theirs.col(place);
    } else if (place >= theirs.cols() && place < theirs.cols() + sent_.cols()) {
      atoms.col(n) = sent_.col(place - theirs.cols());
    } else {
      throw Error(ErrorCategory::BadData, "an atom is neither new nor one that both nodes have");
    }
  }
  if (used != news.cols())
    throw Error(ErrorCategory::BadData, "there are more new atoms than places for them");
  return atoms;
}

void CommonAtoms::close_round(Samples sent, std::vector<Samples> heard) {
  sent_ = std::move(sent);
  heard_ = std::move(heard);
}

}  // namespace choir::online_kernel
