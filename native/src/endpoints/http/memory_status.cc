// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/memory_status.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace workbench {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void Write(const SharedMemoryRegion& region, Writer* writer) {
  writer->StartObject();
  writer->Key("name");
  writer->String(region.name().c_str());
  if (region.kind() == SharedMemoryKind::kSystem) {
    writer->Key("key");
    writer->String(region.key().c_str());
    writer->Key("offset");
    writer->Uint64(region.offset());
  } else {
    writer->Key("device_id");
    writer->Int64(region.device_id());
  }
  writer->Key("byte_size");
  writer->Uint64(region.byte_size());
  writer->EndObject();
}

}  // namespace

HttpReply MemoryStatus(const SharedMemory& memory, SharedMemoryKind kind, const std::string& name) {
  const auto regions = memory.Regions(kind, name);
  if (!regions.ok()) return ErrorReply(regions.status());
  rapidjson::StringBuffer text;
  Writer writer(text);
  writer.StartArray();
  for (const auto& [region_name, region] : regions.value()) Write(*region, &writer);
  writer.EndArray();
  return JsonReply(text.GetString());
}

}  // namespace workbench
