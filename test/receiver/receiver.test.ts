import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Delivery } from "../../packages/receiver/src/delivery.ts";
import {
  createReceiver,
  HANDLING_MS_MAX,
  type ReceiverOptions,
} from "../../packages/receiver/src/receiver.ts";
import { memorySeen, type SeenStore } from "../../packages/receiver/src/seen.ts";
import { movedClock } from "./clock.ts";
import { OTHER_SECRET, SECRET, send, type Sent } from "./sender.ts";

/** A receiver whose work ends when, and as, the test says. */
function harness(options: Partial<ReceiverOptions> = {}) {
  const clock = movedClock();
  const works: { readonly delivery: Delivery; readonly end: (error?: Error) => void }[] = [];
  const errors: unknown[] = [];
  const receiver = createReceiver({
    secret: SECRET,
    clock,
    onDelivery: (delivery) =>
      new Promise<void>((resolve, reject) => {
        works.push({ delivery, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    onError: (error) => errors.push(error),
    ...options,
  });
  const post = async (sent: Sent): Promise<number> =>
    (await receiver.receive("POST", sent.headers, sent.body)).status;
  return { receiver, clock, works, errors, post };
}

/** Lets everything that is ready to run, run. */
async function settleDown(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a receiver", () => {
  it("answers 204 only after the work is done", async () => {
    const { works, post } = harness();
    let status: number | null = null;
    const answered = post(send()).then((value) => (status = value));
    await settleDown();
    assert.equal(works.length, 1);
    assert.equal(status, null);
    works[0]?.end();
    assert.equal(await answered, 204);
  });

  it("hands over the delivery with its product and the bytes that were signed", async () => {
    const contexts: unknown[] = [];
    const sent = send({ product: "Air" });
    const { post } = harness({ onDelivery: (_delivery, context) => void contexts.push(context) });
    assert.equal(await post(sent), 204);
    assert.deepEqual(contexts, [{ product: "air", rawBody: new TextEncoder().encode(sent.body) }]);
  });

  // spec 5.1: replay; 6.1: at_least_once; 2.3: id
  it("answers a duplicate without doing the work again", async () => {
    const { works, post } = harness();
    const sent = send();
    const first = post(sent);
    await settleDown();
    works[0]?.end();
    assert.equal(await first, 204);
    assert.equal(await post(sent), 204);
    assert.equal(works.length, 1);
  });

  it("does the work of concurrent duplicates once, and gives all of them its outcome", async () => {
    for (const [error, status] of [
      [undefined, 204],
      [new Error("no"), 500],
    ] as const) {
      const { works, post } = harness();
      const sent = send();
      const answers = [post(sent), post(sent), post(sent)];
      await settleDown();
      assert.equal(works.length, 1);
      works[0]?.end(error);
      assert.deepEqual(await Promise.all(answers), [status, status, status]);
    }
  });

  it("forgets a delivery whose work failed, so that the retry is worked on", async () => {
    const { works, errors, post } = harness();
    const sent = send();
    const first = post(sent);
    await settleDown();
    works[0]?.end(new Error("the disk is full"));
    assert.equal(await first, 500);
    assert.match(String(errors[0]), /disk is full/);
    const second = post(sent);
    await settleDown();
    works[1]?.end();
    assert.equal(await second, 204);
  });

  it("treats work that throws at once like work that fails later", async () => {
    const { errors, post } = harness({
      onDelivery: () => {
        throw new Error("at once");
      },
    });
    assert.equal(await post(send()), 500);
    assert.equal(errors.length, 1);
  });

  it("gives up on work that takes too long, and works on the retry", async () => {
    const { works, errors, clock, post } = harness();
    const sent = send();
    const first = post(sent);
    await settleDown();
    clock.advance(HANDLING_MS_MAX);
    assert.equal(await first, 500);
    assert.match(String(errors[0]), /longer than 30000 ms/);
    const second = post(sent);
    await settleDown();
    assert.equal(works.length, 2);
    works[1]?.end();
    assert.equal(await second, 204);
  });

  it("remembers work that ended well although it was too slow", async () => {
    const { works, clock, post } = harness();
    const sent = send();
    const first = post(sent);
    await settleDown();
    clock.advance(HANDLING_MS_MAX);
    assert.equal(await first, 500);
    works[0]?.end();
    await settleDown();
    assert.equal(await post(sent), 204);
    assert.equal(works.length, 1);
  });

  it("answers 409 while another process works on the same delivery, and 204 once it has", async () => {
    const seen = memorySeen();
    const one = harness({ seen });
    const other = harness({ seen });
    const sent = send();
    const first = one.post(sent);
    await settleDown();
    assert.equal(await other.post(sent), 409);
    one.works[0]?.end();
    assert.equal(await first, 204);
    assert.equal(await other.post(sent), 204);
    assert.equal(other.works.length, 0);
  });

  it("waits for a store that is slow", async () => {
    const inner = memorySeen();
    const seen: SeenStore = {
      claim: async (id, leaseMs) => (await settleDown(), inner.claim(id, leaseMs)),
      complete: async (id) => (await settleDown(), inner.complete(id)),
      release: async (id) => (await settleDown(), inner.release(id)),
    };
    let handled = 0;
    const { post } = harness({ seen, onDelivery: () => void (handled += 1) });
    const sent = send();
    assert.deepEqual(await Promise.all([post(sent), post(sent)]), [204, 204]);
    assert.equal(await post(sent), 204);
    assert.equal(handled, 1);
  });

  it("answers 500 and does nothing when the store cannot be asked", async () => {
    const down = () => Promise.reject(new Error("store down"));
    const { works, errors, post } = harness({ seen: { claim: down, complete: down, release: down } });
    assert.equal(await post(send()), 500);
    assert.equal(works.length, 0);
    assert.match(String(errors[0]), /store down/);
  });

  it("tells of work that failed even when the store cannot forget it", async () => {
    const seen: SeenStore = {
      claim: () => "claimed",
      complete: () => {},
      release: () => Promise.reject(new Error("store down")),
    };
    const { errors, post } = harness({ seen, onDelivery: () => Promise.reject(new Error("disk full")) });
    assert.equal(await post(send()), 500);
    assert.deepEqual(errors.map(String), ["Error: disk full", "Error: store down"]);
  });

  it("answers 204 for work that is done although the store cannot note it", async () => {
    const seen: SeenStore = {
      claim: () => "claimed",
      complete: () => Promise.reject(new Error("store down")),
      release: () => {},
    };
    const { errors, post } = harness({ seen, onDelivery: () => {} });
    assert.equal(await post(send()), 204);
    assert.match(String(errors[0]), /store down/);
  });

  it("refuses with the status that fits, tells onRejection, and does no work", async () => {
    const refused: string[] = [];
    const { receiver, works } = harness({
      bodyBytesMax: 1_000,
      onRejection: (rejection, { rawBody }) => refused.push(`${rejection.reason} ${rawBody.byteLength}`),
    });
    const { body, headers } = send();
    const wrong = send({ secret: OTHER_SECRET });
    const statusOf = async (...request: Parameters<typeof receiver.receive>): Promise<number> =>
      (await receiver.receive(...request)).status;
    assert.equal(await statusOf("GET", headers, body), 405);
    assert.equal(await statusOf("POST", {}, body), 400);
    assert.equal(await statusOf("POST", wrong.headers, wrong.body), 401);
    assert.equal(await statusOf("POST", headers, body.padEnd(1_001)), 413);
    assert.deepEqual(refused, [
      `missing_header ${body.length}`,
      `wrong_signature ${wrong.body.length}`,
      "body_too_large 1001",
    ]);
    assert.equal(works.length, 0);
  });

  it("survives hooks that throw", async (t) => {
    const logged = t.mock.method(console, "error", () => {});
    const broken = (): never => {
      throw new Error("broken hook");
    };
    const { receiver, post } = harness({ onRejection: broken, onError: broken, onDelivery: broken });
    assert.equal((await receiver.receive("POST", {}, "")).status, 500);
    assert.equal(await post(send()), 500);
    assert.equal(logged.mock.callCount(), 2);
  });

  it("says on the console what failed, unless it is told where else", async (t) => {
    const logged = t.mock.method(console, "error", () => {});
    const receiver = createReceiver({ secret: SECRET, onDelivery: () => Promise.reject(new Error("no")) });
    const { headers, body } = send();
    assert.equal((await receiver.receive("POST", headers, body)).status, 500);
    assert.equal(logged.mock.callCount(), 1);
  });

  it("is not made without a secret", () => {
    for (const secret of ["", [], undefined as unknown as string]) {
      assert.throws(() => createReceiver({ secret, onDelivery: () => {} }), { name: "TypeError" });
    }
  });
});
