/**
 * Faults that wait for the moment at which they cost most, and come to the node that works then:
 *
 *     poll: a source has said what it did not say before ─▶ the answer, or what comes of it is written
 *     message: a node has applied a broadcast in a cell ─▶ it deletes the message, which comes again otherwise
 */
import { disturb, weatherOf } from "./disturbances.ts";
import { lastSender } from "./network.ts";
import type { Node } from "./node.ts";
import type { RequestFate } from "./postgres.ts";
import type { Step } from "./story.ts";
import { after, WORLD } from "./time.ts";
import { see, servingNodes, type World } from "./world.ts";

/** Until what comes of an answer is mostly written. */
const ANSWERED_MS_MAX = 10;

const APPLIES_BROADCAST = /^insert into \S+\.broadcasts/m;
const DELETES_MESSAGE = /^delete from \S+\.outbox where/m;

/** A source says something new to the node that sent last. */
export function ambushPoll(world: World): void {
  const asker = lastSender();
  const step = world.ambushes.find(({ waitsFor }) => waitsFor === "poll");
  if (step === undefined) return;
  after(step.atMs % ANSWERED_MS_MAX, () => void strike(world, "poll", nodeOf(world, asker)), WORLD);
}

/** Of the next request to the database, which may find its node struck. */
export function fateOf(world: World, text: string, isWithin: boolean): RequestFate {
  const sender = lastSender();
  if (world.forwarder !== null && world.forwarder === sender && DELETES_MESSAGE.test(text)) {
    world.forwarder = null;
    if (strike(world, "message", nodeOf(world, sender))) return { delayMs: 0, cut: "before" };
  }
  const fate = weatherOf(world, text, isWithin);
  // What is announced is inserted within a transaction, and by no message.
  if (!isWithin && fate.cut === undefined && fate.refuse === undefined && APPLIES_BROADCAST.test(text))
    world.forwarder = sender;
  return fate;
}

function nodeOf(world: World, sender: ReturnType<typeof lastSender>): Node | undefined {
  return servingNodes(world).find(({ owner }) => owner === sender);
}

/** Returns whether something has waited for that. */
function strike(world: World, what: NonNullable<Step["waitsFor"]>, node: Node | undefined): boolean {
  const at = world.ambushes.findIndex(({ waitsFor }) => waitsFor === what);
  if (at < 0 || node === undefined || world.weather.isHealed) return false;
  const [step] = world.ambushes.splice(at, 1);
  disturb(world, step!, node);
  see(world, `ambush at a ${what}`, node);
  return true;
}
