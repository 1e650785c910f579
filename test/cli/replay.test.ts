import assert from "node:assert/strict";
import { test } from "node:test";

import { JOURNEYS_FOLDER } from "../../packages/simulator/src/replay/server.ts";
import { run } from "./run.ts";

/** Starts a replay, hands what it printed to `use`, and tells it to end. */
async function replaying(words: readonly string[], use: (out: string) => Promise<void>): Promise<number> {
  let end = () => {};
  const interrupted = new Promise<void>((resolve) => (end = resolve));
  let written = "";
  let complete = (_out: string) => {};
  const listening = new Promise<string>((resolve) => (complete = resolve));
  const running = run(["replay", ...words], {
    interrupted,
    onOut(text) {
      written += text;
      if (/Ctrl-C|\n\}\n$/.test(written)) complete(written);
    },
  });
  try {
    await use(await listening);
  } finally {
    end();
  }
  return (await running).status;
}

test("a folder of recordings answers as a carrier, and says what it can be asked for", async () => {
  const status = await replaying([JOURNEYS_FOLDER, "--speed", "1000000", "--json"], async (out) => {
    const said = JSON.parse(out) as { url: string; references: { parameter: string; value: string }[] };
    assert.ok(said.references.length >= 4);
    const { parameter, value } = said.references[0]!;
    const response = await fetch(`${said.url}/events?${parameter}=${value}`);
    assert.equal(response.status, 200);
    assert.ok(((await response.json()) as object[]).length > 0);
  });
  assert.equal(status, 0);
});

test("to a person it says how to name the carrier in the carriers file", async () => {
  await replaying([JOURNEYS_FOLDER], async (out) => {
    const [entry] = JSON.parse(/carriers file: (.*)/.exec(out)![1]!) as { scac: string; baseUrl: string }[];
    assert.equal(entry?.scac, "HRNL", "as in docs/tracking.md");
    assert.ok(out.includes(`answers at ${entry.baseUrl}/events`));
  });
});

test("one sentence says why a folder cannot be replayed, or shown by the demo, before anything starts", async () => {
  for (const folder of ["/nowhere", import.meta.dirname]) {
    const replayed = await run(["replay", folder]);
    assert.equal(replayed.status, 1);
    assert.match(replayed.err, new RegExp(`^${folder} cannot be replayed: .*\n$`));
    const shown = await run(["demo", "--recordings", folder]);
    assert.deepEqual([shown.status, shown.out], [2, ""]);
    assert.match(shown.err, new RegExp(`^${folder} (cannot be read|holds no recorded answers)`));
  }
});
