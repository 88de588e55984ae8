// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

#include "inprocess_driver.h"

int main(int argc, char** argv) { return DriverMain(argc, argv); }
