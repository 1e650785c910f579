/**
 * Lives one world: nodes of the real service on a PostgreSQL of its own, callers and receivers around them, and what happens
 * by a story. It ends when everything has healed and come to rest, and the oracle has judged.
 *
 *     nodes start ─▶ accounts, endpoints ─▶ the story's steps ─▶ all heals ─▶ rest ─▶ what the API shows at the end
 */
import { createHash } from "node:crypto";

import { ambushPoll, fateOf } from "./ambushes.ts";
import {
  callEndpoint,
  offer,
  openAccounts,
  openOneMore,
  raise,
  readAll,
  readDeliveries,
  register,
  probe,
  track,
} from "./callers.ts";
import { chanceOf } from "./chance.ts";
import { disturb, heal, WRITES } from "./disturbances.ts";
import {
  lookAtJourneys,
  readHistories,
  readSourced,
  untilFetched,
  untilPolled,
} from "./results-of-sources.ts";
import { wrongOfRetention } from "./retention.ts";
import { entitle, knockAtTheEnd, lend, rotate } from "./rights.ts";
import { openHosts, type Hosts } from "./hosts.ts";
import { isSource, openSources } from "./sources.ts";
import { abandonSockets, resetNetwork } from "./network.ts";
import { killNode, type Node, startNode } from "./node.ts";
import type { Body } from "./http.ts";
import { type FinalEndpoint, isEverDeleted, KNOWN_MS_MAX, NOTICED_MS_MAX, textOrNull } from "./observed.ts";
import { meteredOf } from "./metered.ts";
import { judge } from "./oracle.ts";
import { servePostgres, type ServerHooks, SERVERS, type SimulatedServer, withoutTables } from "./postgres.ts";
import type { RealServer } from "./protocol.ts";
import { ATTEMPT_MS, openReceivers } from "./receivers.ts";
import type { BrokenStart, Step, Story } from "./story.ts";
import { after, beginWorld, type Owner, run, seedChance, WORLD, worldMs } from "./time.ts";
import { oneAt, see, servingNodes, type World } from "./world.ts";

export type Ended = {
  /** Over all that was answered, sent and asked of the database. */
  readonly hash: string;
  readonly wrong: readonly string[];
  readonly counts: World["counts"];
  readonly seen: World["seen"];
  readonly tookMs: number;
};

/** The ladder, shortened so that minutes have its end; the rules are the same. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
/** Spec 8: 10 s, 1 min, 5 min, 30 min, 2 h, 6 h. */
const FULL_WAITS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];

const SETTINGS = {
  BOATHOOK_ROLES: "api,deliver",
  BOATHOOK_ATTEMPT_TIMEOUT: `${ATTEMPT_MS / 1_000}s`,
  BOATHOOK_SWEEP_INTERVAL: "10s",
  BOATHOOK_DATABASE_CONNECTIONS: "5",
  BOATHOOK_PUBLIC_URL: "https://boathook.example",
  // What was revoked is tried again and again.
  BOATHOOK_RATE_LIMIT_PER_ADDRESS: "100000",
};

/** After the beginning of the world's time. */
const ANNOUNCED_MS = 60_000;

/** How often what the service shows of endpoints is kept, also in hours. */
const LOOK_MS = 7_000;
const LOOKS_MAX = 100;

/** How long a slow source takes with what it sends: all parts of an answer are of one half day of its time. */
const SOURCE_MS_MAX = 450;

const START_MS_MAX = 300_000;
/** How long after the last fault everything is at rest: the ladder, a lease and a sweep. */
const REST_MS_MAX = 300_000;
/** Before the sixth attempt. */
const LAST_WAIT_MS = FULL_WAITS_MS[4]!;

/** Runs a story to its end. `say` gets a line for each thing that happens. */
export async function live(story: Story, server: RealServer, say: (line: string) => void): Promise<Ended> {
  beginWorld();
  seedChance(story.seed);
  resetNetwork(latenciesOf(story.seed), (place) => {
    return isSource(place) && story.areSourcesSlow ? SOURCE_MS_MAX : 0;
  });
  const hash = createHash("sha256");
  const show = (line: string): void => say(`${(worldMs() / 1_000).toFixed(3).padStart(9)} s  ${line}`);
  const note = (line: string): void => {
    hash.update(`${worldMs().toFixed(3)} ${line}\n`);
    show(line);
  };
  const world = makeWorld(story, note, show);
  const isEmpty = story.brokenStarts.length > 0;
  const hooks: ServerHooks = {
    fateOf: (text, isWithin) => fateOf(world, text, isWithin),
    onRan(text) {
      world.counts.statements += 1;
      see(world, WRITES.test(text) ? "write" : "read");
      hash.update(text);
    },
  };
  const real = isEmpty ? await withoutTables(server) : server;
  world.database = await servePostgres(real, hooks, story.isSplit);
  if (story.hasSources)
    world.sources = await openSources(story, {
      onAnswer(line) {
        see(world, "poll");
        note(line);
      },
      onChanged: () => ambushPoll(world),
    });
  for (const one of story.brokenStarts) await breakStart(world, one);
  for (const node of Array.from({ length: story.nodes }, () => world.begin())) await started(node);
  await driven(openAccounts(world));
  const [first] = servingNodes(world) as [Node];
  for (let count = 0; count < 4; count++) await driven(register(world, first, count, count % 3, false));
  if (story.hasSources) await driven(register(world, first, 0, 1, false));
  for (const [index, how] of story.receives.entries()) world.receives.set(world.endpoints[index]!.url, how);
  const beganMs = worldMs();
  for (const step of story.steps) after(step.atMs, () => act(world, step));
  const lookMs = Math.max(LOOK_MS, story.lastsMs / LOOKS_MAX);
  for (let atMs = lookMs; atMs < story.lastsMs; atMs += lookMs) after(atMs, () => void lookAt(world));
  await run(beganMs + story.lastsMs);
  heal(world);
  await rested(world);
  // A statement that stalls may outlast the rest, and so may what reached a silent server.
  const lasting = [...world.faults, ...world.directoryOutages];
  await run(Math.max(worldMs(), ...lasting.map(({ untilMs }) => untilMs + KNOWN_MS_MAX)));
  const hasJumped = story.steps.some((step) => step.do === "jump");
  // A clock that has gone back polls by its own time, an hour later.
  if (world.sources !== null && !hasJumped) {
    await driven(untilPolled(world, world.sources));
    await driven(untilFetched(world, world.sources));
    // The last poll or fetch may have raised something.
    await rested(world);
  }
  await driven(knockAtTheEnd(world));
  world.endAbandoned();
  const endedMs = worldMs();
  const [deliveries, finals] = [await driven(readDeliveries(world)), await driven(readEndpoints(world))];
  const look = async () => {
    const looks = world.journeys.length;
    await driven(lookAtJourneys(world, servingNodes(world)[0]));
    if (world.sources !== null && world.journeys.length === looks)
      world.wrong.push("what is tracked is not shown when all is at rest");
  };
  await look();
  const bySources = await driven(readSourced(world));
  await look();
  const calls = world.sources === null ? [] : await driven(readHistories(world, world.sources));
  hash.update(JSON.stringify({ deliveries, finals }));
  const wrong = [
    ...world.wrong,
    ...judge({
      ...world,
      bySources,
      journeys: hasJumped ? [] : world.journeys,
      calls,
      announcedMs: ANNOUNCED_MS,
      endedMs,
      deliveries,
      finals,
      hasJumped,
      waitsMs: waitsOf(story),
      entitlements: world.accounts.map(({ entitlement }) => entitlement),
    }),
  ];
  if (story.isPatient) wrong.push(...(await wrongOfRetention(world, deliveries, { driven, started })));
  for (const node of world.nodes) killNode(node);
  abandonSockets(WORLD);
  world.database.close();
  await world.sources?.close();
  return { hash: hash.digest("hex"), wrong, counts: world.counts, seen: world.seen, tookMs: worldMs() };
}

/** A connection's chance comes from its owner and its number there. */
function latenciesOf(seed: number) {
  const counts = new Map<Owner, number>();
  return (owner: Owner) => {
    const number = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, number);
    const chance = chanceOf(seed * 31 + owner.number * 10_007 + number);
    return (moreMsMax: number) => 0.1 + chance() + (moreMsMax > 0 ? chance() * moreMsMax : 0);
  };
}

/** `show`: what nodes log, which is no part of the hash: it may name the machine. */
function makeWorld(story: Story, note: World["note"], show: World["note"]): World {
  const world: World = {
    story,
    chance: chanceOf(story.seed ^ 0x5eed),
    nodes: [],
    accounts: [],
    endpoints: [],
    raised: [],
    keyed: [],
    unanswered: new Set(),
    pings: new Set(),
    pingsUnknown: new Set(),
    arrivals: [],
    attempts: new Map(),
    receives: new Map(),
    faults: [],
    silences: [],
    directoryOutages: [],
    served: [],
    letIn: new Map(),
    rightsChangeMs: Number.NEGATIVE_INFINITY,
    ambushes: [],
    forwarder: null,
    looks: [],
    journeys: [],
    readiness: [],
    metered: [],
    shown: [],
    revoked: [],
    knocks: [],
    entitled: [],
    wrong: [],
    seen: new Map(),
    counts: { statements: 0, attempts: 0, calls: 0, faults: 0 },
    cells: story.cells,
    weather: { slowMs: 0, faulty: null, stall: null, isFull: false, areNamesSilent: false, isHealed: false },
    // Set before anything asks for it.
    sources: null,
    database: undefined as unknown as SimulatedServer,
    hosts: undefined as unknown as Hosts,
    endAbandoned: () => undefined,
    begin() {
      const number = world.nodes.length + 1;
      const node = startNode(number, {
        seed: story.seed * 1_000 + number,
        environment: {
          ...SETTINGS,
          ...settingsOf(story),
          BOATHOOK_CELLS: String(world.cells),
          ...world.sources?.environment,
        },
        say: (line) => show(`node ${number}: ${line}`),
        openSender: (options) => receivers.openSender(node, options),
      });
      world.nodes.push(node);
      return node;
    },
    note,
  };
  const receivers = openReceivers(world);
  world.endAbandoned = receivers.endAbandoned;
  world.hosts = openHosts({
    note,
    areNamesSilent: () => world.weather.areNamesSilent,
    onPrivate: () => void world.wrong.push("a private address was connected to"),
    onConnection: receivers.onConnection,
  });
  return world;
}

function waitsOf({ isPatient }: Story): readonly number[] {
  return isPatient ? FULL_WAITS_MS : WAITS_MS;
}

function settingsOf(story: Story): Readonly<Record<string, string>> {
  const BOATHOOK_RETRY_WAITS = waitsOf(story)
    .map((ms) => `${ms}ms`)
    .join();
  return story.isPatient
    ? { BOATHOOK_RETRY_WAITS, BOATHOOK_HISTORY_DAYS: "1", BOATHOOK_PARKED_MAX: "12h" }
    : { BOATHOOK_RETRY_WAITS };
}

function act(world: World, step: Step): void {
  if (step.waitsFor !== undefined) return void world.ambushes.push(step);
  const node = "node" in step ? oneAt(servingNodes(world), step.node) : undefined;
  const endpoint = "endpoint" in step ? oneAt(world.endpoints, step.endpoint) : undefined;
  switch (step.do) {
    case "raise":
      if (node !== undefined) void raise(world, node, step);
      return;
    case "again": {
      const last = world.keyed.at(-1);
      if (node !== undefined && last !== undefined) void offer(world, node, last.call, last.body);
      return;
    }
    case "grow":
      world.cells += 1;
      return void world.begin();
    case "open":
      if (node !== undefined) void openOneMore(world, node);
      return;
    case "register":
      if (node !== undefined) void register(world, node, step.account, step.product, step.isOfOneType);
      return;
    case "track": {
      const one = oneAt(world.sources?.trackable ?? [], step.number);
      if (node !== undefined && one !== undefined) void track(world, node, one);
      return;
    }
    case "rotate":
    case "lend":
    case "entitle": {
      const account = oneAt(world.accounts, step.account);
      if (node === undefined || account === undefined) return;
      if (step.do === "rotate") void rotate(world, node, account, step.prefix);
      else if (step.do === "lend") void lend(world, node, account);
      else void entitle(world, node, account, step.isOn);
      return;
    }
    case "receive":
      if (endpoint !== undefined) world.receives.set(endpoint.url, step.how);
      return;
    case "host":
      return world.hosts.change(step);
    case "pause":
    case "activate":
    case "describe":
    case "delete":
    case "ping":
    case "read":
      if (node !== undefined && endpoint !== undefined) void callEndpoint(world, node, step.do, endpoint);
      return;
    default:
      disturb(world, step, node);
  }
}

/** What a node has begun stays behind: it is killed at once, or once it has noticed that the database is away. */
async function breakStart(world: World, { afterMs, how }: BrokenStart): Promise<void> {
  const node = world.begin();
  await run(worldMs() + afterMs);
  world.note(`${node.name} starts no further: ${how}`);
  if (how === "cut") {
    world.database.takeAway(SERVERS, worldMs() + NOTICED_MS_MAX);
    await run(worldMs() + NOTICED_MS_MAX);
  }
  killNode(node);
}

async function started(node: Node): Promise<void> {
  await run(worldMs() + START_MS_MAX, () => node.service !== null || node.failure !== null);
  if (node.service === null) throw new Error(`${node.name} does not start`, { cause: node.failure });
}

/** Moves time until the work ends. */
async function driven<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  void Promise.allSettled([work]).then(() => (isOver = true));
  await run(worldMs() + START_MS_MAX, () => isOver);
  if (!isOver) throw new Error("the world does not get on");
  return work;
}

/** All nodes are ready, and nothing is pending but what is parked. */
async function rested(world: World): Promise<void> {
  // What waits in the database is due by the clock of before.
  const backMs = world.story.steps.reduce(
    (sum, step) => sum + (step.do === "jump" ? Math.max(0, -step.ms) : 0),
    0,
  );
  const restMs = backMs + REST_MS_MAX + (world.story.isPatient ? LAST_WAIT_MS : 0);
  const untilMs = worldMs() + restMs;
  for (let isQuiet = false; !isQuiet; isQuiet = await driven(isAtRest(world))) {
    if (worldMs() >= untilMs)
      return void world.wrong.push(`not all is at rest ${restMs / 1_000} s after the last fault`);
    await run(worldMs() + 10_000);
  }
}

async function isAtRest(world: World): Promise<boolean> {
  for (const { name, ports } of servingNodes(world)) {
    const ready = await probe(ports.operator, "/readyz");
    if (ready?.status === 200) continue;
    world.note(`${name} is not ready: ${JSON.stringify(ready?.body)}`);
    return false;
  }
  const answer = await probe(
    servingNodes(world)[0]?.ports.operator,
    "/v1/deliveries?status=pending&limit=100",
  );
  if (answer?.status !== 200) return false;
  // What is pending for an endpoint that is gone is never sent, and removed with its history.
  const gone = new Set(world.endpoints.filter(isEverDeleted).map(({ id }) => id));
  const waiting = (answer.body["deliveries"] as readonly Body[]).filter(
    (one) => typeof one["parked_until"] !== "string" && !gone.has(String(one["endpoint_id"])),
  );
  if (waiting.length > 0) world.note(`${waiting.length} deliveries are still to be sent`);
  return waiting.length === 0;
}

async function readEndpoints(world: World): Promise<readonly FinalEndpoint[]> {
  return (await readAll(world, "/v1/endpoints", "endpoints")).map(endpointOf);
}

/** Keeps what nodes say of themselves at this moment, and one of them of endpoints, if they say anything. */
async function lookAt(world: World): Promise<void> {
  const askedMs = worldMs();
  for (const { name, ports } of servingNodes(world))
    void probe(ports.operator, "/readyz").then((answer) => {
      // What heals ends faults before their time.
      if (answer === null || world.weather.isHealed) return;
      const isReady = answer.status === 200;
      const missesDirectory = "directory" in ((answer.body["checks"] as Body | undefined) ?? {});
      world.readiness.push({ node: name, askedMs, doneMs: worldMs(), isReady, missesDirectory });
    });
  const node = oneAt(servingNodes(world), Math.floor(askedMs / LOOK_MS));
  if (node !== undefined)
    void probe(node.ports.operator, "/metrics").then((answer) => {
      if (answer?.status !== 200) return;
      const counted = meteredOf(String(answer.body["text"]));
      world.metered.push({ node: node.name, askedMs, doneMs: worldMs(), ...counted });
    });
  const answer = await probe(node?.ports.operator, "/v1/endpoints?limit=100");
  if (answer?.status !== 200) return;
  const endpoints = (answer.body["endpoints"] as readonly Body[]).map(endpointOf);
  world.looks.push({ askedMs, doneMs: worldMs(), endpoints });
  await lookAtJourneys(world, node);
}

function endpointOf(one: Body): FinalEndpoint {
  return {
    id: String(one["id"]),
    active: one["active"] === true,
    failureCount: Number(one["failure_count"]),
    lastDeliveryAt: textOrNull(one["last_delivery_at"]),
  };
}
