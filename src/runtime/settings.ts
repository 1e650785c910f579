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
    about: "The PostgreSQL (15 or later) to use; unset, Boathook runs one of its own in its data folder.",
  }),
  dataFolder: setting({
    name: "BOATHOOK_DATA_DIR",
    kind: line("folder"),
    default: "./data",
    about: "Where the embedded PostgreSQL, the master key and the operator's token are kept.",
  }),
  cells: setting({
    name: "BOATHOOK_CELLS",
    kind: count(1, 256),
    default: "1",
    about: "Into how many cells accounts are spread.",
  }),
  databaseConnectionsMax: setting({
    name: "BOATHOOK_DATABASE_CONNECTIONS",
    kind: count(2, 200),
    default: "10",
    about: "The most connections to the database, for one process.",
  }),
  masterKey: setting({
    name: "BOATHOOK_MASTER_KEY",
    kind: key32,
    default: null,
    secret: "all",
    about: "Seals the signing secrets. Unset, one is made in the data folder; required with a database URL.",
  }),
  previousMasterKeys: setting({
    name: "BOATHOOK_MASTER_KEY_PREVIOUS",
    kind: listOf(key32, 4),
    default: null,
    secret: "all",
    about: "Master keys that earlier secrets were sealed with, until they are sealed anew.",
  }),
  operatorToken: setting({
    name: "BOATHOOK_OPERATOR_TOKEN",
    kind: line("16 characters or more", 16),
    default: null,
    secret: "all",
    about: "What the operator's routes ask for. Unset, one is made in the data folder.",
  }),
  listen: setting({
    name: "BOATHOOK_LISTEN",
    kind: listenAddress,
    default: "127.0.0.1:8080",
    about: "Where the public API listens; port 0 picks one.",
  }),
  opsListen: setting({
    name: "BOATHOOK_OPS_LISTEN",
    kind: listenAddress,
    default: "127.0.0.1:8081",
    about: "Where the operator's API, health and metrics listen; port 0 picks one.",
  }),
  hosts: setting({
    name: "BOATHOOK_HOSTS",
    kind: hostMap,
    default: null,
    about: "Host names that stand for a product each, whose routes then have no prefix.",
  }),
  publicUrl: setting({
    name: "BOATHOOK_PUBLIC_URL",
    kind: baseUrl,
    default: null,
    about: "Where clients reach the public API; deliveries name it where they lead to documents.",
  }),
  trustedProxies: setting({
    name: "BOATHOOK_TRUST_PROXY",
    kind: noneOrCidrs,
    default: "false",
    about: "Proxies whose X-Forwarded-For says who the client is.",
  }),
  requestsPerKeyMax: setting({
    name: "BOATHOOK_RATE_LIMIT_PER_KEY",
    kind: count(1, 1_000_000),
    default: "600",
    about: "The most API requests a minute with one key.",
  }),
  requestsPerAddressMax: setting({
    name: "BOATHOOK_RATE_LIMIT_PER_ADDRESS",
    kind: count(1, 1_000_000),
    default: "60",
    about: "The most requests a minute from one address on routes without a key.",
  }),
  roles: setting({
    name: "BOATHOOK_ROLES",
    kind: listOf(oneOf(["api", "deliver", "poll"]), 3),
    default: "api,deliver,poll",
    about: "What this process does: serve the APIs, send deliveries, ask the carriers.",
  }),
  attemptsMax: setting({
    name: "BOATHOOK_ATTEMPTS",
    kind: count(1, 20),
    default: "6",
    about: "The most attempts a delivery, the first included.",
  }),
  retryWaitsMs: setting({
    name: "BOATHOOK_RETRY_WAITS",
    kind: listOf(duration("1ms", "7d"), 20),
    default: "10s,1m,5m,30m,2h,6h",
    about: "The wait after the first failed attempt, after the second, and so on.",
  }),
  attemptTimeoutMs: setting({
    name: "BOATHOOK_ATTEMPT_TIMEOUT",
    kind: duration("10ms", "5m"),
    default: "10s",
    about: "The whole of one attempt: look-up, connection, request and answer.",
  }),
  sweepIntervalMs: setting({
    name: "BOATHOOK_SWEEP_INTERVAL",
    kind: duration("100ms", "1h"),
    default: "30s",
    about: "How often the queue is searched for what a crash or a lost notice left.",
  }),
  disableAfterFailures: setting({
    name: "BOATHOOK_DISABLE_AFTER_FAILURES",
    kind: count(1, 1_000_000),
    default: "20",
    about: "Consecutive failed attempts that make an endpoint inactive.",
  }),
  historyDays: setting({
    name: "BOATHOOK_HISTORY_DAYS",
    kind: count(1, 3650),
    default: "30",
    about: "Days that ended deliveries and their events are kept.",
  }),
  parkedMs: setting({
    name: "BOATHOOK_PARKED_MAX",
    kind: duration("1s", "365d"),
    default: "3d",
    about: "How long a delivery waits for its inactive endpoint before it is dead.",
  }),
  openMax: setting({
    name: "BOATHOOK_OPEN_REQUESTS_MAX",
    kind: count(1, 100_000),
    default: "512",
    about:
      "The most requests open at once to endpoints that are well; those that fail have a quarter beside it.",
  }),
  openPerEndpointMax: setting({
    name: "BOATHOOK_OPEN_REQUESTS_PER_ENDPOINT",
    kind: count(1, 1000),
    default: "16",
    about: "The most requests open at once to one endpoint.",
  }),
  memoryDeliveriesMax: setting({
    name: "BOATHOOK_WINDOW",
    kind: count(100, 1_000_000),
    default: "20000",
    about: "The most deliveries held in memory; the rest wait in the database.",
  }),
  drainMs: setting({
    name: "BOATHOOK_DRAIN_TIMEOUT",
    kind: duration("0s", "10m"),
    default: "25s",
    about: "How long SIGTERM waits for requests under way.",
  }),
  allowPrivateTargets: setting({
    name: "BOATHOOK_ALLOW_PRIVATE_TARGETS",
    kind: anyOrCidrs,
    default: "false",
    about: "Addresses beyond the public internet that deliveries may go to. For development and tests.",
  }),
  extraCaFile: setting({
    name: "BOATHOOK_EXTRA_CA_FILE",
    kind: line("file, PEM"),
    default: null,
    about: "Certificate authorities that deliveries trust besides the usual ones.",
    section: "files",
  }),
  logLevel: setting({
    name: "BOATHOOK_LOG_LEVEL",
    kind: oneOf(LOG_LEVELS),
    default: "info",
    about: "The least that is logged.",
    section: "log",
  }),
} as const;

/** The values of these settings; durations in milliseconds. */
export type Settings = SettingsOf<typeof SETTINGS>;
