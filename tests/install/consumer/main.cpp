// What a user of the installed library writes: read, fit, transform.
#include <cstdio>

#include <choir/choir.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const choir::Dataset digits = choir::read_dataset(std::string(argv[1]) + ":images");
  const choir::CentralKpca fit =
      choir::central_kernel_pca(digits.samples, {.kernel = {.gamma = 2e-7}, .components = {.count = 3}});
  const choir::Matrix scores = fit.model.transform(digits.samples);
  const double difference = (scores - fit.scores).cwiseAbs().maxCoeff();
  std::printf("%td samples, first eigenvalue %.3f, training scores reproduced to %.1e\n", digits.size(),
              fit.model.eigenvalues(0), difference);
  return fit.converged && difference < 1e-10 ? 0 : 1;
}
