// Reads a model and writes it again: model_sample FROM TO.
#include "choir/model/model_file.h"

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  choir::save_model(argv[2], choir::load_model(argv[1]));
}
