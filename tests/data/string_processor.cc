// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls a text POSITIVE when the numbers of its words add up to more than 3. The words and their numbers
// stand in the file that the configuration's parameter "vocabulary" names.
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
#include <workbench/backend.hpp>

struct Vocabulary {  // one per model
  explicit Vocabulary(const workbench::Model& model) {
    const std::string path = model.path(model.parameter("vocabulary"));
    std::ifstream file(path);
    if (!file) throw workbench::InvalidArgument("no vocabulary at " + path);
    for (auto [word, id] = std::pair<std::string, int>(); file >> word >> id;) ids[word] = id;
  }
  std::unordered_map<std::string, int> ids;
};

struct StringProcessor {  // one per model instance
  explicit StringProcessor(const Vocabulary& vocabulary) : vocabulary(vocabulary) {}

  void Execute(workbench::Request& request) {
    const workbench::Input texts = request.input("INPUT_STRING");
    std::vector<const char*> labels;
    for (std::string_view text : texts.strings()) labels.push_back(Sum(text) > 3 ? "POSITIVE" : "NEUTRAL");
    request.output("OUTPUT_LABEL").Write(labels, texts.shape());
  }

  int Sum(std::string_view text) const {
    int sum = 0;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
      const auto found = vocabulary.ids.find(word);
      if (found != vocabulary.ids.end()) sum += found->second;
    }
    return sum;
  }

  const Vocabulary& vocabulary;
};

WORKBENCH_BACKEND(StringProcessor, Vocabulary)
