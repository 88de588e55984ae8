// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../../workbench/views/static/layout.js";
import { spread } from "../../../workbench/views/static/strips.js";

const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test("nothing overlaps, at any width, for any number of instances and pools", () => {
  for (let width = 600; width <= 1600; width += 50) {
    for (const [lanes, pools] of [[1, 0], [2, 2], [4, 3], [8, 1], [16, 4]]) {
      const { sentence, tiles, queue, why, pools: poolRects, axis, wedge, lanes: laneRects, closeAxis } = layout(width, lanes, pools);
      const rects = [sentence, ...tiles, queue, why, ...poolRects, axis, wedge, ...laneRects, closeAxis];
      rects.forEach((a, i) => rects.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${width}: ${JSON.stringify([a, b])}`)));
    }
  }
});

test("everything stays inside the picture", () => {
  for (const width of [600, 859, 860, 1600]) {
    const all = layout(width, 16, 4);
    for (const rect of [...all.tiles, all.queue, ...all.pools, ...all.lanes, all.closeAxis]) {
      assert.ok(rect.x >= 0 && rect.x + rect.w <= width + 1e-9 && rect.y + rect.h <= all.height);
    }
  }
});

test("labels that would lie on each other are moved apart, in order and inside", () => {
  const placed = spread([{ y: 50, n: 1 }, { y: 52, n: 2 }, { y: 51, n: 3 }], 13, 0, 60);
  assert.deepEqual(placed.map(({ n }) => n), [1, 3, 2]);
  placed.slice(1).forEach(({ y }, i) => assert.ok(y - placed[i].y >= 13));
  assert.ok(placed[2].y <= 60);
});

test("queues by priority and an ensemble's requests have places of their own", () => {
  for (const width of [600, 1200]) {
    const all = layout(width, 4, 2, { levels: 4, hasRoots: true });
    const rects = [...all.tiles, all.queue, ...all.levels, all.why, ...all.pools, all.axis, all.wedge, all.roots, ...all.lanes, all.closeAxis];
    rects.forEach((a, i) => rects.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${width}: ${JSON.stringify([a, b])}`)));
    assert.ok(all.height > layout(width, 4, 2).height);
  }
  assert.equal(layout(1200, 4, 2).roots, null);
});
