/**
 * Faults that wait for the moment at which they cost most, and come to the node that works then:
 *
 *     poll: a source has said what it did not say before ─▶ the answer, or what comes of it is written
 *     message: a node has carried a product's broadcast to a cell ─▶ it deletes the message, which comes again otherwise
 */
import { disturb, weatherOf } from "./disturbances.ts";
import { lastSender } from "./network.ts";
import type { RequestFate } from "./postgres.ts";
import type { Step } from "./story.ts";
import { after, type Owner, WORLD } from "./time.ts";
import { servingNodes, type World } from "./world.ts";

/** Until what comes of an answer is mostly written. */
const ANSWERED_MS_MAX = 10;

const ADDS_BROADCAST = /^insert into \S+\.broadcasts/m;
const DELETES_MESSAGE = /^delete from \S+\.outbox where/m;

/** A source says something new, to the node that sent last. */
export function ambushPoll(world: World): void {
  const step = takeOne(world, "poll");
  const asker = lastSender();
  if (step !== undefined) after((step.atMs / 2) % ANSWERED_MS_MAX, () => strike(world, step, asker), WORLD);
}

/** Of the next request to the database. */
export function fateOf(world: World, text: string, isWithin: boolean): RequestFate {
  const sender = lastSender();
  if (ADDS_BROADCAST.test(text)) world.carrier = sender;
  if (world.carrier === null || world.carrier !== sender || !DELETES_MESSAGE.test(text))
    return weatherOf(world, text, isWithin);
  world.carrier = null;
  const step = takeOne(world, "message");
  if (step === undefined) return weatherOf(world, text, isWithin);
  strike(world, step, sender);
  return { delayMs: 0, cut: "before" };
}

function takeOne({ ambushes }: World, what: Step["waitsFor"]): Step | undefined {
  const at = ambushes.findIndex(({ waitsFor }) => waitsFor === what);
  return at < 0 ? undefined : ambushes.splice(at, 1)[0];
}

function strike(world: World, step: Step, struck: Owner | null): void {
  const node = servingNodes(world).find(({ owner }) => owner === struck);
  if (node !== undefined && !world.weather.isHealed) disturb(world, step, node);
}
