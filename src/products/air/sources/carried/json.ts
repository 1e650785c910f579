/** A provider's JSON → the texts in it that may hold a message, wherever they stand. */
import { parseJsonSteps } from "../../../../model/json.ts";
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import { mayHoldMessage, NOTHING_OPENED, within, type Carried, type Opened } from "./carried.ts";

const VALUES_PER_STEP = 2_000;

type Level = {
  readonly pointer: string;
  readonly members: Iterator<readonly [name: string | number, value: unknown]>;
};

/** Null: the text is no JSON, or nested too deep. */
export function* openJson(holder: Carried, text: string): SlicedWork<Opened | null> {
  const json = yield* parseJsonSteps(text);
  if (json === undefined) return null;
  const inside: Carried[] = [];
  const levels: Level[] = [];
  const visit = (pointer: string, value: unknown): void => {
    if (typeof value === "string") {
      const held = heldIn(value);
      if (held !== null) inside.push(within(holder, pointer === "" ? "/" : pointer, held));
    } else if (isLines(value)) {
      inside.push(within(holder, pointer === "" ? "/" : pointer, value.join("\n")));
    } else if (Array.isArray(value)) {
      levels.push({ pointer, members: value.entries() });
    } else if (typeof value === "object" && value !== null) {
      levels.push({ pointer, members: Object.entries(value).values() });
    }
  };
  visit("", json);
  for (let count = 1; levels.length > 0; count += 1) {
    if (count % VALUES_PER_STEP === 0) yield;
    const { pointer, members } = levels.at(-1)!;
    const { done, value: member } = members.next();
    if (done === true) levels.pop();
    else visit(`${pointer}/${String(member[0]).replaceAll("~", "~0").replaceAll("/", "~1")}`, member[1]);
  }
  return { ...NOTHING_OPENED, inside };
}

/** Some providers send a message as a list of its lines. */
function isLines(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length < 2) return false;
  return (
    /^\s*FS[UA](?:\/\d{1,3})?\s*$/i.test(String(value[0])) &&
    value.every((line) => typeof line === "string" && !/[\r\n]/.test(line))
  );
}

const BASE64_CHARS_MIN = 24;

/** Queues of cloud providers encode what they carry; null: nothing that may be a message. */
function heldIn(text: string): string | Buffer | null {
  if (mayHoldMessage(text)) return text;
  if (text.length < BASE64_CHARS_MIN || /[^\w+/=\r\n-]/.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return mayHoldMessage(bytes.toString("latin1")) ? bytes : null;
}
