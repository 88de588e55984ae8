// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace workbench {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class LogTest : public testing::Test {
 protected:
  LogTest() { log_.Attach(); }
  ~LogTest() override {
    EXPECT_TRUE(log_.Set({}).ok());
    log_.Take(0);
    log_.Detach();
  }
  void Write(LogLevel level, const std::string& message = "hello") {
    log_.Write({level, 1'700'000'000'123'456'789, "model.cc", 7, message, ""});
  }
  Log& log_ = Log::Process();
};

TEST_F(LogTest, KeepsWhatIsEnabledForItsReader) {
  Write(LogLevel::kInfo, "first");
  Write(LogLevel::kVerbose, "not heard");
  Write(LogLevel::kError, "second");
  const Log::Page page = log_.Take(0);
  ASSERT_THAT(page.records, SizeIs(2));
  EXPECT_EQ(page.records[0].message, "first");
  EXPECT_EQ(page.records[1].level, LogLevel::kError);
  EXPECT_THAT(log_.Take(0).records, SizeIs(0));
}

TEST_F(LogTest, LevelsAreSwitchedOneByOne) {
  LogSettings settings;
  settings.warning = false;
  settings.verbose_level = 1;
  ASSERT_TRUE(log_.Set(settings).ok());
  EXPECT_FALSE(log_.is_enabled(LogLevel::kWarning));
  EXPECT_TRUE(log_.is_enabled(LogLevel::kVerbose));
  EXPECT_TRUE(log_.is_enabled(LogLevel::kInfo));
}

TEST_F(LogTest, CountsWhatItsReaderWasTooSlowFor) {
  for (size_t i = 0; i < Log::kCapacity + 5; ++i) Write(LogLevel::kInfo, std::to_string(i));
  const Log::Page page = log_.Take(0);
  EXPECT_EQ(page.dropped, 5u);
  EXPECT_EQ(page.records.front().message, "5");
}

TEST_F(LogTest, ALineTellsLevelTimeProcessAndPlace) {
  const LogRecord record{LogLevel::kWarning, 1'700'000'000'123'456'789, "model.cc", 7, "hello", ""};
  EXPECT_EQ(FormatLogLine(record, LogFormat::kDefault, 42), "W1114 22:13:20.123456 42 model.cc:7] hello");
  EXPECT_EQ(FormatLogLine(record, LogFormat::kIso8601, 42), "2023-11-14T22:13:20Z W 42 model.cc:7] hello");
}

TEST_F(LogTest, AFileIsAddedTo) {
  const std::string file = testing::TempDir() + "/workbench_log_test.txt";
  std::remove(file.c_str());
  LogSettings settings;
  settings.file = file;
  ASSERT_TRUE(log_.Set(settings).ok());
  Write(LogLevel::kInfo);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("model.cc:7] hello\n"));
}

TEST_F(LogTest, AFileStaysWhereItWasWhenTheProcessGoesToAnotherFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::string file = testing::TempDir() + "/workbench_log_relative.txt";
  std::remove(file.c_str());
  LogSettings settings;
  settings.file = "workbench_log_relative.txt";
  std::filesystem::current_path(testing::TempDir());
  ASSERT_TRUE(log_.Set(settings).ok());
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::path(log_.settings().file).is_absolute());
  Write(LogLevel::kInfo);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("hello"));
}

TEST_F(LogTest, AFileThatCannotBeWrittenIsToldAtOnceAndChangesNothing) {
  LogSettings settings;
  settings.file = "/nowhere/at/all";
  settings.info = false;
  EXPECT_EQ(log_.Set(settings).code(), StatusCode::kInternal);
  EXPECT_TRUE(log_.is_enabled(LogLevel::kInfo));
}

}  // namespace
}  // namespace workbench
