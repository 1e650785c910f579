/** A page in the operator's browser cannot read the operator's listener by a name that it has pointed there. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ofSuite } from "../support/suite.ts";
import { send, startService } from "../support/service.ts";

const TAKEN = [
  ...["localhost", "localhost:8081", "127.0.0.1:8081", "10.1.2.3", "[::1]:8081", "[fe80::1]"],
  ...["boathook:8081", "ops.example.com", "OPS.example.com.:8081"],
];
const REFUSED = [
  ...["evil.example", "evil.example:8081", "127.0.0.1.evil.example", "example.com", "a b.c", "[x.y]:1"],
];

describe("the names of the operator's listener", () => {
  const service = ofSuite(() => startService({}, { opsHosts: ["ops.example.com"] }));

  const statusOf = async (host: string, url: string): Promise<number> =>
    (await send(service.ops, { method: "GET", url, headers: { host } })).status;

  test("an address, a name without a point, or one of the setting is taken", async () => {
    for (const host of TAKEN)
      for (const url of ["/", "/healthz", "/metrics"]) assert.equal(await statusOf(host, url), 200, host);
  });

  test("any other is refused on every path, health and metrics too, and the refusal names the setting", async () => {
    for (const host of REFUSED)
      for (const url of ["/", "/healthz", "/readyz", "/metrics", "/v1/accounts", "/nothing"])
        assert.equal(await statusOf(host, url), 400, `${host}${url}`);
    const { body } = await send(service.ops, { method: "GET", url: "/", headers: { host: "evil.example" } });
    assert.match(body.error.message, /BOATHOOK_OPS_HOSTS/);
  });
});
