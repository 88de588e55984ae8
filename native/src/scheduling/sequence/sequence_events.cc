// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_events.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "scheduling/sequence/sequence.h"

namespace workbench {
namespace {

constexpr uint32_t kStart = 1;                       // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START
constexpr uint32_t kEnd = 2;                         // TRITONSERVER_REQUEST_FLAG_SEQUENCE_END
constexpr uint64_t kFirstOwnId = uint64_t{1} << 63;  // from here on the scheduler gives ids
constexpr size_t kPartSize = 4 * sizeof(uint64_t);   // start_ns to end_ns
constexpr size_t kLongestText = 4 * kPartSize;       // the protocol allows no longer ones

uint8_t BitOf(SequenceFlag flag) { return static_cast<uint8_t>(flag); }

uint64_t HashOf(std::string_view text) { return std::hash<std::string_view>()(text); }

uint8_t DetailOf(const InferenceRequest& request, const Sequence& sequence) {
  uint8_t detail = 0;
  if ((request.flags() & kStart) != 0) detail |= BitOf(SequenceFlag::kStart);
  if ((request.flags() & kEnd) != 0) detail |= BitOf(SequenceFlag::kEnd);
  if (!sequence.text.empty()) detail |= BitOf(SequenceFlag::kText);
  if (sequence.text.empty() && sequence.number > kFirstOwnId) detail |= BitOf(SequenceFlag::kOwnId);
  return detail;
}

void AppendName(const InferenceRequest& request, std::string_view text, uint16_t model_number,
                EventSink* events) {
  const size_t length = std::min(text.size(), kLongestText);
  for (size_t at = 0; at < length; at += kPartSize) {
    Event event;
    event.kind = EventKind::kSequenceName;
    event.arrival_ns = request.arrival_ns;
    event.id = HashOf(text);
    event.rows = static_cast<uint16_t>(at);
    event.count = static_cast<uint16_t>(length);
    event.model = model_number;
    uint64_t part[4] = {};
    std::memcpy(part, text.data() + at, std::min(kPartSize, length - at));
    event.start_ns = part[0];
    event.compute_start_ns = part[1];
    event.compute_end_ns = part[2];
    event.end_ns = part[3];
    events->Append(event);
  }
}

Event EventOf(const InferenceRequest& request, const Sequence& sequence) {
  Event event;
  event.kind = EventKind::kSequence;
  event.arrival_ns = request.arrival_ns;
  event.start_ns = sequence.text.empty() ? sequence.number : HashOf(sequence.text);
  event.compute_start_ns = sequence.slot_since_ns;
  event.compute_end_ns = sequence.done_ns;
  event.end_ns = std::max({request.arrival_ns, sequence.slot_since_ns, sequence.done_ns});
  event.id = request.serial();
  event.batch = sequence.begun - 1;
  event.rows = static_cast<uint16_t>(std::min(sequence.slot, 65535u));
  event.detail = DetailOf(request, sequence);
  return event;
}

}  // namespace

// What is read of a sequence stays as it is while one of its requests is out.
void AppendSequenceEvents(const Batch& batch, uint32_t instance, uint16_t model_number, EventSink* events) {
  for (const InferenceRequest* request : batch.requests) {
    if (request == nullptr) continue;
    const Sequence& sequence = *request->sequence;
    if (sequence.begun == 1 && !sequence.text.empty())
      AppendName(*request, sequence.text, model_number, events);
    Event event = EventOf(*request, sequence);
    event.model = model_number;
    event.instance = static_cast<uint8_t>(std::min(instance, 255u));
    events->Append(event);
  }
}

}  // namespace workbench
