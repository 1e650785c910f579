/** Eight connections that send requests as fast as they can, without a good key and without awaiting answers. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";

import { startService, type TestService } from "../support/service.ts";

const CONNECTIONS = 8;
const READS = 5;
/** A turn of the event loop parses a slice of each connection's requests; an answer takes some turns. */
const PARSED_MAX = 1_000;

const kinds = {
  "without a key": ["/tracking/v1/webhooks", ""],
  "with a forged key": ["/tracking/v1/webhooks", `authorization: Bearer tracking_${"0".repeat(36)}\r\n`],
  "for an unknown path": ["/nothing", ""],
  "for the reference page": ["/tracking/docs/", "accept-encoding: gzip\r\n"],
} as const;

describe("a reader is answered after few others, while eight connections pipeline requests", () => {
  let service: TestService;
  let parsed = 0;
  before(async () => {
    service = await startService();
    await service.api.listen({ port: 0, host: "127.0.0.1" });
    service.api.server.on("request", () => (parsed += 1));
  });
  after(() => service.close());

  for (const [what, [path, headers]] of Object.entries(kinds)) {
    test(what, async (t) => {
      const { port } = service.api.server.address() as AddressInfo;
      const flood = `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(20_000);
      for (let opened = 0; opened < CONNECTIONS; opened++) {
        const socket = connect(port, "127.0.0.1").on("error", () => undefined);
        socket.resume().write(flood);
        t.after(() => void socket.destroy());
      }
      const start = parsed;
      while (parsed < start + 100) await new Promise(setImmediate);
      for (let read = 0; read < READS; read++) {
        const parsedBefore = parsed;
        const status = await new Promise((resolve, reject) => {
          get({ port, path: "/tracking/openapi.json", agent: false }, (answer) =>
            answer.resume().on("end", () => resolve(answer.statusCode)),
          ).on("error", reject);
        });
        assert.equal(status, 200);
        assert.ok(parsed - parsedBefore < PARSED_MAX, `${parsed - parsedBefore} of others came first`);
      }
    });
  }
});
