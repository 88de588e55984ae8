// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

/** The configuration of what runs on a lane: of an ensemble's lane that of the step's model. */
export function laneFacts(facts, lane) {
  const own = facts.lanes?.[lane];
  return own ? { ...facts, ...own } : facts;
}
