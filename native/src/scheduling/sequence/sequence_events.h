// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the log tells of requests of sequences: whose they are, where they stand in it, and why they waited.
#pragma once

#include "events/event_sink.h"
#include "scheduling/scheduler.h"

namespace workbench {

// Of each request of a batch that left the slots just now, and of a text that a sequence is called by with
// the first of its requests. No lock is held. REQUIRES: the requests are out, and none of them is a null
// request.
void AppendSequenceEvents(const Batch& batch, uint32_t instance, uint16_t model_number, EventSink* events);

}  // namespace workbench
