// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/route.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

struct Expected {
  const char* target;
  HttpAction action;
  const char* name;
  const char* version;
};

class RouteTest : public ::testing::TestWithParam<Expected> {};

TEST_P(RouteTest, IsWhatTheTargetSays) {
  const HttpRoute route = RouteOf(GetParam().target);
  EXPECT_EQ(route.action, GetParam().action);
  EXPECT_EQ(route.name, GetParam().name);
  EXPECT_EQ(route.version, GetParam().version);
}

INSTANTIATE_TEST_SUITE_P(
    All, RouteTest,
    ::testing::Values(Expected{"/v2", HttpAction::kServerMetadata, "", ""},
                      Expected{"/v2/health/live", HttpAction::kServerLive, "", ""},
                      Expected{"/v2/models/m", HttpAction::kModelMetadata, "m", ""},
                      Expected{"/v2/models/m/infer", HttpAction::kInfer, "m", ""},
                      Expected{"/v2/models/m/versions/12/infer?x=/y", HttpAction::kInfer, "m", "12"},
                      Expected{"/v2/models/m/trace/setting", HttpAction::kModelTraceSettings, "m", ""},
                      Expected{"/v2/models/stats", HttpAction::kModelStatistics, "", ""},
                      Expected{"/v2/models/a%2Fb/ready", HttpAction::kModelReady, "a/b", ""},
                      Expected{"/v2/models/a%2/ready", HttpAction::kModelReady, "a%2", ""},
                      Expected{"/v2/repository/index", HttpAction::kIndex, "", ""},
                      Expected{"/v2/repository/mine/index", HttpAction::kIndex, "", ""},
                      Expected{"/v2/repository/models/m/load", HttpAction::kLoad, "m", ""},
                      Expected{"/v2/repository/mine/models/m/unload", HttpAction::kUnload, "m", ""},
                      Expected{"/v2/systemsharedmemory/region/r/register", HttpAction::kSystemMemoryRegister,
                               "r", ""},
                      Expected{"/v2/cudasharedmemory/status", HttpAction::kCudaMemoryStatus, "", ""},
                      Expected{"", HttpAction::kUnknown, "", ""}, Expected{"/", HttpAction::kUnknown, "", ""},
                      Expected{"*", HttpAction::kUnknown, "", ""},
                      Expected{"/v2/", HttpAction::kUnknown, "", ""},
                      Expected{"/v2/models", HttpAction::kUnknown, "", ""},
                      Expected{"/v2/models/m/versions/x/infer", HttpAction::kUnknown, "", ""},
                      Expected{"/v2/repository/models", HttpAction::kUnknown, "", ""}));

TEST(RouteVersionTest, IsTheNewestWhereNoneIsNamed) { EXPECT_EQ(VersionOf(HttpRoute()).value(), -1); }

TEST(RouteVersionTest, ThatIsTooLargeIsRefused) {
  HttpRoute route;
  route.version = "99999999999999999999";
  EXPECT_EQ(VersionOf(route).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace workbench
