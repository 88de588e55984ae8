// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/method.h"

#include <algorithm>
#include <array>

namespace workbench {
namespace {

constexpr std::string_view kService = "/inference.GRPCInferenceService/";
constexpr std::array<std::string_view, 15> kManagedMethods{"ServerMetadata",
                                                           "ModelMetadata",
                                                           "ModelConfig",
                                                           "ModelStatistics",
                                                           "RepositoryIndex",
                                                           "RepositoryModelLoad",
                                                           "RepositoryModelUnload",
                                                           "SystemSharedMemoryStatus",
                                                           "SystemSharedMemoryRegister",
                                                           "SystemSharedMemoryUnregister",
                                                           "CudaSharedMemoryStatus",
                                                           "CudaSharedMemoryRegister",
                                                           "CudaSharedMemoryUnregister",
                                                           "TraceSetting",
                                                           "LogSettings"};

}  // namespace

GrpcMethod MethodOf(std::string_view path, std::string_view* name) {
  if (path == "/grpc.health.v1.Health/Check") return GrpcMethod::kHealthCheck;
  if (path == "/grpc.health.v1.Health/Watch") return GrpcMethod::kHealthWatch;
  if (path.substr(0, kService.size()) != kService) return GrpcMethod::kUnknown;
  *name = path.substr(kService.size());
  if (*name == "ModelInfer") return GrpcMethod::kInfer;
  if (*name == "ModelStreamInfer") return GrpcMethod::kStreamInfer;
  if (*name == "ServerLive") return GrpcMethod::kServerLive;
  if (*name == "ServerReady") return GrpcMethod::kServerReady;
  if (*name == "ModelReady") return GrpcMethod::kModelReady;
  const bool is_known =
      std::find(kManagedMethods.begin(), kManagedMethods.end(), *name) != kManagedMethods.end();
  return is_known ? GrpcMethod::kManaged : GrpcMethod::kUnknown;
}

}  // namespace workbench
