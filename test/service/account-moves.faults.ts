/** Accounts that move under load, while the command is killed again and again: the receiver's book tells. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { run, settingsFor } from "../cli/run.ts";
import { noCitus, startCitus } from "../support/citus.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { realClock } from "../support/real-clock.ts";
import { ask, makeDataFolder, operatorToken, serve, start, until, type Settings } from "./boathook.ts";
import { newClient, startReceiver, type Arrival } from "./client.ts";

const TOKEN = "the-operator-of-this-test";
const WAIT_MS = 400;
/** The command takes about so long to start. */
const KILLED_AFTER_MS = [700, 1_000, 1_400, 1_900, 2_500, 4_000] as const;

const sleep = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve));

type Book = { readonly atMs: number; readonly status: number };

async function moveUnderLoad(t: TestContext, settings: Settings): Promise<void> {
  const receiver = await startReceiver(t);
  const all = {
    ...receiver.settings,
    ...settings,
    BOATHOOK_CELLS: "2",
    BOATHOOK_RETRY_WAITS: Array.from({ length: 5 }, () => `${WAIT_MS}ms`).join(),
    BOATHOOK_SWEEP_INTERVAL: "1s",
    // After a fence all that is due again is what is to fail twice: twenty in a row, and the endpoint would be disabled.
    BOATHOOK_DISABLE_AFTER_FAILURES: "1000",
  };
  const services = [await serve(t, all), await serve(t, all)] as const;
  const token = settings["BOATHOOK_OPERATOR_TOKEN"] ?? operatorToken(settings["BOATHOOK_DATA_DIR"]!);
  const client = await newClient(services[0], token, receiver);
  const endpoint = await client.register(services[0], "rates", "a");
  await client.register(services[1], "rates", "b");
  const other = await newClient(services[0], token, receiver);
  await other.register(services[0], "rates", "other");

  const book = new Map<string, Book[]>();
  receiver.behave(({ id }: Arrival) => {
    const attempts = book.get(id) ?? [];
    // A third fails twice.
    const status = attempts.length < 2 && Number.parseInt(id.slice(-1), 16) % 3 === 0 ? 500 : 204;
    book.set(id, [...attempts, { atMs: realClock.monotonicMs(), status }]);
    return status;
  });

  const accepted: number[] = [];
  const refused = { moving: 0, other: 0 };
  let isOver = false;
  const raising = async (accountId: string, counts: boolean) => {
    for (let number = 0; !isOver; number += 1) {
      const event = {
        ...{ product: "rates", account_id: accountId, type: "index_refreshed", dedup_key: `n ${number}` },
        data: { index_id: "europe", dated: "2026-10-30", value: "1042.17", number },
      };
      // Until it is accepted: an answer may have been lost, and the key tells.
      for (;;) {
        const { status } = await ask("POST", `${services[number % 2]!.opsUrl}/v1/events`, token, {
          events: [event],
        });
        if (status === 202) break;
        assert.equal(status, 503);
        refused[counts ? "moving" : "other"] += 1;
        await sleep(50);
      }
      if (counts) accepted.push(number);
      await sleep(5);
    }
  };
  const load = Promise.all([raising(client.accountId, true), raising(other.accountId, false)]);
  await until(() => accepted.length > 50, "load");

  const moveTo = (cell: number) => ["accounts", "move", client.accountId, String(cell), "--json"];
  let runs = 0;
  for (const killedMs of KILLED_AFTER_MS) {
    const command = start(t, moveTo(1), all);
    await sleep(killedMs);
    command.signal("SIGKILL");
    if ((await command.ended) === 0) break;
    runs += 1;
  }
  const last = await run(moveTo(1), { environment: all });
  assert.ok(last.status === 0 || /lives in cell 1 already/.test(last.err), last.err);
  const back = await run(moveTo(0), { environment: all });
  assert.equal(back.status, 0, back.err);
  const { closed_ms: closedMs } = JSON.parse(back.out) as { closed_ms: number };
  isOver = true;
  await load;

  const delivered = () =>
    [...book.values()].filter((attempts) => attempts.some((attempt) => attempt.status === 204)).length;
  const numbersAt = (path: string) =>
    new Map(
      receiver.arrivals
        .filter((arrival) => arrival.path === path)
        .map(({ id, data }) => [id, data.number as number]),
    );
  await until(
    () => numbersAt("a").size >= accepted.length && delivered() === book.size,
    "all arrive",
    60_000,
  );
  for (const path of ["a", "b"]) {
    const numbers = [...numbersAt(path).values()].toSorted((one, two) => one - two);
    assert.deepEqual(numbers, accepted, `${path} gets every event, each as one delivery`);
  }
  let doubled = 0;
  for (const [id, attempts] of book) {
    for (const [index, { atMs }] of attempts.slice(1).entries()) {
      const before = attempts[index]!;
      if (before.status === 204) doubled += 1;
      else assert.ok(atMs - before.atMs >= WAIT_MS - 5, `${id}: an attempt after ${atMs - before.atMs} ms`);
    }
  }
  const { body } = await ask("GET", `${services[1].publicUrl}/rates/v1/webhooks/${endpoint}`, client.key);
  assert.deepEqual([body.data.active, body.data.recent_deliveries.length], [true, 20]);
  assert.equal(refused.other, 0, "an account that stays is never refused");
  assert.deepEqual(receiver.wrong, []);
  t.diagnostic(
    `${runs} commands killed; ${accepted.length} events, ${refused.moving} refused for a while, ` +
      `${doubled} of ${book.size} deliveries sent twice; closed for ${closedMs} ms`,
  );
  assert.equal(doubled, 0, "nothing that was delivered is sent again: no node was killed");
  for (const service of services) {
    await service.stop();
  }
}

const EXTERNAL = {
  BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
  BOATHOOK_OPERATOR_TOKEN: TOKEN,
};

type PrivatePostgres = Awaited<ReturnType<typeof startPrivatePostgres>>;

const urlOf = (postgres: PrivatePostgres) =>
  settingsFor({ address: postgres.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;

describe("an account under load loses nothing, and nothing comes early or twice", () => {
  test("between two cells of one server", (t) =>
    moveUnderLoad(t, { BOATHOOK_DATA_DIR: makeDataFolder({ withDatabase: true }) }));

  test("between two servers", async (t) => {
    const postgres = [await startPrivatePostgres(), await startPrivatePostgres()] as const;
    t.after(() => Promise.all(postgres.map((one) => one.stop())));
    await moveUnderLoad(t, {
      ...EXTERNAL,
      BOATHOOK_DATA_DIR: makeDataFolder(),
      BOATHOOK_DATABASE_URL: urlOf(postgres[0]),
      BOATHOOK_SERVERS: `other=${urlOf(postgres[1])}`,
    });
  });

  test("between two workers of Citus", { skip: noCitus() }, async (t) => {
    const cluster = await startCitus();
    t.after(() => cluster.stop());
    const { coordinator } = await cluster.createDatabase("moving");
    assert.ok("url" in coordinator);
    await moveUnderLoad(t, {
      ...EXTERNAL,
      BOATHOOK_DATA_DIR: makeDataFolder(),
      BOATHOOK_DATABASE_URL: coordinator.url,
    });
  });
});
