/** The simulator as somebody else installs it: packed, installed in an empty folder with its dependency, and run. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";

import { installPacked } from "../support/packed-package.ts";

/** Ends after the first output, as after Ctrl-C. */
const PROGRAM = `
import { JOURNEYS_FOLDER, nodeHost, replay, simulate } from "@boathook/simulator";

const worlds = { boxes: 50, waybills: 50, seed: 1, speed: 1000, port: 0, force: false, operator: null, track: null };
const run = (what) => new Promise((resolve, reject) => {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  const out = (text) => void ask(JSON.parse(text)).then(resolve, reject).finally(() => end("SIGINT"));
  what({ ...nodeHost(), out, untilSignal: () => ended }).catch(reject);
});
async function ask({ url, references: [first], air }) {
  if (first.parameter === undefined) return { carriers: (await fetch(\`\${url}/events\`)).status, waybills: air.waybills.length };
  const answer = await fetch(\`\${url}/events?\${first.parameter}=\${first.value}\`);
  return { replayed: (await answer.json()).length };
}
console.log(JSON.stringify({
  ...(await run((host) => replay({ folder: JOURNEYS_FOLDER, port: 0, speed: 1, json: true }, host))),
  ...(await run((host) => simulate({ ...worlds, json: true }, host))),
}));
`;

describe("the package", () => {
  let folder = "";

  before(() => {
    folder = installPacked("receiver", "simulator");
    writeFileSync(join(folder, "program.mjs"), PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("brings JavaScript, types, sources, journeys and licence, and the receiver as its only dependency", () => {
    const installed = join(folder, "node_modules/@boathook");
    assert.deepEqual(readdirSync(installed), ["receiver", "simulator"]);
    const names = readdirSync(join(installed, "simulator"));
    for (const name of ["LICENSE", "README.md", "dist", "journeys", "package.json", "src"])
      assert.ok(names.includes(name), name);
    assert.ok(readdirSync(join(installed, "simulator/dist")).includes("index.d.ts"));
  });

  it("serves its journeys and its worlds", async () => {
    const child = spawn(process.execPath, ["program.mjs"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit");
    const [answers, errors] = await Promise.all([json(child.stdout), text(child.stderr)]);
    assert.deepEqual(await ended, [0, null], errors);
    const { replayed, carriers, waybills } = answers as Record<string, number>;
    assert.ok(replayed! > 0);
    assert.equal(carriers, 404, "a carrier answers under its own path");
    assert.ok(waybills! > 0);
  });
});
