// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/counter.h"
#include "metrics/gauge.h"
#include "metrics/histogram.h"

namespace workbench {
namespace {

using testing::HasSubstr;

class RegistryTest : public testing::Test {
 protected:
  template <typename Metric>
  Family<Metric>& Add(const std::string& name) {
    return *registry_.Add<Metric>(name, "help").value();
  }
  Registry registry_;
};

TEST_F(RegistryTest, GivesTheSameFamilyForTheSameName) {
  EXPECT_EQ(&Add<Counter>("requests"), &Add<Counter>("requests"));
}

TEST_F(RegistryTest, RefusesANameThatStandsForAnotherKind) {
  Add<Counter>("requests");
  const Status status = registry_.Add<Gauge>("requests", "").status();
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_THAT(status.message(), HasSubstr("'requests' already, and it is a counter"));
}

TEST_F(RegistryTest, RefusesWhatCannotNameAMetric) {
  for (const char* name : {"", "1st", "a-b", "a b"}) {
    EXPECT_EQ(registry_.Add<Counter>(name, "").status().code(), StatusCode::kInvalidArgument) << name;
  }
  EXPECT_TRUE(registry_.Add<Counter>("job:nv_requests_1", "").ok());
}

TEST_F(RegistryTest, SharesAMetricAmongThoseWhoAskForItsLabels) {
  auto first = Add<Counter>("requests").With({{"model", "a"}});
  auto again = Add<Counter>("requests").With({{"model", "a"}});
  auto other = Add<Counter>("requests").With({{"model", "b"}});
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

TEST_F(RegistryTest, ShowsAMetricUntilItsLastUserLetsItGo) {
  auto first = Add<Gauge>("depth").With({});
  auto again = Add<Gauge>("depth").With({});
  first.reset();
  EXPECT_EQ(registry_.Read().size(), 1u);
  again.reset();
  EXPECT_TRUE(registry_.Read().empty());
}

TEST_F(RegistryTest, StartsAMetricAnewAfterItWasLetGo) {
  ASSERT_TRUE(Add<Counter>("requests").With({})->Increment(5).ok());
  EXPECT_EQ(Add<Counter>("requests").With({})->value(), 0);
}

TEST_F(RegistryTest, ReadsFamiliesByName) {
  auto gauge = Add<Gauge>("b").With({});
  auto histogram = Add<Histogram>("a").With({}, std::vector<double>{1});
  histogram->Observe(1);
  gauge->Set(4);
  const auto families = registry_.Read();
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[0].name, "a");
  EXPECT_EQ(families[0].kind, MetricKind::kHistogram);
  EXPECT_EQ(families[1].metrics.at(0).value, 4);
}

}  // namespace
}  // namespace workbench
