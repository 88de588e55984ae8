// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Which request's wait lies nearest to a point, and which times lie between two.

const REACH_PX = 4;

/** @returns {[number, number]} the times under two places of the long axis, ascending */
export function timesOf(scene, { queue }, x1, x2) {
  const time = (x) => scene.from_s + ((x - queue.x) / queue.w) * (scene.to_s - scene.from_s);
  return x1 <= x2 ? [time(x1), time(x2)] : [time(x2), time(x1)];
}

/** @returns {{kind: "request", batch: any, arrival: number} | null} the wait whose line passes within a few pixels */
export function nearestRequest(scene, layout, x, y) {
  const lane = layout.lanes.findIndex((rect) => y >= rect.y - 1 && y < rect.y + rect.fan && x >= rect.x && x <= rect.x + rect.w);
  if (lane < 0) return null;
  const { y: top, fan } = layout.lanes[lane];
  const { wedge } = layout;
  const { from_s, to_s } = scene.slice;
  const place = (time_s) => wedge.x + ((time_s - from_s) / (to_s - from_s)) * wedge.w;
  const down = Math.min(Math.max((y - top) / fan, 0), 1);
  let best = { distance: REACH_PX, found: null };
  for (const batch of scene.batches) {
    if (batch.lane !== lane || batch.merged) continue;
    const foot = place(batch.start);
    for (const arrival of scene.arrivals.get(`${batch.lane}/${batch.batch}`) ?? []) {
      const at = place(arrival);
      const distance = Math.abs(at + down * (foot - at) - x);
      if (distance < best.distance) best = { distance, found: { kind: "request", batch, arrival } };
    }
  }
  return best.found;
}
