/**
 * The settings that are no single product's, as data: `configuration.ts` reads them with those of the products,
 * `boathook config` and the documents list them. Names without a default stay unset unless the environment sets them.
 */
import { LOG_LEVELS } from "./log.ts";
import {
  anyOrCidrs,
  baseUrl,
  count,
  duration,
  hostMap,
  key32,
  line,
  listenAddress,
  listOf,
  noneOrCidrs,
  oneOf,
  postgresUrl,
} from "./setting-kinds.ts";
import { setting, type SettingsOf } from "./setting.ts";

export const SETTINGS = {
  databaseUrl: setting({
    name: "BOATHOOK_DATABASE_URL",
    kind: postgresUrl,
    default: null,
    secret: "password",
    about: "External PostgreSQL, 15 or later. Unset: the embedded one.",
  }),
  dataFolder: setting({
    name: "BOATHOOK_DATA_DIR",
    kind: line("folder"),
    default: "./data",
    about: "Where embedded PostgreSQL, master key and operator token live.",
  }),
  cells: setting({
    name: "BOATHOOK_CELLS",
    kind: count(1, 256),
    default: "1",
    about: "Cells that accounts are spread over. Never shrink it.",
  }),
  databaseConnectionsMax: setting({
    name: "BOATHOOK_DATABASE_CONNECTIONS",
    kind: count(2, 200),
    default: "10",
    about: "Most database connections per process.",
  }),
  masterKey: setting({
    name: "BOATHOOK_MASTER_KEY",
    kind: key32,
    default: null,
    secret: "all",
    about: "Seals signing secrets. Required with a database URL; otherwise generated in the data folder.",
  }),
  previousMasterKeys: setting({
    name: "BOATHOOK_MASTER_KEY_PREVIOUS",
    kind: listOf(key32, 4),
    default: null,
    secret: "all",
    about: "Earlier master keys, until their secrets are sealed again.",
  }),
  operatorToken: setting({
    name: "BOATHOOK_OPERATOR_TOKEN",
    kind: line("16 characters or more", 16),
    default: null,
    secret: "all",
    about: "Bearer token of the operator's API. Unset: generated in the data folder.",
  }),
  listen: setting({
    name: "BOATHOOK_LISTEN",
    kind: listenAddress,
    default: "127.0.0.1:8080",
    about: "Address of the public API. Port 0 picks one.",
  }),
  opsListen: setting({
    name: "BOATHOOK_OPS_LISTEN",
    kind: listenAddress,
    default: "127.0.0.1:8081",
    about: "Address of the operator's API, health and metrics. Port 0 picks one.",
  }),
  hosts: setting({
    name: "BOATHOOK_HOSTS",
    kind: hostMap,
    default: null,
    about: "Host names that serve one product each, without a path prefix.",
  }),
  publicUrl: setting({
    name: "BOATHOOK_PUBLIC_URL",
    kind: baseUrl,
    default: null,
    about: "Public API address, for links in deliveries.",
  }),
  trustedProxies: setting({
    name: "BOATHOOK_TRUST_PROXY",
    kind: noneOrCidrs,
    default: "false",
    about: "Proxies whose X-Forwarded-For names the client.",
  }),
  requestsPerKeyMax: setting({
    name: "BOATHOOK_RATE_LIMIT_PER_KEY",
    kind: count(1, 1_000_000),
    default: "600",
    about: "Most API requests a minute per key.",
  }),
  requestsPerAddressMax: setting({
    name: "BOATHOOK_RATE_LIMIT_PER_ADDRESS",
    kind: count(1, 1_000_000),
    default: "60",
    about: "Most requests a minute per address on public routes.",
  }),
  roles: setting({
    name: "BOATHOOK_ROLES",
    kind: listOf(oneOf(["api", "deliver", "poll"]), 3),
    default: "api,deliver,poll",
    about: "This process's work: serve APIs, send deliveries, poll carriers.",
  }),
  attemptsMax: setting({
    name: "BOATHOOK_ATTEMPTS",
    kind: count(1, 20),
    default: "6",
    about: "Most attempts per delivery, including the first.",
  }),
  retryWaitsMs: setting({
    name: "BOATHOOK_RETRY_WAITS",
    kind: listOf(duration("1ms", "7d"), 20),
    default: "10s,1m,5m,30m,2h,6h",
    about: "Waits after failed attempts 1, 2 and so on.",
  }),
  attemptTimeoutMs: setting({
    name: "BOATHOOK_ATTEMPT_TIMEOUT",
    kind: duration("10ms", "5m"),
    default: "10s",
    about: "Limit for a whole attempt: lookup, connection, request, answer.",
  }),
  sweepIntervalMs: setting({
    name: "BOATHOOK_SWEEP_INTERVAL",
    kind: duration("100ms", "1h"),
    default: "30s",
    about: "Interval of the sweep for deliveries left by crashes or lost wake-ups.",
  }),
  disableAfterFailures: setting({
    name: "BOATHOOK_DISABLE_AFTER_FAILURES",
    kind: count(1, 1_000_000),
    default: "20",
    about: "Consecutive failed attempts that disable an endpoint.",
  }),
  historyDays: setting({
    name: "BOATHOOK_HISTORY_DAYS",
    kind: count(1, 3650),
    default: "30",
    about: "Retention of ended deliveries and their events.",
  }),
  parkedMs: setting({
    name: "BOATHOOK_PARKED_MAX",
    kind: duration("1s", "365d"),
    default: "3d",
    about: "Longest wait for an inactive endpoint before a delivery is dead.",
  }),
  openMax: setting({
    name: "BOATHOOK_OPEN_REQUESTS_MAX",
    kind: count(1, 100_000),
    default: "512",
    about: "Most open requests to healthy endpoints. Degraded ones get a quarter extra.",
  }),
  openPerEndpointMax: setting({
    name: "BOATHOOK_OPEN_REQUESTS_PER_ENDPOINT",
    kind: count(1, 1000),
    default: "16",
    about: "Most open requests per endpoint.",
  }),
  memoryDeliveriesMax: setting({
    name: "BOATHOOK_WINDOW",
    kind: count(100, 1_000_000),
    default: "20000",
    about: "Memory budget: most deliveries in memory. Others wait in the database.",
  }),
  drainMs: setting({
    name: "BOATHOOK_DRAIN_TIMEOUT",
    kind: duration("0s", "10m"),
    default: "25s",
    about: "Longest drain after SIGTERM.",
  }),
  allowPrivateTargets: setting({
    name: "BOATHOOK_ALLOW_PRIVATE_TARGETS",
    kind: anyOrCidrs,
    default: "false",
    about: "Non-public addresses that deliveries may reach. For development and tests.",
  }),
  extraCaFile: setting({
    name: "BOATHOOK_EXTRA_CA_FILE",
    kind: line("file, PEM"),
    default: null,
    about: "Additional certificate authorities for deliveries.",
    section: "files",
  }),
  logLevel: setting({
    name: "BOATHOOK_LOG_LEVEL",
    kind: oneOf(LOG_LEVELS),
    default: "info",
    about: "Least severe level logged.",
    section: "log",
  }),
} as const;

/** The values of these settings; durations in milliseconds. */
export type Settings = SettingsOf<typeof SETTINGS>;
