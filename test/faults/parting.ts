/**
 * Two services, each in a network of its own, that lose the way to the database, to receivers, or back, again and again: what
 * is sent is lost without a word, as behind a switch that fails. Their database and receivers are this process's.
 *
 *     in each network: 10.99.<n>.10 ─▶ 10.99.<n>.1 the database, 10.99.0.2 receivers; 10.99.<n>.3 callers ─▶ 10.99.<n>.10
 */
import { execFileSync, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { startFreezingProxy } from "../support/freezing-proxy.ts";
import { check, type Tally, untilAllEnded } from "./books.ts";
import { chanceFor } from "./chance.ts";
import { atEnd } from "./endings.ts";
import { startLoad } from "./load.ts";
import { killLeftDatabase, startDatabase } from "./postgres.ts";
import type { Raising } from "./process.ts";
import { flaky, folderFor, openScene, slow, well } from "./scene.ts";
import { newClient, QUICK_ENVIRONMENT, register, startServe } from "./service.ts";
import { until } from "./until.ts";

/** What is lost: from the network to an address, or all that goes into it. */
const WAYS = ["database", "receivers", "back"] as const;
type Way = (typeof WAYS)[number];

type Network = {
  readonly within: readonly string[];
  readonly host: string;
  readonly databaseHost: string;
  part(way: Way): void;
  heal(): void;
};

const APART_MS = [300, 3_000, 8_000, 20_000];
/** Attempts of one delivery whose result or arrival is lost, of six. */
const UNCOUNTED_MAX = 3;
const TOGETHER_MS_MAX = 4_000;
/** The receivers' address, which both networks reach. */
const RECEIVERS = "10.99.0.2";
const NOBODY = "02:00:00:00:00:01";

/** Why this machine has no networks to spare; null if it has. What an earlier run has left is removed. */
export function noNetworks(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes root on Linux";
  for (const name of ["probe", 1, 2]) spawnSync("ip", ["netns", "delete", `boathook-${name}`]);
  spawnSync("ip", ["address", "delete", `${RECEIVERS}/32`, "dev", "lo"]);
  const made = spawnSync("ip", ["netns", "add", "boathook-probe"]);
  if (made.status !== 0)
    return `no network can be made here: ${made.error?.message ?? made.stderr.toString().trim()}`;
  ip("netns delete boathook-probe");
  return null;
}

export async function partAgainAndAgain(t: TestContext, times: number): Promise<Tally> {
  const chance = chanceFor(t);
  ip(`address add ${RECEIVERS}/32 dev lo`);
  atEnd(t, () => ip(`address delete ${RECEIVERS}/32 dev lo`));
  const networks = [openNetwork(t, 1), openNetwork(t, 2)];
  const scene = await openScene(t, RECEIVERS);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const { postgres } = await startDatabase(dataFolder);
  const services = await Promise.all(
    networks.map(async ({ within, host, databaseHost }) => {
      const proxy = await startFreezingProxy(postgres.address, 0, databaseHost);
      atEnd(t, () => proxy.close());
      const environment = {
        ...QUICK_ENVIRONMENT,
        BOATHOOK_DATA_DIR: dataFolder,
        BOATHOOK_DATABASE_URL: proxy.address.url,
        BOATHOOK_LISTEN: `${host}:8080`,
        BOATHOOK_OPS_LISTEN: `${host}:8081`,
        BOATHOOK_ALLOW_PRIVATE_TARGETS: `${RECEIVERS}/32`,
      };
      return startServe(t, scene, environment, within);
    }),
  );
  for (const manner of [well, flaky, slow])
    await register(scene, services[0]!, await newClient(services[0]!), manner);
  const loads = services.map((service) =>
    startLoad(t, scene, () => patient(service), { callers: 2, pauseMs: 20 }),
  );
  for (let parted = 0; parted < times; parted++) {
    await sleep(chance.between(0, TOGETHER_MS_MAX));
    const network = networks[chance.between(0, networks.length)]!;
    network.part(WAYS[chance.between(0, WAYS.length)]!);
    await sleep(APART_MS[chance.between(0, APART_MS.length)]);
    network.heal();
  }
  const before = scene.accepted.size;
  await until(() => scene.accepted.size > before, "events are accepted again");
  for (const load of loads) await load.stop();
  await untilAllEnded(postgres.address, 60_000);
  // Requests that time out while receivers are cut off count, and do not arrive.
  const tally = await check(scene, postgres.address, Math.min(times, UNCOUNTED_MAX));
  for (const service of services) await service.stop();
  await postgres.stop();
  t.diagnostic(`seed ${chance.seed}: ${times} partitions: ${JSON.stringify(tally)}`);
  return tally;
}

/** A call that gets no answer in time may have been accepted or not. */
function patient(to: Raising): Raising {
  return {
    raise: (events) =>
      to.raise(events).catch((cause: unknown) => {
        if ((cause as Error).name === "TimeoutError") return "unknown";
        throw cause;
      }),
  };
}

function openNetwork(t: TestContext, number: number): Network {
  const name = `boathook-${number}`;
  const [outside, inside] = [`boathook-${number}o`, `boathook-${number}i`];
  const [host, databaseHost, callers] = [10, 1, 3].map((last) => `10.99.${number}.${last}`) as [
    string,
    string,
    string,
  ];
  ip(`netns add ${name}`);
  atEnd(t, () => ip(`netns delete ${name}`));
  ip(`link add ${outside} type veth peer name ${inside} netns ${name}`);
  for (const address of [databaseHost, callers]) ip(`address add ${address}/24 dev ${outside}`);
  ip(`link set ${outside} up`);
  ip(`route replace 10.99.${number}.0/24 dev ${outside} src ${callers}`);
  const within = (rest: string) => ip(`-n ${name} ${rest}`);
  within("link set lo up");
  within(`address add ${host}/24 dev ${inside}`);
  within(`link set ${inside} up`);
  within(`route add ${RECEIVERS} dev ${inside}`);
  // A neighbour that nobody is takes all that is sent to it.
  const part = (way: Way): void => {
    if (way === "back") ip(`neighbour replace ${host} lladdr ${NOBODY} dev ${outside} nud permanent`);
    else
      within(
        `neighbour replace ${way === "database" ? databaseHost : RECEIVERS} lladdr ${NOBODY} dev ${inside} nud permanent`,
      );
  };
  return {
    within: ["ip", "netns", "exec", name],
    host,
    databaseHost,
    part,
    heal() {
      ip(`neighbour flush dev ${outside} nud permanent`);
      within(`neighbour flush dev ${inside} nud permanent`);
    },
  };
}

function ip(rest: string): void {
  execFileSync("ip", rest.split(" "), { stdio: ["ignore", "ignore", "pipe"] });
}
