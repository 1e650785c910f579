/** Requests that arrive on one connection without awaiting answers. */
import assert from "node:assert/strict";
import { createServer, get, type RequestListener, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { paced } from "../../src/http/pipeline.ts";

async function listen(t: TestContext, handle: RequestListener): Promise<number> {
  const server = paced(handle, createServer).listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

/** Writes the text at once, and resolves with all that came when `isComplete` says so. */
function send(port: number, text: string, isComplete: (got: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (data: string) => {
      got += data;
      if (isComplete(got)) socket.destroy();
    });
    socket.on("close", () => resolve(got)).on("error", reject);
  });
}

/** Once it has not changed for many turns of the loop. */
async function settled(count: () => number): Promise<number> {
  let seen = -1;
  for (let quiet = 0; quiet < 200; await new Promise(setImmediate)) {
    quiet = count() > 0 && count() === seen ? quiet + 1 : 0;
    seen = count();
  }
  return seen;
}

const countOf = (got: string) => got.split("HTTP/1.1 200").length - 1;
const request = (path: string | number) => `GET /${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

test("pipelined requests are handled one at a time, and answered in their order", async (t) => {
  let [open, most] = [0, 0];
  const port = await listen(t, (asked, answer) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      answer.end(`<${asked.url}>`);
    });
  });
  const count = 1_000;
  const got = await send(port, Array.from({ length: count }, (_, at) => request(at)).join(""), (all) =>
    all.endsWith(`</${count - 1}>`),
  );
  assert.equal(most, 1);
  assert.deepEqual(
    got.match(/<\/\d+>/g),
    Array.from({ length: count }, (_, at) => `</${at}>`),
  );
});

test("a request is answered while eight connections pipeline, after few other requests", async (t) => {
  let handled = 0;
  const port = await listen(t, (_, answer) => {
    handled += 1;
    answer.end("done");
  });
  const flood = request("flood").repeat(5_000);
  const sockets = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.resume().write(flood);
  while (handled < 100) await new Promise(setImmediate);
  for (let round = 0; round < 3; round++) {
    const before = handled;
    await new Promise((resolve) =>
      get({ port, agent: false }, (answer) => answer.resume().on("end", resolve)),
    );
    // Without pacing each connection has thousands of its requests handled in one turn.
    assert.ok(handled - before < 2_000, `${handled - before} of others came first`);
  }
});

test("bodies of any size pass, between other requests and alone", async (t) => {
  const port = await listen(t, (asked, answer) => {
    let bytes = 0;
    asked.on("data", (data: Buffer) => (bytes += data.length)).on("end", () => answer.end(`<${bytes}>`));
  });
  const post = (bytes: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n${"b".repeat(bytes)}`;
  const sizes = [0, 1, 1_023, 1_024, 100_000, 3, 500_000, 0, 70_000];
  const got = await send(
    port,
    sizes.map(post).join(""),
    (all) => countOf(all) === sizes.length && all.endsWith(">"),
  );
  assert.deepEqual(
    got.match(/<\d+>/g),
    sizes.map((bytes) => `<${bytes}>`),
  );
});

test("a body is parsed as it arrives, with a length or in chunks, not a slice in a turn", async (t) => {
  const pieces: number[] = [];
  const port = await listen(t, (asked, answer) => {
    asked.on("data", (data: Buffer) => pieces.push(data.length)).on("end", () => answer.end("done"));
  });
  const bytes = 1_000_000;
  const body = "b".repeat(bytes);
  for (const framed of [
    `content-length: ${bytes}\r\n\r\n${body}`,
    `transfer-encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    pieces.length = 0;
    await send(port, `POST / HTTP/1.1\r\nhost: x\r\n${framed}`, (all) => all.endsWith("done"));
    assert.equal(
      pieces.reduce((sum, length) => sum + length, 0),
      bytes,
    );
    assert.ok(pieces.length < 200, `${pieces.length} pieces`);
  }
});

test("requests behind a body are sliced", async (t) => {
  let [open, most] = [0, 0];
  const port = await listen(t, (asked, answer) => {
    open += 1;
    most = Math.max(most, open);
    asked.resume().on("end", () => {
      open -= 1;
      answer.end(`<${asked.url}>`);
    });
  });
  const post = `POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 30000\r\n\r\n${"b".repeat(30_000)}`;
  const got = await send(port, post + request("late").repeat(300) + request("last"), (all) =>
    all.endsWith("</last>"),
  );
  assert.equal(most, 1);
  assert.equal(got.match(/<\/\w+>/g)!.length, 302);
});

test("a client that takes no answers is read no further", async (t) => {
  let handled = 0;
  const port = await listen(t, (_, answer) => {
    handled += 1;
    answer.end("x".repeat(10_000));
  });
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  t.after(() => void socket.destroy());
  socket.pause().write(request("deaf").repeat(20_000));
  const seen = await settled(() => handled);
  assert.ok(seen < 5_000, `${seen} were handled`);
  // It goes on when the client does.
  socket.resume();
  while (handled < seen + 1_000) await new Promise(setImmediate);
});

test("a client that half-closes gets all its answers, and then the connection ends", async (t) => {
  const port = await listen(t, (asked, answer) => {
    setImmediate(() => answer.end(`<${asked.url}>`));
  });
  for (const count of [1, 2, 500]) {
    const paths = Array.from({ length: count }, (_, at) => at);
    const got = await new Promise<string>((resolve, reject) => {
      let all = "";
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.setEncoding("utf8").on("data", (data: string) => (all += data));
      socket.on("end", () => {
        socket.destroy();
        resolve(all);
      });
      socket.on("error", reject).end(paths.map(request).join(""));
    });
    assert.deepEqual(
      got.match(/<\/\d+>/g),
      paths.map((at) => `</${at}>`),
    );
  }
});

test("what waits behind a request whose client has gone is not handled", async (t) => {
  const handled: string[] = [];
  let first: ServerResponse | null = null;
  const port = await listen(t, (asked, answer) => {
    handled.push(asked.url!);
    first ??= answer;
  });
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(request("a") + request("b"));
  while (first === null) await new Promise(setImmediate);
  const gone = new Promise((resolve) => (first as ServerResponse).once("close", resolve));
  socket.resetAndDestroy();
  await gone;
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.deepEqual(handled, ["/a"]);
});

test("a client that closes without awaiting answers is found gone by the first of them", async (t) => {
  const count = 5_000;
  let handled = 0;
  const port = await listen(t, (_, answer) => {
    handled += 1;
    setImmediate(() => answer.end("late"));
  });
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(request("a").repeat(count), () => socket.destroy());
  assert.ok((await settled(() => handled)) < count / 10, `${handled} were handled`);
});

test("what is no HTTP after a good request is answered with 400", async (t) => {
  const port = await listen(t, (_, answer) => void setImmediate(() => answer.end("good")));
  const got = await send(port, `${request("a")}${"nonsense\r\n".repeat(300)}`, () => false);
  assert.match(got, /400 Bad Request/);
});
