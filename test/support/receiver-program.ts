/** A client's own programs: what makes a receiver, and the receiver as a process. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import type { TestContext } from "node:test";

import { until } from "../service/boathook.ts";
import type { Arrival } from "../service/client.ts";

export type Command = readonly [string, ...string[]];

/** Where it runs. */
export type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

/** It takes minutes to compile Go's libraries for the first time, and the service must answer in that time. */
export async function runIn(place: Place, [program, ...words]: Command): Promise<string> {
  const child = spawn(program, words, { ...place, stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [status] = (await once(child, "close")) as [number | null];
  assert.equal(status, 0, (await said).join("\n"));
  return (await said)[0];
}

/** One that writes its port first, for as long as the test runs. */
export async function startReceiverProgram(t: TestContext, place: Place, [program, ...words]: Command) {
  const child = spawn(program, words, { ...place, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  await until(() => said.includes("\n") || child.exitCode !== null, "the receiver listens");
  const url = `http://127.0.0.1:${Number.parseInt(said, 10)}/webhooks`;

  /** Twice, the second time as a duplicate, and once with a byte added. Returns its statuses. */
  async function forward({ headers: given, body }: Arrival["received"]): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (const sent of [body, body, Buffer.concat([body, Buffer.from(" ")])]) {
      const headers = { ...given, "content-length": String(sent.length) };
      statuses.push((await fetch(url, { method: "POST", body: sent, headers })).status);
    }
    return statuses;
  }
  return { forward, said: () => said };
}
