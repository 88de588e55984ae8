// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The driver's one function: arguments as of a program; returns 1 where an output was wrong.
// Ends the process where the library answers with an error.
extern "C" __attribute__((visibility("default"))) int DriverMain(int argc, char** argv);
