/**
 * The settings that belong to no product. `configuration.ts` reads them together with the products' own; `boathook config`
 * and the settings page list them.
 */
import { LOG_LEVELS } from "./log.ts";
import {
  anyOrCidrs,
  baseUrl,
  color,
  count,
  deniedTargets,
  duration,
  hostMap,
  key32,
  line,
  listenAddress,
  listOf,
  noneOrCidrs,
  noneOrHostNames,
  noneOrOrigins,
  oneOf,
  postgresUrl,
  share,
} from "./setting-kinds.ts";
import { setting, type SettingsOf } from "./setting.ts";

export const SETTINGS = {
  databaseUrl: setting("BOATHOOK_DATABASE_URL", postgresUrl, null, {
    secret: "password",
    about:
      "External PostgreSQL, 15 or later; percent-encode special characters of the password. Unset: the embedded one.",
  }),
  dataFolder: setting("BOATHOOK_DATA_DIR", line("folder"), "./data", {
    about: "Where embedded PostgreSQL, master key and operator token live.",
  }),
  cells: setting("BOATHOOK_CELLS", count(1, 256), "1", {
    about: "Cells that there are at least (boathook cells).",
  }),
  newDatabaseUrl: setting("BOATHOOK_NEW_DATABASE_URL", postgresUrl, null, {
    secret: "password",
    about: "Where boathook move-store moves the store: a database without one.",
  }),
  databaseConnectionsMax: setting("BOATHOOK_DATABASE_CONNECTIONS", count(2, 200), null, {
    about:
      "Most database connections per worker and server. Unset: 10, with more than six workers 60 in all.",
  }),
  masterKey: setting("BOATHOOK_MASTER_KEY", key32, null, {
    secret: "all",
    about: "Seals signing secrets. Required with a database URL; otherwise generated in the data folder.",
  }),
  previousMasterKeys: setting("BOATHOOK_MASTER_KEY_PREVIOUS", listOf(key32, 4), null, {
    secret: "all",
    about: "Further master keys that open secrets, while you rotate it.",
  }),
  operatorToken: setting("BOATHOOK_OPERATOR_TOKEN", line("16 characters or more", 16), null, {
    secret: "all",
    about: "Bearer token of the operator's API. Unset: generated in the data folder.",
  }),
  listen: setting("BOATHOOK_LISTEN", listenAddress, "127.0.0.1:8080", {
    about: "Address of the public API. Port 0 picks one.",
  }),
  opsUrl: setting("BOATHOOK_OPS_URL", baseUrl, null, {
    about: "The operator's API that commands ask, with BOATHOOK_OPERATOR_TOKEN. Unset: they open the store.",
  }),
  opsListen: setting("BOATHOOK_OPS_LISTEN", listenAddress, "127.0.0.1:8081", {
    about: "Address of the operator's API, health and metrics. Port 0 picks one.",
  }),
  connectionsMax: setting("BOATHOOK_CONNECTIONS_MAX", count(10, 1_000_000), null, {
    about:
      "Most connections of a worker's public API; beyond it, idle ones are closed. Unset: half of the open files limit, 32,768 at most.",
  }),
  connectionsPerAddressMax: setting("BOATHOOK_CONNECTIONS_PER_ADDRESS", count(1, 1_000_000), null, {
    about:
      "Most connections per address to a worker's public API. Trusted proxies have no limit. Unset: a quarter of all, 1,000 at most.",
  }),
  opsHosts: setting("BOATHOOK_OPS_HOSTS", noneOrHostNames, "false", {
    about: "Host names with a point that the operator's listener is addressed by.",
  }),
  hosts: setting("BOATHOOK_HOSTS", hostMap, null, {
    about: "Host names that serve one product each, without a path prefix.",
  }),
  publicUrl: setting("BOATHOOK_PUBLIC_URL", baseUrl, null, {
    about: "Public API address, for links in deliveries.",
  }),
  portalFrames: setting("BOATHOOK_PORTAL_FRAMES", noneOrOrigins, "false", {
    about: "Sites whose pages may show the portal in a frame.",
  }),
  portalName: setting("BOATHOOK_PORTAL_NAME", line("1 to 80 characters", 1, 80), null, {
    about: "What the portal is called. Unset: the product's title.",
  }),
  portalColor: setting("BOATHOOK_PORTAL_COLOR", color, null, {
    about: "Brand colour of the portal; it is made lighter or darker where text needs it.",
  }),
  portalSessionMs: setting("BOATHOOK_PORTAL_SESSION", duration("5m", "12h"), "1h", {
    about: "How long a session of the portal lasts when it is not used.",
  }),
  trustedProxies: setting("BOATHOOK_TRUST_PROXY", noneOrCidrs, "false", {
    about: "Proxies whose X-Forwarded-For names the client.",
  }),
  requestsPerKeyMax: setting("BOATHOOK_RATE_LIMIT_PER_KEY", count(1, 1_000_000), "600", {
    about: "Most API requests a minute per key.",
  }),
  requestsPerAddressMax: setting("BOATHOOK_RATE_LIMIT_PER_ADDRESS", count(1, 1_000_000), "60", {
    about:
      "Most requests a minute per address on public routes, and refused ones without a good key elsewhere.",
  }),
  workers: setting("BOATHOOK_WORKERS", count(1, 64), null, {
    about:
      "Processes that share the work and the listeners. Unset: one per core, up to 16; 3 for 4 cores beside a database on the same machine.",
  }),
  roles: setting("BOATHOOK_ROLES", listOf(oneOf(["api", "deliver", "poll"]), 3), "api,deliver,poll", {
    about: "This process's work: serve APIs, send deliveries, poll carriers.",
  }),
  // The values of the specification (spec 8: attempts, ladder, timeout, sweep, disable).
  attemptsMax: setting("BOATHOOK_ATTEMPTS", count(1, 20), "6", {
    about: "Most attempts per delivery, including the first.",
  }),
  retryWaitsMs: setting("BOATHOOK_RETRY_WAITS", listOf(duration("1ms", "7d"), 20), "10s,1m,5m,30m,2h,6h", {
    about: "Waits after failed attempts 1, 2 and so on.",
  }),
  attemptTimeoutMs: setting("BOATHOOK_ATTEMPT_TIMEOUT", duration("10ms", "5m"), "10s", {
    about: "Limit for a whole attempt: lookup, connection, request, answer.",
  }),
  sweepIntervalMs: setting("BOATHOOK_SWEEP_INTERVAL", duration("100ms", "1h"), "30s", {
    about: "Interval of the sweep for deliveries left by crashes or lost wake-ups.",
  }),
  disableAfterFailures: setting("BOATHOOK_DISABLE_AFTER_FAILURES", count(1, 1_000_000), "20", {
    about: "Consecutive failed attempts that disable an endpoint.",
  }),
  disableAfterMs: setting("BOATHOOK_DISABLE_AFTER", duration("0s", "7d"), "0s", {
    about: "Shortest time that those attempts must span. 0s: none.",
  }),
  historyDays: setting("BOATHOOK_HISTORY_DAYS", count(1, 3650), "30", {
    about: "Retention of ended deliveries and their events.",
  }),
  parkedMs: setting("BOATHOOK_PARKED_MAX", duration("1s", "365d"), "3d", {
    about: "Longest wait for an inactive endpoint before a delivery is dead.",
  }),
  openMax: setting("BOATHOOK_OPEN_REQUESTS_MAX", count(1, 100_000), "512", {
    about: "Most open requests to healthy endpoints. Degraded ones get a quarter extra.",
  }),
  openPerEndpointMax: setting("BOATHOOK_OPEN_REQUESTS_PER_ENDPOINT", count(1, 1000), "16", {
    about: "Most open requests per endpoint.",
  }),
  memoryDeliveriesMax: setting("BOATHOOK_WINDOW", count(100, 1_000_000), "20000", {
    about: "Memory budget: most deliveries in memory. Others wait in the database.",
  }),
  drainNoticeMs: setting("BOATHOOK_DRAIN_NOTICE", duration("0s", "10m"), "0s", {
    about: "How long after SIGTERM `/readyz` answers 503 before the drain begins: until balancers know.",
  }),
  drainMs: setting("BOATHOOK_DRAIN_TIMEOUT", duration("0s", "10m"), "25s", {
    about: "Longest drain after SIGTERM.",
  }),
  allowPrivateTargets: setting("BOATHOOK_ALLOW_PRIVATE_TARGETS", anyOrCidrs, "false", {
    about: "Non-public addresses that deliveries may reach. For development and tests.",
  }),
  denyTargets: setting("BOATHOOK_DENY_TARGETS", deniedTargets, "false", {
    about:
      "Public addresses of your own networks, closed to deliveries; on-link: all networks of this machine's interfaces.",
  }),
  otlpEndpoint: setting("BOATHOOK_OTLP_ENDPOINT", baseUrl, null, {
    about:
      "OpenTelemetry collector for traces, by OTLP over HTTP, such as http://127.0.0.1:4318. Unset: no traces.",
  }),
  otlpShare: setting("BOATHOOK_OTLP_SHARE", share, "1", {
    about: "Share of requests and of deliveries that are traced.",
  }),
  extraCaFile: setting("BOATHOOK_EXTRA_CA_FILE", line("file, PEM"), null, {
    about: "Additional certificate authorities for deliveries and the mail server.",
    section: "files",
  }),
  logLevel: setting("BOATHOOK_LOG_LEVEL", oneOf(LOG_LEVELS), "info", {
    about: "Least severe level logged.",
    section: "log",
  }),
} as const;

/** Settings of earlier versions, and what to do where one is set. */
export const FORMER_SETTINGS: ReadonlyMap<string, string> = new Map([
  ["BOATHOOK_SCHEDULE_CELLS", "schedules have one cell, and the start brings several together. Unset it"],
  ["BOATHOOK_RATE_CELLS", "rates have one cell, and the start brings several together. Unset it"],
  [
    "BOATHOOK_SERVERS",
    "cells live on one server, or on the nodes of Citus. Unset it. If cells still live on several servers, the start says " +
      "how version 0.1.0 brings them together. boathook move-store takes its goal from BOATHOOK_NEW_DATABASE_URL",
  ],
]);

/** Durations in milliseconds. */
export type Settings = SettingsOf<typeof SETTINGS> & {
  /** Set by the service in each of its workers. */
  readonly place?: WorkerPlace;
};

/** Which of how many workers this process is. */
export type WorkerPlace = { readonly number: number; readonly of: number };
