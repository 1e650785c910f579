/** How `boathook schedules check` speaks, and which of a feed's texts it never shows. */
import type { AdviceByReason } from "../../../freight/source-check/advice.ts";
import { createMask, namesSecret, type Mask } from "../../../freight/source-check/secrets.ts";
import type { SourceWords } from "../../../freight/source-check/step.ts";
import type { Feed } from "../sources/feed-schema.ts";

export const FEED: SourceWords = {
  whom: "carrier",
  file: "schedules file",
  subject: "service, vessel, port or pair",
  address: "url",
};

export const FEED_ADVICE: AdviceByReason = [
  [/^next_page/, "The answer's next page is no further page of it: check url with the carrier's documents."],
  [/^too_many_pages$/, "The answer has more pages than Boathook reads: ask by service, or set `daysAhead`."],
  [/^too_large$/, "The answer is larger than Boathook reads: ask by service, or set `daysAhead`."],
];

/** Some carriers take keys as parameters of the question. */
export function maskOf({ headers, apiKeys, oauth, secret, parameters = {} }: Feed): Mask {
  const ofQuestion = Object.entries(parameters).flatMap(([name, value]) =>
    namesSecret(name) ? [value] : [],
  );
  return createMask([headers, apiKeys, oauth], secret === undefined ? ofQuestion : [...ofQuestion, secret]);
}
