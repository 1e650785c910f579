/** What clients and attackers do to a service. */
import { createConnection } from "node:net";

import { realClock } from "../support/real-clock.ts";
import type { Fault, Stage } from "./fault.ts";
import { sleep, TOKEN } from "./stage.ts";

const FLOOD_MS = 15_000;
const AT_A_TIME = 8;

/** Asks again and again, from several connections. */
function flood(url: string, headers: Readonly<Record<string, string>>, method = "GET"): void {
  const endMs = realClock.monotonicMs() + FLOOD_MS;
  for (let one = 0; one < AT_A_TIME; one += 1) {
    void (async () => {
      while (realClock.monotonicMs() < endMs) {
        await fetch(url, { method, headers }).then(
          (response) => response.arrayBuffer(),
          () => sleep(100),
        );
      }
    })();
  }
}

function open(stage: Stage, count: number, say = ""): void {
  const { hostname, port } = new URL(stage.service.publicUrl);
  for (let one = 0; one < count; one += 1) {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(say));
    socket.on("error", () => undefined);
    stage.t.after(() => void socket.destroy());
  }
}

const webhooks = ({ service }: Stage) => `${service.publicUrl}/rates/v1/webhooks`;
const requests = (route: string, group: string) =>
  new RegExp(
    `^boathook_http_requests_total\\{route="${route}",method="\\w*",status="${group}"\\} [1-9]\\d{2,}`,
    "m",
  );

export const CLIENTS: readonly Fault[] = [
  {
    name: "An attacker tries forged keys",
    cause: (stage) => flood(webhooks(stage), { authorization: "Bearer rates_forged" }),
    shows: { metric: requests('[^"]*', "4xx"), linesMax: 0 },
  },
  {
    name: "A client asks more often than it may",
    settings: { BOATHOOK_RATE_LIMIT_PER_KEY: "60" },
    cause: (stage) => flood(webhooks(stage), { authorization: `Bearer ${stage.client.key}` }),
    shows: { metric: requests('[^"]*', "4xx"), linesMax: 0 },
  },
  {
    name: "An attacker tries operator's tokens",
    cause: ({ service }) => flood(`${service.opsUrl}/v1/accounts`, { authorization: `Bearer ${TOKEN}x` }),
    shows: {
      metric: requests('[^"]*', "4xx"),
      log: /warn: (a request carried a wrong operator's token)/,
    },
  },
  {
    name: "One address sends requests ahead of answers (pipelining)",
    cause: (stage) =>
      open(stage, 8, "GET /rates/v1/webhooks HTTP/1.1\r\nhost: a.example\r\n\r\n".repeat(10_000)),
    shows: { metric: requests('[^"]*', "4xx"), linesMax: 0 },
  },
  {
    name: "Connections are used up",
    settings: { BOATHOOK_CONNECTIONS_MAX: "50" },
    cause: (stage) => open(stage, 200),
    // Idle ones are closed, and the service goes on.
    shows: { metric: /^boathook_public_connections_closed_total\{bound="all"\} [1-9]\d*/m, linesMax: 0 },
  },
  {
    name: "One address uses up its connections",
    settings: { BOATHOOK_CONNECTIONS_PER_ADDRESS: "50" },
    cause: (stage) => open(stage, 200),
    shows: { metric: /^boathook_public_connections_closed_total\{bound="address"\} [1-9]\d*/m, linesMax: 0 },
  },
  {
    name: "A reverse proxy is not named in BOATHOOK_TRUST_PROXY",
    cause: (stage) => fetch(webhooks(stage), { headers: { "x-forwarded-for": "192.0.2.1" } }),
    shows: { log: /warn: ([^{]*BOATHOOK_TRUST_PROXY)/ },
  },
];
