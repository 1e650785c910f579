/** What goes wrong in a world, and its end. */
import { part } from "./network.ts";
import { NOTICED_MS_MAX } from "./observed.ts";
import { freezeNode, killNode, type Node, wakeNode } from "./node.ts";
import {
  DIRECTORY,
  type RequestFate,
  type ServerName,
  SERVERS,
  type SimulatedServer,
  WORKERS,
} from "./postgres.ts";
import type { Step } from "./story.ts";
import { after, worldMs } from "./time.ts";
import { servingNodes, type World } from "./world.ts";

const DISK_FULL = "53100";
/** Statements that change what is stored. */
export const WRITES = /\b(?:insert|update|delete)\b/i;

/** Of the next request to the database. */
export function weatherOf(
  { weather: { slowMs, faulty, stall, isFull }, chance }: World,
  text: string,
  isWithin: boolean,
): RequestFate {
  // Several that wait for the locks of one transaction go on at once, in an order that no seed decides.
  const stallMs = stall !== null && !isWithin && chance() < stall.share ? stall.ms : 0;
  const delayMs = 0.1 + chance() * 0.4 + chance() * slowMs + stallMs;
  // Reading goes on.
  if (isFull && WRITES.test(text)) return { delayMs, refuse: DISK_FULL };
  if (faulty === null) return { delayMs };
  const { cutBefore, cutAfter, refuse, code } = faulty;
  const drawn = chance();
  if (drawn < cutBefore) return { delayMs, cut: "before" };
  if (drawn < cutBefore + cutAfter) return { delayMs, cut: "after" };
  return drawn < cutBefore + cutAfter + refuse ? { delayMs, refuse: code } : { delayMs };
}

export function disturb(world: World, step: Step, node: Node | undefined): void {
  const { weather, database } = world;
  const lasts = (forMs: number, of: Node | null = null, among = world.faults): void => {
    world.counts.faults += 1;
    among.push({
      kind: step.do,
      fromMs: worldMs(),
      untilMs: worldMs() + forMs + NOTICED_MS_MAX,
      node: of?.name ?? null,
    });
    world.note(of === null ? step.do : `${step.do} ${of.name}`);
  };
  const doesAnotherLast = (among = world.faults) =>
    !weather.isHealed &&
    among.some(({ kind, untilMs }) => kind === step.do && untilMs - NOTICED_MS_MAX > worldMs() + 1);
  switch (step.do) {
    case "away":
      lasts(step.forMs);
      return database.takeAway(SERVERS, worldMs() + step.forMs);
    case "directory":
      lasts(step.forMs, null, world.directoryOutages);
      return loseServer(database, DIRECTORY, step);
    case "worker":
      lasts(step.forMs);
      return loseServer(database, WORKERS[step.number % WORKERS.length]!, step);
    case "full":
      lasts(step.forMs);
      weather.isFull = true;
      return void after(step.forMs, () => (weather.isFull = doesAnotherLast()));
    case "names":
      lasts(step.forMs, null, world.silences);
      weather.areNamesSilent = true;
      return void after(step.forMs, () => (weather.areNamesSilent = doesAnotherLast(world.silences)));
    case "faulty":
      lasts(step.forMs);
      weather.faulty = step;
      return void after(step.forMs, () => {
        if (weather.faulty === step) weather.faulty = null;
      });
    case "stall":
      lasts(step.forMs + step.ms);
      weather.stall = step;
      return void after(step.forMs, () => {
        if (weather.stall === step) weather.stall = null;
      });
    case "slow":
      lasts(step.forMs);
      weather.slowMs = step.ms;
      return void after(step.forMs, () => (weather.slowMs = 0));
    default:
  }
  if (node === undefined) return;
  switch (step.do) {
    case "kill":
      lasts(0, node);
      killNode(node);
      return void after(step.downMs, () => void world.begin());
    case "stop":
      lasts(0, node);
      stop(world, node);
      return void after(step.downMs, () => void world.begin());
    case "freeze":
      lasts(step.forMs, node);
      freezeNode(node);
      return void after(step.forMs, () => wakeNode(node));
    case "part":
      lasts(step.forMs, node);
      return part(node.owner, step.forMs);
    case "jump":
      lasts(0, node);
      node.skewMs += step.ms;
      return;
    default:
  }
}

function loseServer(
  database: SimulatedServer,
  server: ServerName,
  { isSilent, forMs }: { readonly isSilent: boolean; readonly forMs: number },
): void {
  if (isSilent) database.silence(server, worldMs() + forMs);
  else database.takeAway([server], worldMs() + forMs);
}

/** As SIGTERM: it drains, and ends. */
function stop(world: World, node: Node): void {
  const { service } = node;
  node.service = null;
  void service?.stop().then(
    () => killNode(node),
    (cause: unknown) => world.wrong.push(`${node.name} did not stop: ${String(cause)}`),
  );
}

/** Every node runs, at least one, and everybody answers. */
export function heal(world: World): void {
  const { weather, database, nodes } = world;
  weather.isHealed = true;
  world.ambushes.length = 0;
  weather.faulty = null;
  weather.stall = null;
  weather.isFull = false;
  weather.slowMs = 0;
  weather.areNamesSilent = false;
  world.hosts.heal();
  database.heal();
  for (const node of nodes) wakeNode(node);
  if (servingNodes(world).length === 0) world.begin();
}
