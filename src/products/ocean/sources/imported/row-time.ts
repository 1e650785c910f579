/** When a row says that its milestone happened, in the form that it names, and when it was stated. */
import { readDateTime, readWallClock } from "../../../../freight/dcsa/time.ts";
import { zoneAt } from "../../../../freight/places/known-ports.ts";
import type { EventTime } from "../../../../freight/places/local-time.ts";
import {
  compileTimePattern,
  TIME_PATTERN_FORM,
  type ReadByPattern,
} from "../../../../freight/places/time-pattern.ts";
import { mustBe, ValidationError, type ReadField } from "../../../../freight/tables/field.ts";
import type { Place } from "../carrier-event.ts";
import { plainText } from "./plain-text.ts";

export const readTimeForm: ReadField<ReadByPattern | null> = (written) => {
  const text = plainText(written);
  const form = text === null ? null : compiledPattern(text);
  if (text !== null && form === null) throw mustBe(TIME_PATTERN_FORM, written);
  return form;
};

/** The same for nearly all rows of a file. */
const compiledPattern = lastAnswer(compileTimePattern);

function lastAnswer<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  let last: { readonly text: string; readonly answer: Answer } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, answer: ask(text) };
    return last.answer;
  };
}

const TIME =
  "a time such as 2026-11-01T08:00:00+01:00, or 2026-11-01 08:00 by the clock of the place; another form needs its name in time_form, such as dd/MM/yyyy HH:mm";

export function readTime(written: unknown, place: Place | null, form: ReadByPattern | null): EventTime {
  const plain = plainText(written);
  const text = plain === null ? null : (form?.(plain) ?? plain);
  const at = text === null ? null : readDateTime(text);
  if (at !== null) return at;
  const isLocal = text !== null && readDateTime(`${text}Z`) !== null;
  if (!isLocal) throw mustBe(TIME, written);
  const zone = zoneAt(place);
  const local = zone === null ? null : readWallClock(text, zone);
  if (local !== null) return local;
  throw new ValidationError(
    "has no offset, and no zone is known for its place: give the offset, or the place's UN/LOCODE as location",
  );
}

export const readStatedAt: ReadField<number | null> = (written) => {
  const text = plainText(written);
  if (text === null) return null;
  const at = readDateTime(text);
  if (at === null) throw mustBe("a time with an offset, such as 2026-11-01T08:00:00Z", written);
  return at.ms;
};
