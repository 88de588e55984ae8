// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ensemble_builder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace workbench {
namespace {

std::vector<std::string> NamesOf(const std::vector<TensorSpec>& tensors) {
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const TensorSpec& tensor : tensors) names.push_back(tensor.name);
  return names;
}

}  // namespace

Result<EnsembleBuilder::NewScheduler> EnsembleBuilder::Build(EnsembleOptions options,
                                                             const ModelSignature& signature) const {
  ASSIGN_OR_RETURN(EnsembleGraph graph, EnsembleGraph::Create(std::move(options), NamesOf(signature.inputs),
                                                              NamesOf(signature.outputs)));
  return NewScheduler([graph = std::move(graph), parts = *this](const Model& model) {
    const auto rows = static_cast<uint32_t>(std::max(1, model.signature().max_batch_size));
    return std::make_unique<EnsembleScheduler>(
        EnsembleContext{graph, &model.signature(), model.number(), parts.runner, parts.allocator,
                        parts.events, parts.clock, std::make_unique<InferenceStatistics>(rows)});
  });
}

}  // namespace workbench
