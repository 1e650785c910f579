/** Eight connections that send requests as fast as they can, without a good key and without awaiting answers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { test } from "node:test";

import { realClock } from "../support/real-clock.ts";
import { makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

const ROUND_MS = 2_000;
const PAUSE_MS = 5;
/** A calm reader waits 1 to 10 ms on a machine that runs other tests. */
const CALM_MS_MIN = 10;

/** In a process of its own, so that it takes no time of the reader's. */
const ATTACK = `
  const [port, text] = process.argv.slice(1);
  const chunk = Buffer.from(text.repeat(Math.ceil(65536 / text.length)));
  for (let count = 0; count < 8; count++) {
    const socket = require("node:net").connect(Number(port), "127.0.0.1").resume();
    const write = () => { while (socket.write(chunk)); };
    socket.on("connect", write).on("drain", write).on("error", () => undefined);
  }
  console.log("attacking");
  setTimeout(() => process.exit(), 30_000);
`;

const kinds = {
  "without a key": ["/tracking/v1/webhooks", ""],
  "with a forged key": ["/tracking/v1/webhooks", `authorization: Bearer tracking_${"0".repeat(36)}\r\n`],
  "for an unknown path": ["/nothing", ""],
  "for the reference page": ["/tracking/docs/", "accept-encoding: gzip\r\n"],
} as const;

for (const [what, [path, headers]] of Object.entries(kinds)) {
  test(`a reader hardly notices eight connections that pipeline requests ${what}`, async (t) => {
    const receiver = await startReceiver(t);
    const service = await serve(t, { BOATHOOK_DATA_DIR: folder, BOATHOOK_RATE_LIMIT_PER_KEY: "1000000" });
    const { key } = await newClient(service, operatorToken(folder), receiver);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const read = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const startedMs = realClock.monotonicMs();
        const options = { agent, headers: { authorization: `Bearer ${key}` } };
        request(`${service.publicUrl}/tracking/v1/webhooks`, options, (answer) => {
          assert.equal(answer.statusCode, 200);
          answer.resume().on("end", () => resolve(realClock.monotonicMs() - startedMs));
        })
          .on("error", reject)
          .end();
      });
    async function medianMs(): Promise<number> {
      const untilMs = realClock.monotonicMs() + ROUND_MS;
      const waits: number[] = [];
      while (realClock.monotonicMs() < untilMs) {
        waits.push(await read());
        await new Promise<void>((resolve) => void realClock.after(PAUSE_MS, resolve));
      }
      return waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]!;
    }
    await medianMs();
    const calmMs = await medianMs();
    const text = `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
    const attacker = spawn(process.execPath, ["-e", ATTACK, new URL(service.publicUrl).port, text]);
    t.after(() => void attacker.kill("SIGKILL"));
    let said = "";
    attacker.stdout.on("data", (data: Buffer) => (said += data.toString()));
    await until(() => said !== "", "the attack begins");
    const attackedMs = await medianMs();
    t.diagnostic(`calm ${calmMs.toFixed(1)} ms, attacked ${attackedMs.toFixed(1)} ms`);
    assert.ok(attackedMs < 5 * Math.max(calmMs, CALM_MS_MIN), `${calmMs} became ${attackedMs} ms`);
  });
}
