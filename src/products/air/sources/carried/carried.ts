/** What a pushed text carries: a message itself, or something that holds texts, which may hold others. */
import type { Problem } from "../imp/problem.ts";
import type { ReadMessage } from "../imp/read-messages.ts";

export type Carried = {
  /** Where it stands within what was pushed: `fsu.txt`, `/data/0/text`; null: it is what was pushed. */
  readonly part: string | null;
  /** Bytes, until they are decoded. */
  readonly content: Buffer | string;
  /** What it is said to be; anything but an e-mail is known by its content. */
  readonly isMail: boolean;
  /** Of what holds it, from 0. */
  readonly depth: number;
};

export type Opened = {
  /** That stand in it, read. */
  readonly messages: readonly ReadMessage[];
  readonly inside: readonly Carried[];
  /** Why it cannot be opened; null if it was. */
  readonly failure: Problem | null;
};

export const NOTHING_OPENED: Opened = { messages: [], inside: [], failure: null };

/** A text in what was opened, or bytes. */
export function within(holder: Carried, place: string, content: Buffer | string, isMail = false): Carried {
  const part = holder.part === null ? place : `${holder.part} > ${place}`;
  return { part, content, isMail, depth: holder.depth + 1 };
}

/** Whether a text is worth being opened: no message is without one of these words. */
export function mayHoldMessage(text: string): boolean {
  return /FS[UA]|StatusMessage|HouseManifest|Waybill/i.test(text);
}
