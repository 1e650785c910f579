/** Faults of carriers' APIs and schedule feeds. */
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { containerCheckDigit } from "../../packages/simulator/src/world/check-digits.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { ask, type Settings } from "../service/boathook.ts";
import type { Fault, Shows, Stage } from "./fault.ts";
import { sleep } from "./stage.ts";

type Upstream = { answer: RequestListener; readonly server: Server };

const upstreams = new WeakMap<Stage, Upstream>();

/** Each container was discharged a day ago. */
const answerWell: RequestListener = (request, response) => {
  const asked = new URL(request.url!, "http://carrier.example").searchParams;
  const discharged = {
    eventType: "EQUIPMENT",
    eventClassifierCode: "ACT",
    equipmentReference: asked.get("equipmentReference") ?? "",
    equipmentEventTypeCode: "DISC",
    emptyIndicatorCode: "LADEN",
    eventDateTime: new Date(Date.now() - DAY_MS).toISOString(),
    transportCall: { UNLocationCode: "USOAK", modeOfTransport: "VESSEL" },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([discharged]));
};

/** Starts an API that answers well, and names it in a file. */
async function serveApi(stage: Stage): Promise<string> {
  const upstream: Upstream = {
    answer: answerWell,
    server: createServer((request, response) => upstream.answer(request, response)),
  };
  upstreams.set(stage, upstream);
  await new Promise<void>((resolve) => upstream.server.listen(0, "127.0.0.1", resolve));
  stage.t.after(() => {
    upstream.server.closeAllConnections();
    upstream.server.close();
  });
  return `http://127.0.0.1:${(upstream.server.address() as AddressInfo).port}`;
}

function fileOf(stage: Stage, name: string, content: unknown): string {
  const path = join(stage.dataFolder, name);
  writeFileSync(path, JSON.stringify(content));
  chmodSync(path, 0o600);
  return path;
}

const carrier =
  (more: object = {}, settings: Settings = {}) =>
  async (stage: Stage): Promise<Settings> => ({
    BOATHOOK_CARRIERS_FILE: fileOf(stage, "carriers.json", [
      {
        scac: "HRNL",
        name: "Heron",
        api: "dcsa-tnt-2.2",
        baseUrl: await serveApi(stage),
        ownerCodes: ["HRNU"],
        timeoutMs: 1_000,
        ...more,
      },
    ]),
    BOATHOOK_POLL_INTERVAL: "500ms",
    BOATHOOK_POLL_INTERVAL_NEAR: "500ms",
    ...settings,
  });

const NUMBERS = ["HRNU4000017", "HRNU4000022", "HRNU4000038", "HRNU4000043"];

/** The client tracks containers of the carrier. */
async function track({ service, client }: Stage): Promise<void> {
  for (const reference of NUMBERS) {
    const url = `${service.publicUrl}/tracking/v1/containers`;
    const { status, body } = await ask("POST", url, client.key, { reference, carrier: "HRNL" });
    assert.equal(status, 201, JSON.stringify(body));
  }
}

/** One container more, twice a second: what is refused is asked for again much later. */
async function trackMore({ service, client, t }: Stage): Promise<void> {
  let isOver = false;
  t.after(() => void (isOver = true));
  for (let serial = 400_100; !isOver; serial += 1) {
    const reference = `HRNU${serial}${containerCheckDigit(`HRNU${serial}`)}`;
    const url = `${service.publicUrl}/tracking/v1/containers`;
    await ask("POST", url, client.key, { reference, carrier: "HRNL" }).catch(() => undefined);
    await sleep(500);
  }
}

const answers = (answer: RequestListener) => (stage: Stage) => {
  upstreams.get(stage)!.answer = answer;
};
const status = (code: number, headers = {}) =>
  answers((_request, response) => void response.writeHead(code, headers).end());

const requests = (outcome: string, of = '[^"]+') =>
  new RegExp(
    `^boathook_upstream_requests_total\\{upstream="${of}",outcome="(?:${outcome})"\\} [1-9]\\d*`,
    "m",
  );

const fails = (outcome: string, reason: string): Shows => ({
  metric: requests(outcome),
  command: ["status", new RegExp(`^(?:HRNL|-) +(?:${reason}) +\\d+`, "m")],
});

const ofCarrier = { settings: carrier(), prepare: track };

export const UPSTREAMS: readonly Fault[] = [
  {
    ...ofCarrier,
    name: "A carrier's API refuses the credential (401)",
    cause: status(401),
    shows: fails("not_permitted", "\\w+"),
  },
  {
    ...ofCarrier,
    name: "A carrier's API is asked too often (429)",
    cause: status(429, { "retry-after": "60" }),
    shows: { metric: requests("quota|4xx"), command: ["status", /HRNL +20\S+/] },
  },
  { ...ofCarrier, name: "A carrier's API answers 500", cause: status(500), shows: fails("5xx", "\\w+") },
  {
    ...ofCarrier,
    name: "A carrier's API refuses the credential, while clients track more",
    cause(stage) {
      status(401)(stage);
      void trackMore(stage);
    },
    shows: { ...fails("not_permitted", "\\w+"), alert: "BoathookUpstreamFails" },
  },
  {
    ...ofCarrier,
    name: "A carrier's API does not answer",
    cause: answers(() => undefined),
    shows: fails("timeout", "\\w+"),
  },
  {
    ...ofCarrier,
    name: "A carrier's API answers nonsense",
    cause: answers((_request, response) => void response.writeHead(200).end("<html>Maintenance</html>")),
    shows: fails("\\w+", "\\w+"),
  },
  {
    ...ofCarrier,
    name: "A carrier's API cannot be reached",
    cause(stage) {
      const { server } = upstreams.get(stage)!;
      server.closeAllConnections();
      server.close();
    },
    shows: fails("connection", "\\w+"),
  },
  {
    name: "A carrier's quota is too small",
    settings: carrier({ quota: { perDay: 2 } }),
    prepare: track,
    cause: () => undefined,
    shows: {
      alert: "BoathookPollsLate",
      metric: requests("quota"),
      command: ["status", /^(?:HRNL|-) +(?:\w+) +\d+/m],
    },
  },
  {
    name: "No node has the role poll",
    ...ofCarrier,
    cause: (stage) => stage.restart({ BOATHOOK_ROLES: "api,deliver" }),
    shows: {
      alert: "BoathookPollsLate",
      metric: /^boathook_poll_backlog_seconds\{carrier="\w+"\} [1-9]\S*/m,
    },
  },
  {
    name: "A schedule feed answers 500",
    settings: async (stage) => ({
      BOATHOOK_SCHEDULES_FILE: fileOf(stage, "feeds.json", [
        {
          name: "heron",
          carrier: "HRNL",
          kind: "cs-vessel-schedules",
          url: `${await serveApi(stage)}/v1/vessel-schedules`,
          services: ["FE1"],
          every: "1s",
        },
      ]),
    }),
    cause: status(500),
    shows: {
      metric: requests("5xx"),
      log: /warn: (a feed of schedules gave no answer)/,
    },
  },
];
