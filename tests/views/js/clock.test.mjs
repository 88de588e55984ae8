// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../../workbench/views/static/clock.js";

/** News every tenth of a second, each late by so many milliseconds. */
function told(...late_ms) {
  const clock = new Clock();
  late_ms.forEach((late, i) => clock.tell(100 + i / 10, i * 100 + late));
  return clock;
}

const isNear = (value, wanted, by = 1e-9) => assert.ok(Math.abs(value - wanted) < by, `${value} is not ${wanted}`);

test("between two news time goes on", () => {
  const clock = told(0);
  isNear(clock.at(0), 100);
  isNear(clock.at(50), 100.05);
});

test("news that come late do not hold it back", () => {
  const clock = told(0, 0, 60);
  isNear(clock.at(260), 100.26, 0.004);
});

test("it never runs back", () => {
  const clock = told(0, 80, 80, 80);
  let last = 0;
  for (let ms = 380; ms < 2_000; ms += 33) {
    if (ms % 100 < 33) clock.tell(100 + (ms - 90) / 1e3, ms);
    assert.ok(clock.at(ms) >= last);
    last = clock.at(ms);
  }
});

test("where no news come any more it stands soon", () => {
  isNear(told(0).at(5_000), 100.25);
});

test("a replay that is paused stands, and goes on from there", () => {
  const clock = told(0);
  clock.run(0, 50);
  isNear(clock.at(70), 100.05);
  clock.tell(100.05, 100);
  isNear(clock.at(5_000), 100.05);
  clock.run(2, 5_000);
  isNear(clock.at(5_050), 100.15);
});

test("a replay that jumps back begins anew", () => {
  const clock = told(0);
  clock.at(100);
  clock.tell(3, 200);
  isNear(clock.at(250), 3.05);
});

test("a picture stays behind by what it waits for the next news", () => {
  const clock = told(0);
  for (const bin_s of [0.02, 0.1, 0.6]) {
    // News bring each bin that is over 50 ms after its end; the next ones come a tenth later.
    const known_s = Math.floor((100 - 0.05) / bin_s) * bin_s;
    assert.ok(100 + 0.1 - clock.lag_s(bin_s) <= known_s + 1e-9);
  }
});
