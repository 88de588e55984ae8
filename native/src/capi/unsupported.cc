// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// The functions of the C interface that are exported, so that every library which names them
// loads, and that answer UNSUPPORTED with their own name. To implement one, define it elsewhere
// and delete its line here: the linker refuses two definitions.
// The interface headers stay out: a definition without parameters would contradict them. In the
// C calling convention the callee may ignore what it is given.

namespace {
constexpr int kUnsupported = 5;  // TRITONSERVER_ERROR_UNSUPPORTED
}  // namespace

extern "C" void* TRITONSERVER_ErrorNew(int code, const char* message);

#define WB_EXPORTED extern "C" __attribute__((visibility("default")))

// Returns an error, as nearly all functions do.
#define WB_UNSUPPORTED(NAME)                                                              \
  WB_EXPORTED void* NAME() {                                                              \
    return TRITONSERVER_ErrorNew(kUnsupported, #NAME " is not supported by this server"); \
  }

// Returns a static string, which cannot be null: callers print it.
#define WB_UNSUPPORTED_TEXT(NAME) \
  WB_EXPORTED const char* NAME() { return "<unsupported>"; }

// Returns a null pointer, or the value that means "invalid".
#define WB_UNSUPPORTED_ZERO(NAME) \
  WB_EXPORTED void* NAME() { return nullptr; }

WB_UNSUPPORTED(TRITONSERVER_GetMetricFamilyKind)
WB_UNSUPPORTED(TRITONSERVER_GetMetricKind)
WB_UNSUPPORTED_TEXT(TRITONSERVER_InferenceTraceActivityString)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceContext)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceDelete)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceId)
WB_UNSUPPORTED_TEXT(TRITONSERVER_InferenceTraceLevelString)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceModelName)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceModelVersion)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceNew)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceParentId)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceRequestId)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceSetContext)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceSpawnChildTrace)
WB_UNSUPPORTED(TRITONSERVER_InferenceTraceTensorNew)
WB_UNSUPPORTED(TRITONSERVER_MetricArgsDelete)
WB_UNSUPPORTED(TRITONSERVER_MetricArgsNew)
WB_UNSUPPORTED(TRITONSERVER_MetricArgsSetHistogram)
WB_UNSUPPORTED(TRITONSERVER_MetricNewWithArgs)
WB_UNSUPPORTED(TRITONSERVER_MetricObserve)
WB_UNSUPPORTED(TRITONSERVER_MetricSet)
WB_UNSUPPORTED(TRITONSERVER_MetricsDelete)
WB_UNSUPPORTED(TRITONSERVER_MetricsFormatted)
WB_UNSUPPORTED(TRITONSERVER_ServerLoadModelWithParameters)
WB_UNSUPPORTED(TRITONSERVER_ServerMetrics)
WB_UNSUPPORTED(TRITONSERVER_ServerModelBatchProperties)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsAddRateLimiterResource)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetBackendConfig)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetBufferManagerThreadCount)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetCacheConfig)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetCacheDirectory)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetCudaMemoryPoolByteSize)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetCudaVirtualAddressSize)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetEnablePeerAccess)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetExitOnError)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetHostPolicy)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetLogError)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetLogFile)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetLogFormat)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetLogVerbose)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetLogWarn)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetMetricsConfig)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetMetricsInterval)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetModelConfigName)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetModelLoadDeviceLimit)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetModelLoadRetryCount)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetModelLoadThreadCount)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetModelNamespacing)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetPinnedMemoryPoolByteSize)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetRateLimiterMode)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetRepoAgentDirectory)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetResponseCacheByteSize)
WB_UNSUPPORTED(TRITONSERVER_ServerOptionsSetStrictReadiness)
WB_UNSUPPORTED(TRITONSERVER_ServerPollModelRepository)
WB_UNSUPPORTED(TRITONSERVER_ServerRegisterModelRepository)
WB_UNSUPPORTED(TRITONSERVER_ServerSetExitTimeout)
WB_UNSUPPORTED(TRITONSERVER_ServerStop)
WB_UNSUPPORTED(TRITONSERVER_ServerUnregisterModelRepository)

WB_UNSUPPORTED(TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup)
WB_UNSUPPORTED(TRITONBACKEND_ModelInstanceProfileCount)
WB_UNSUPPORTED(TRITONBACKEND_ModelInstanceProfileName)
WB_UNSUPPORTED(TRITONBACKEND_ModelInstanceReportMemoryUsage)
WB_UNSUPPORTED(TRITONBACKEND_ModelInstanceSecondaryDeviceCount)
WB_UNSUPPORTED(TRITONBACKEND_ModelInstanceSecondaryDeviceProperties)
WB_UNSUPPORTED(TRITONBACKEND_ModelReportMemoryUsage)
WB_UNSUPPORTED(TRITONBACKEND_StateBufferAttributes)
WB_UNSUPPORTED(TRITONBACKEND_StateUpdate)

WB_UNSUPPORTED(TRITONCACHE_ApiVersion)
WB_UNSUPPORTED(TRITONCACHE_CacheEntryAddBuffer)
WB_UNSUPPORTED(TRITONCACHE_CacheEntryBufferCount)
WB_UNSUPPORTED(TRITONCACHE_CacheEntryGetBuffer)
WB_UNSUPPORTED(TRITONCACHE_CacheEntrySetBuffer)
WB_UNSUPPORTED(TRITONCACHE_Copy)
