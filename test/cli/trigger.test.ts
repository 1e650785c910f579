/** What `trigger` asks a service for. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { run } from "./run.ts";
import { listening } from "./shell.ts";

const IDS = ["01a1fc9f-98f4-77f7-82bf-42bcc7b77f54", "01a1fc9f-98f4-77f7-82bf-42bcc7b77f55"] as const;

test("trigger sends the sample to all active endpoints, or to the one named, and names the ones that are off", async (t) => {
  const asked: string[] = [];
  const server = await listening(t, (request, response) => {
    void Array.fromAsync(request as AsyncIterable<Buffer>).then((chunks) => {
      const body = Buffer.concat(chunks).toString();
      asked.push(`${request.method} ${request.url} ${body} ${request.headers.authorization}`);
      const isRefused = body.includes("nothing");
      response.writeHead(isRefused ? 400 : 200).end(
        JSON.stringify(
          isRefused
            ? { error: { code: "INVALID_REQUEST", message: "body.event_type must be ping" } }
            : {
                data:
                  request.method === "GET"
                    ? [
                        { id: IDS[0], active: true, event_types: ["eta_changed"] },
                        { id: IDS[1], active: false, event_types: [], url: "https://off.example" },
                        { id: IDS[1], active: false, event_types: ["vessel_departed"], url: "https://other" },
                      ]
                    : { id: "d", event_type: "eta_changed" },
              },
        ),
      );
    });
  });
  const url = `${server}/tracking`;
  const at = ["--url", url, "--key", "k"];

  const all = await run(["trigger", "eta_changed", ...at]);
  assert.deepEqual([all.status, all.out], [0, `eta_changed d to endpoint ${IDS[0]}\n`], all.err);
  assert.equal(all.err, "not to https://off.example: it is off\n");
  assert.equal((await run(["trigger", "ping", ...at, "--endpoint", IDS[1]])).status, 0);
  const refused = await run(["trigger", "nothing", ...at, "--endpoint", IDS[1]]);
  assert.deepEqual(refused, {
    status: 1,
    out: "",
    err: `${url} answered 400: body.event_type must be ping.\n`,
  });
  assert.deepEqual(asked, [
    "GET /tracking/v1/webhooks?limit=100  Bearer k",
    `POST /tracking/v1/webhooks/${IDS[0]}/test {"event_type":"eta_changed"} Bearer k`,
    `POST /tracking/v1/webhooks/${IDS[1]}/test {} Bearer k`,
    `POST /tracking/v1/webhooks/${IDS[1]}/test {"event_type":"nothing"} Bearer k`,
  ]);
  const gone = await run(["trigger", "ping", "--url", "http://127.0.0.1:1/tracking", "--key", "k"]);
  assert.match(gone.err, /cannot be reached \(ECONNREFUSED\)/);
});
