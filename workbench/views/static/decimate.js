// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Fewer blocks than batches: what is narrower than a few pixels becomes one block, and what is extreme stays itself.

const NARROW_PX = 2;
const BUCKET_PX = 3;
const EXTREMES = 24;
const FEW = 400;

/** @param {any[]} batches newest first @param {number} from_s @param {number} to_s @param {number} width pixels
 *  @returns {any[]} batches, and blocks with `merged` of those that stand too close, newest first */
export function decimate(batches, from_s, to_s, width) {
  const pixel_s = (to_s - from_s) / Math.max(width, 1);
  if (batches.length <= FEW) return batches;
  const extremes = new Set([...longest(batches, (b) => b.start - b.arrival), ...longest(batches, (b) => b.end - b.start)]);
  const single = [];
  const buckets = new Map();
  for (const batch of batches) {
    if (batch.end - batch.start >= NARROW_PX * pixel_s || extremes.has(batch)) single.push(batch);
    else {
      const key = `${batch.lane}/${Math.floor((batch.start - from_s) / (BUCKET_PX * pixel_s))}`;
      if (!buckets.has(key)) buckets.set(key, []);
      buckets.get(key).push(batch);
    }
  }
  const blocks = [...buckets.values()].map((members) => (members.length === 1 ? members[0] : merged(members)));
  return [...single, ...blocks].sort((a, b) => b.start - a.start);
}

function longest(batches, value) {
  return [...batches].sort((a, b) => value(b) - value(a)).slice(0, EXTREMES);
}

function merged(members) {
  const slowest = members.reduce((most, b) => (b.start - b.arrival > most.start - most.arrival ? b : most));
  const start = Math.min(...members.map((b) => b.start));
  const end = Math.max(...members.map((b) => b.end));
  const sum = (value) => members.reduce((total, b) => total + value(b), 0);
  return {
    ...slowest,
    start,
    end,
    merged: members.length,
    busy_share: Math.min(sum((b) => b.end - b.start) / Math.max(end - start, 1e-9), 1),
    rows: sum((b) => b.rows) / members.length,
    count: sum((b) => b.count),
    reason: mostFrequent(members.map((b) => b.reason)),
    longest_wait_s: slowest.start - slowest.arrival,
  };
}

function mostFrequent(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
