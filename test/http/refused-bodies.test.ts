/** Bodies that are too large, from clients that send all of them before they read: as nginx does. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";

import { createCaller, startService } from "../support/service.ts";

const BODY = JSON.stringify("x".repeat(70_000));

test("a body that is too large is refused once it was sent, not while a proxy still sends it", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  await service.api.listen({ host: "127.0.0.1", port: 0 });
  const { key } = await createCaller(service, "tracking");
  const { port } = service.api.server.address() as AddressInfo;
  let got = "";
  const socket = connect(port, "127.0.0.1").on("data", (data) => (got += data.toString()));
  socket.write(
    `POST /tracking/v1/webhooks HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${BODY.length}\r\n\r\n${BODY.slice(0, 10)}`,
  );
  // As many others are answered as it takes for an early answer to arrive.
  for (let others = 0; others < 20; others += 1)
    await (await fetch(`http://127.0.0.1:${port}/tracking/openapi.json`)).arrayBuffer();
  assert.equal(got, "");
  socket.write(BODY.slice(10));
  await once(socket, "end");
  assert.match(got, /^HTTP\/1\.1 413 /);
});
