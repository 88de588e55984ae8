// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// From scores to a label: the best one's, where its score is high enough for that label, else a general one.
#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>
#include <workbench/backend.hpp>

struct Labels {  // one per model: a line of labels.txt for each score
  struct Label {
    std::string name;
    float threshold;
    std::string general;  // what is said below the threshold
  };

  explicit Labels(const workbench::Model& model) {
    const std::string path = model.path("labels.txt");
    std::ifstream file(path);
    for (Label one; file >> one.name >> one.threshold >> one.general;) rows.push_back(one);
    if (rows.empty()) {
      throw workbench::InvalidArgument("no labels at " + path +
                                       ": python model_repository/fetch.py magika writes them");
    }
  }
  std::vector<Label> rows;
};

struct MagikaLabels {
  explicit MagikaLabels(const Labels& labels) : labels(labels) {}

  void Execute(workbench::Request& request) {
    const std::vector<std::string_view> known = request.input("KNOWN").strings();
    const workbench::Span<const float> scores = request.input("SCORES").as<float>();
    const auto rows = static_cast<int64_t>(known.size());
    if (scores.size() != known.size() * labels.rows.size()) {
      throw workbench::InvalidArgument("SCORES has " + std::to_string(scores.size()) + " values; " +
                                       std::to_string(known.size() * labels.rows.size()) + " belong here");
    }
    std::vector<std::string_view> names;
    std::vector<float> certainties;
    const float* row = scores.begin();
    for (std::string_view given : known) {
      const float* const best = std::max_element(row, row + labels.rows.size());
      const Labels::Label& label = labels.rows[static_cast<size_t>(best - row)];
      certainties.push_back(given.empty() ? *best : 1);
      names.push_back(!given.empty() ? given : *best >= label.threshold ? label.name : label.general);
      row += labels.rows.size();
    }
    request.output("LABEL").Write(names, {rows, 1});
    request.output("SCORE").Write(certainties, {rows, 1});
  }

  const Labels& labels;
};

WORKBENCH_BACKEND(MagikaLabels, Labels)
