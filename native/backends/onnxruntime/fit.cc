// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "completion.h"
#include "tensor_type.h"

namespace ort {
namespace {

using workbench::Json;

std::string NamesOf(const std::vector<Tensor>& tensors) {
  std::string names;
  for (const Tensor& tensor : tensors) names += (names.empty() ? "'" : ", '") + tensor.name + "'";
  return names;
}

std::string ShapeText(const std::vector<int64_t>& dims) { return workbench::ToString(dims); }

class Fit {
 public:
  explicit Fit(const workbench::Model& model) : model_(model) {}

  // What the configuration calls an input, an output or a state.
  void Require(const char* what, const std::vector<Tensor>& tensors, const std::string& name,
               const std::string& type, std::vector<int64_t> dims, bool has_shape) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const Tensor& tensor) { return tensor.name == name; });
    if (found == tensors.end()) {
      throw workbench::InvalidArgument(std::string("model '") + model_.name() + "' has no " + what + " '" +
                                       name + "'; it has " + NamesOf(tensors));
    }
    RequireType(what, *found, type);
    if (model_.max_batch_size() > 0) dims.insert(dims.begin(), -1);
    if (has_shape) RequireShape(what, *found, dims);
  }

 private:
  void RequireType(const char* what, const Tensor& tensor, const std::string& type) const {
    const TRITONSERVER_DataType own = DataTypeOf(tensor.element_type);
    if (own != TRITONSERVER_TYPE_INVALID && DataTypeOfConfig(type.c_str()) == own) return;
    throw workbench::InvalidArgument(std::string(what) + " '" + tensor.name + "' is " + type +
                                     " in the configuration of model '" + model_.name() + "' and " +
                                     ConfigNameOf(own) + " in its file");
  }

  void RequireShape(const char* what, const Tensor& tensor, const std::vector<int64_t>& dims) const {
    // A configuration has no words for a tensor without dimensions but one of a single element.
    if (tensor.dims.empty() && dims == std::vector<int64_t>{1}) return;
    bool fits = dims.size() == tensor.dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      fits = dims[i] == tensor.dims[i] || dims[i] == -1 || tensor.dims[i] == -1;
    }
    if (fits) return;
    throw workbench::InvalidArgument(std::string(what) + " '" + tensor.name + "' is " + ShapeText(dims) +
                                     (model_.max_batch_size() > 0 ? ", batch included," : "") +
                                     " in the configuration of model '" + model_.name() + "' and " +
                                     ShapeText(tensor.dims) + " in its file");
  }

  const workbench::Model& model_;
};

std::vector<int64_t> DimsOf(const Json& dims) {
  std::vector<int64_t> values;
  for (const Json& dim : dims.elements()) values.push_back(dim.integer());
  return values;
}

}  // namespace

void RequireFit(const workbench::Model& model, const Session& session) {
  Fit fit(model);
  std::set<std::string> fed;
  std::set<std::string> dealt;  // by batch_output, out of a tensor of any shape
  for (const Json& output : model.config()["batch_output"].elements()) {
    for (const Json& target : output["target_name"].elements()) dealt.insert(target.string());
  }
  for (const char* list : {"input", "output"}) {
    const bool is_input = list[0] == 'i';
    for (const Json& tensor : model.config()[list].elements()) {
      const Json reshape = tensor["reshape"];
      const std::string name = tensor["name"].string();
      const bool has_shape = !tensor["allow_ragged_batch"].boolean() && dealt.count(name) == 0;
      fit.Require(list, is_input ? session.inputs() : session.outputs(), name, tensor["data_type"].string(),
                  DimsOf(reshape.is_null() ? tensor["dims"] : reshape["shape"]), has_shape);
      if (is_input) fed.insert(name);
    }
  }
  const Json sequence = model.config()["sequence_batching"];
  for (const Json& state : sequence["state"].elements()) {
    const std::string type = state["data_type"].string();
    fit.Require("state", session.inputs(), state["input_name"].string(), type, DimsOf(state["dims"]), true);
    fit.Require("state", session.outputs(), state["output_name"].string(), type, DimsOf(state["dims"]), true);
    fed.insert(state["input_name"].string());
  }
  for (const Json& control : sequence["control_input"].elements()) fed.insert(control["name"].string());
  for (const Json& input : model.config()["batch_input"].elements()) {
    for (const Json& target : input["target_name"].elements()) fed.insert(target.string());
  }
  for (const Tensor& tensor : session.inputs()) {
    if (fed.count(tensor.name) != 0) continue;
    throw workbench::InvalidArgument("model '" + model.name() + "' needs input '" + tensor.name +
                                     "', which its configuration does not name");
  }
}

}  // namespace ort
