// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mail } from "../../../workbench/views/static/mail.js";

/** A page with a model for each uid. */
function page(...uids) {
  const clock = { at: 0 };
  const mail = new Mail(() => clock.at);
  const taken = [];
  const hidden = new Set();
  const models = uids.map((uid) => {
    const model = { sent: [], get: () => uid, on: (_, listener) => (model.tell = listener), send: (content) => model.sent.push(content) };
    mail.open(model, (header, buffers) => {
      taken.push([uid, header.seq, buffers]);
      mail.frame(uid, header.seq, hidden.has(uid));
    });
    return model;
  });
  return { clock, mail, taken, hidden, models };
}

test("a message that carries frames of several views hands each to its own", () => {
  const { models, taken } = page("a", "b");
  const parts = [{ uid: "b", count: 2, header: { seq: 7 } }, { uid: "gone", count: 1, header: {} }, { uid: "a", count: 1, header: { seq: 3 } }];
  models[0].tell({ kind: "several", parts }, [1, 2, 3, 4]);
  assert.deepEqual(taken, [["b", 7, [1, 2]], ["a", 3, [4]]]);
});

test("one answer a second goes back for all views", () => {
  const { clock, models } = page("a", "b");
  for (let i = 1; i <= 60; i++) {
    clock.at = i * 33;
    for (const model of models) model.tell({ seq: i }, []);
  }
  const answers = models.flatMap(({ sent }) => sent);
  assert.equal(answers.length, 3);
  const both = answers.filter(({ frames }) => frames.length === 2);
  assert.deepEqual(both.map(({ frames }) => frames.map(([uid]) => uid).sort()), [["a", "b"]]);
  assert.ok(both[0].frames.every(([, seq]) => seq > 30));
});

test("that nobody looks any more, or somebody looks again, is told at once", () => {
  const { clock, models, hidden } = page("a");
  models[0].tell({ seq: 1 }, []);
  clock.at = 10;
  hidden.add("a");
  models[0].tell({ seq: 2 }, []);
  models[0].tell({ seq: 3 }, []);
  hidden.clear();
  models[0].tell({ seq: 4 }, []);
  assert.deepEqual(models[0].sent.map(({ frames }) => frames[0]), [["a", 1, false], ["a", 2, true], ["a", 4, false]]);
});

test("a model that is gone takes nothing any more", () => {
  const { mail, models, taken } = page("a", "b");
  mail.close(models[1]);
  models[0].tell({ kind: "several", parts: [{ uid: "b", count: 0, header: { seq: 1 } }] }, []);
  assert.deepEqual(taken, []);
});
