/** What carries messages, read as if it came at noon UTC on 20 November 2026. */
import { readCarried, type CarriedMessage } from "../../../src/products/air/sources/carried/read-carried.ts";
import { RECEIVED_MS } from "../imp/reading.ts";

/** Slices of the reading end when they like: nothing waits. */
const STILL = { monotonicMs: () => 0 };

export function readIn(
  sent: string | Buffer,
  isMail = false,
  clock = STILL,
): Promise<readonly CarriedMessage[]> {
  return readCarried(Buffer.from(sent), isMail, RECEIVED_MS, clock);
}

/** The reason and the place of what was refused as a whole. */
export async function refusalOf(sent: string | Buffer, isMail = false, clock = STILL): Promise<string> {
  const [told, ...more] = await readIn(sent, isMail, clock);
  if (told?.message.kind !== "refused" || more.length > 0) return `read: ${JSON.stringify([told, ...more])}`;
  const { line, column, message } = told.message.problem;
  return `${told.part === null ? "" : `${told.part} `}${line}:${column} ${message}`;
}
