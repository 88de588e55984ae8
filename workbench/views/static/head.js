// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Name, configuration and the sentence: what is slow and why, or what to do where there is no news.

const BUTTONS = 260;

/** @param {string | null} words what stands in place of the sentence */
export function drawHead(pen, layout, store, words, canvas) {
  const facts = store.totals?.facts;
  const room = layout.width - 2 * layout.pad - BUTTONS;
  const used = facts ? pen.text(facts.name, layout.pad, 20, { size: 15, weight: 600, colour: pen.theme.ink, most: Math.max(room, 60) }) : 0;
  if (facts && room - used > 60) pen.text(facts.headline, layout.pad + used + 10, 20, { size: 12, colour: pen.theme.faint, most: room - used - 10 });
  const sentence = words ?? store.prediction?.words ?? sentenceOf(store);
  const isAlarm = !words && store.dropped > 0;
  pen.paragraph(sentence, layout.sentence, {
    size: 13, weight: 500, colour: isAlarm ? pen.palette.alarm : pen.theme.ink, lines: layout.sentence.h > 20 ? 2 : 1,
  });
  const label = `${facts?.name ?? "dashboard"}: ${sentence}`;
  if (canvas.getAttribute("aria-label") !== label) canvas.setAttribute("aria-label", label);
}

function sentenceOf({ totals, dropped }) {
  if (!dropped) return totals?.sentence ?? "";
  return `▲ ${dropped.toLocaleString("en")} events were lost: figures are too low. ${totals?.sentence ?? ""}`;
}
