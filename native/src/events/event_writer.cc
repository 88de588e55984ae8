// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_writer.h"

namespace workbench {

EventWriter::~EventWriter() {
  if (const auto store = store_.lock()) store->Leave(chunk_);
}

void EventWriter::Exchange() { chunk_ = store_.lock()->Exchange(chunk_); }

}  // namespace workbench
