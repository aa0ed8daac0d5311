#include "choir/run/online/private_settings.h"

#include "choir/learn/online_kernel/private_options.h"
#include "choir/learn/privacy/private_choices.h"

namespace choir {

void require_private(const OnlineSettings& settings) {
  require_choice(settings.passes == 1,
                 "every sample is learned from once: a second pass would count it twice; omit --passes");
  require_choice(
      !settings.classes.empty() || !is_classification(settings.method.loss),
      "the classes must be named, because those that are found come from the samples; use --classes "
      "0,1,2 or --classes cat,dog");
  require_choice(settings.on_bad_record == BadRecord::error,
                 "bad records cannot be skipped: their number and the first few of them would be shown; omit "
                 "--on-bad-record, and remove such records first");
  require_choice(
      settings.test.empty(),
      "--test would show how the model does on samples that no noise hides; omit it, and use choir "
      "predict with the model");
  require_choice(
      settings.predictions.empty(),
      "there are no predictions before the end; omit --predictions, and use choir predict with the "
      "model");
  require_choice(
      settings.checkpoint.empty(),
      "there are no checkpoints: a run that continues would open once more what it has opened; omit "
      "--checkpoint");
  require_choice(!settings.data.by.starts_with("label:") && settings.data.select_labels.empty(),
                 "labels must not decide how many samples a node has, which is public; omit --by label and "
                 "--select-labels, and select before");
  require_all_nodes(settings.network.lost_peers);
  online_kernel::require_private(settings.method);
}

}  // namespace choir
