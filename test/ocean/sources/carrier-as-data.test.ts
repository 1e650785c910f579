/** A carrier that differs from the standard wherever one may, added by its entry in the carriers file alone. */
import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { jwtVerify } from "jose";
import { Agent } from "undici";

import { createHttpPort } from "../../../src/freight/upstream/http.ts";
import {
  createCarrierClient,
  type CarrierClient,
} from "../../../src/products/ocean/sources/carrier-client.ts";
import { readCarriers, type Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { createAuthority, validAround } from "../../../src/runtime/certificates.ts";
import { DAY_MS } from "../../../src/runtime/durations.ts";
import { manualClock, type ManualClock } from "../../support/clock.ts";
import { realClock } from "../../support/real-clock.ts";
import { bodyOf } from "../../upstream/serving.ts";
import { lookAt } from "../life.ts";
import { outcome } from "./asking.ts";

const BOX = "APZU4812090";
const ACCOUNT = "0198c0de-0000-7000-8000-000000000001";

const moves = [
  ["GTIN", "ACT", "2026-03-01T08:00:00+09:00", { emptyIndicatorCode: "Laden", modeOfTransportCode: "3" }],
  ["LOAD", "ACT", "2026-03-03T08:00:00+09:00", { emptyIndicatorCode: "Laden", modeOfTransportCode: "1" }],
  ["DEPA", "ACT", "2026-03-03T20:00:00+09:00", { modeOfTransportCode: "1" }],
] as const;

function eventsOfBox(): readonly object[] {
  const common = { facilityTypeCode: "POTE", UNLocationCode: "JPYOK", facilityCode: "YOKMC" };
  const vessel = { transportReference: "9648714", transportLegReference: "014E" };
  const sailing = moves.map(([eventTypeCode, eventClassifierCode, eventDateTime, more]) => ({
    ...{ eventID: eventDateTime, eventTypeCode, eventClassifierCode, eventDateTime, equipmentReference: BOX },
    ...common,
    ...more,
    ...(more.modeOfTransportCode === "1" ? vessel : {}),
  }));
  const arrival = {
    ...{ ...sailing[2], UNLocationCode: "USOAK", eventTypeCode: "ARRI", eventClassifierCode: "EST" },
    ...{ eventID: "4", eventDateTime: "2026-03-15T06:00:00-07:00" },
  };
  return [...sailing, arrival];
}

type Scene = {
  readonly carrier: Carrier;
  readonly client: CarrierClient;
  readonly clock: ManualClock;
  /** Another client, for the carrier with other credentials. */
  with(more: Readonly<Record<string, unknown>>): {
    readonly carrier: Carrier;
    readonly client: CarrierClient;
  };
};

/** Its server asks for a token by signed assertion and a subscription key, and has two events a page. */
async function wren(work: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrier-"));
  const clock = manualClock();
  const authority = await createAuthority(clock.nowMs());
  const own = await authority.issue({ hosts: ["boathook"], ...validAround(clock.nowMs()) });
  const tls = await createAuthority(realClock.nowMs());
  const host = await tls.issue({ hosts: ["127.0.0.1"], ...validAround(realClock.nowMs()) });
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    return file;
  };
  const thumbprint = new X509Certificate(own.cert).fingerprint256.replaceAll(":", "").toLowerCase();
  const publicKey = createPublicKey(own.key);
  const server = createServer({ cert: host.cert, key: host.key }, (request, response) => {
    const url = new URL(request.url ?? "/", "https://wren");
    const answer = (status: number, body: unknown = {}): unknown =>
      response.writeHead(status).end(JSON.stringify(body));
    if (url.pathname === "/token") {
      void bodyOf(request).then(async (form) => {
        const assertion = new URLSearchParams(form).get("client_assertion") ?? "";
        const verified = await jwtVerify(assertion, publicKey, {
          audience: "https://login.wren.example/tenant",
          currentDate: new Date(clock.nowMs()),
        }).catch(() => null);
        const { kid, "x5t#S256": x5t = "" } = Object(verified?.protectedHeader) as Record<string, unknown>;
        const shown = Buffer.from(String(x5t), "base64url").toString("hex");
        if (kid !== "key-7" || shown !== thumbprint) return answer(401, { error: "invalid_client" });
        return answer(200, { access_token: "wren-token", expires_in: 3_600 });
      });
      return;
    }
    const { authorization, "ocp-apim-subscription-key": key } = request.headers;
    if (authorization !== "Bearer wren-token" || key !== "subscription") return void answer(401);
    if (url.pathname !== "/tracing/containers" || url.searchParams.get("cntrNo") !== BOX)
      return void answer(404);
    if (url.searchParams.get("behalfOf") !== "4711") return void answer(403);
    const from = Number(url.searchParams.get("after") ?? 0);
    const page = eventsOfBox().slice(from, from + 2);
    answer(200, { result: { events: page, ...(from + 2 < 4 ? { next: String(from + 2) } : {}) } });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const agent = new Agent({ connect: { ca: tls.cert } });
  try {
    const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oauth = {
      tokenUrl: `${base}/token`,
      clientId: "boathook",
      scope: "api://wren/.default",
      assertion: {
        keyFile: write("key.pem", own.key),
        certificateFile: write("cert.pem", own.cert),
        keyId: "key-7",
        audience: "https://login.wren.example/tenant",
      },
    };
    const entry = {
      ...{ scac: "WREN", name: "Wren Lines", api: "dcsa-tnt-1.1", baseUrl: `${base}/tracing`, oauth },
      apiKeys: { header: "Ocp-Apim-Subscription-Key", values: ["subscription"] },
      question: {
        path: "/containers",
        references: {
          container_id: { parameters: { cntrNo: "{reference}" } },
          bill_of_lading: null,
          booking: null,
        },
        limit: { parameter: "count", max: 2 },
      },
      paging: { by: "cursor", body: "/result/next", parameter: "after" },
      accounts: { [ACCOUNT]: { parameters: { behalfOf: "4711" } } },
      spelling: { envelopes: ["result.events"] },
    };
    const http = createHttpPort(agent, realClock);
    const open = (more: Readonly<Record<string, unknown>>) => {
      const read = readCarriers(JSON.stringify([{ ...entry, ...more }]));
      assert.ok(read.kind === "entries", JSON.stringify(read));
      const { entries: carriers } = read;
      const client = createCarrierClient({ carriers, http, clock, random: { fraction: () => 0.5 } });
      return { carrier: carriers[0]!, client };
    };
    const other = (more: Readonly<Record<string, unknown>>) =>
      open("keyId" in more ? { oauth: { ...oauth, assertion: { ...oauth.assertion, ...more } } } : more);
    await work({ ...open({}), clock, with: other });
  } finally {
    server.closeAllConnections();
    server.close();
    await agent.destroy();
    rmSync(folder, { recursive: true });
  }
}

test("its answer is read whole, from the signed assertion to the status of the box", () =>
  wren(async ({ carrier, client }) => {
    const answer = await client.fetch(carrier, "container_id", BOX, null, false, ACCOUNT);
    assert.equal(outcome(answer), "4");
    assert.ok(answer.kind === "events");
    const { record } = lookAt(answer.events, null, Date.UTC(2026, 2, 5));
    assert.equal(record.status, "in_transit");
    assert.equal(record.eta?.at.ms, Date.UTC(2026, 2, 15, 13));
    assert.equal(record.boxes[0]?.vessel?.imo, "9648714");
    assert.equal(outcome(await client.fetch(carrier, "booking", "B1", null, false, ACCOUNT)), "not_found");
  }));

test("each refusal has its own outcome: account, subscription key, key id, and a certificate that has expired", () =>
  wren(async ({ carrier, client, clock, with: other }) => {
    const ask = async (from: { carrier: Carrier; client: CarrierClient }, account?: string) =>
      outcome(await from.client.fetch(from.carrier, "container_id", BOX, null, false, account));
    assert.equal(await ask({ carrier, client }), "not_permitted");
    const wrongKey = { apiKeys: { header: "Ocp-Apim-Subscription-Key", values: ["wrong", "subscription"] } };
    assert.equal(await ask(other(wrongKey), ACCOUNT), "4");
    const noKey = { apiKeys: { header: "Ocp-Apim-Subscription-Key", values: ["wrong"] } };
    assert.equal(await ask(other(noKey), ACCOUNT), "not_permitted");
    assert.equal(await ask(other({ keyId: "key-8" }), ACCOUNT), "not_permitted");
    await clock.advance(31 * DAY_MS);
    assert.equal(await ask(other({}), ACCOUNT), "oauth_certificate_expired");
  }));
