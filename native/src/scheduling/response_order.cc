// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/response_order.h"

namespace workbench {

void ResponseOrder::Enroll(InferenceRequest* request) {
  auto slot = std::make_unique<Slot>();
  slot->order = shared_from_this();
  slot->delivery = request->delivery();
  ResponseDelivery delivery = request->delivery();
  delivery.complete = &ResponseOrder::OnResponse;
  delivery.userp = slot.get();
  request->set_delivery(delivery);
  MutexLock lock(&mutex_);
  slots_.push_back(std::move(slot));
}

void ResponseOrder::Withdraw(InferenceRequest* request) {
  auto* const slot = static_cast<Slot*>(request->delivery().userp);
  request->set_delivery(slot->delivery);
  MutexLock lock(&mutex_);
  slot->has_final = true;  // without an answer: whoever delivers passes it over
  if (is_delivering_) return;
  is_delivering_ = true;
  Deliver();
  is_delivering_ = false;
}

void ResponseOrder::OnResponse(InferenceResponse* response, uint32_t flags, void* userp) {
  auto* const slot = static_cast<Slot*>(userp);
  const std::shared_ptr<ResponseOrder> order = slot->order;  // the slot may be gone before this returns
  order->Hold(slot, response, flags);
}

void ResponseOrder::Hold(Slot* slot, InferenceResponse* response, uint32_t flags) {
  MutexLock lock(&mutex_);
  slot->held.emplace_back(response, flags);
  slot->has_final = slot->has_final || (flags & kResponseFinal) != 0;
  if (is_delivering_) return;
  is_delivering_ = true;
  Deliver();
  is_delivering_ = false;
}

void ResponseOrder::Deliver() {
  while (!slots_.empty()) {
    Slot& first = *slots_.front();
    if (!first.held.empty()) {
      const auto [response, flags] = first.held.front();
      first.held.pop_front();
      const ResponseDelivery delivery = first.delivery;
      mutex_.Unlock();
      delivery.complete(response, flags, delivery.userp);
      mutex_.Lock();
    } else if (first.has_final) {
      slots_.pop_front();
    } else {
      return;
    }
  }
}

}  // namespace workbench
