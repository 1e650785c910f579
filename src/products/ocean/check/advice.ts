/** What to do about an answer that is none, by its code. */
import type { NoAnswer } from "../sources/poll-carriers.ts";

export function adviceOn(answer: NoAnswer): string {
  switch (answer.kind) {
    case "not_found":
      return "The carrier does not know this reference: check it, and that your credentials may see it.";
    case "lacking":
      return `The carrier can only be asked with a second reference of kind ${answer.needs}: give it with --with, or ask about another kind.`;
    case "not_permitted":
      return answer.status === 401
        ? "The carrier refuses the credentials: check the keys in the carriers file, and that they have not expired."
        : "The carrier knows the credentials, but they may not ask this: check the subscription and the addresses it allows.";
    case "unavailable":
      return waitText(answer) + (BY_REASON.find(([reason]) => reason.test(answer.reason))?.[1] ?? LATER);
  }
}

const LATER = "The carrier has an outage, or its API is elsewhere: try again, and check baseUrl.";

const BY_REASON: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /^http_429$/,
    "The quota is used up: set `quota` to what your plan allows, so that Boathook stays below it.",
  ],
  [
    /^http_3/,
    "Redirects are not followed, so that keys reach no other server: set baseUrl to the address it names.",
  ],
  [
    /^(?:not_json|not_events)$/,
    "The answer holds no list of events: check baseUrl, or name the list in `spelling.envelopes`.",
  ],
  [/^unreadable$/, "No event could be read: describe the carrier's fields in `spelling`."],
  [
    /^next_page|^too_many/,
    "The answer is not whole, and half an answer counts as none: ask by container, or set `limit`.",
  ],
  [
    /^answer_cut$/,
    "The answer is cut, and the part that came is of others: ask by container, or say in `question.split` how the carrier can be asked for parts.",
  ],
  [/^too_large$/, "The answer is larger than Boathook reads: ask by container."],
  [/^timeout$/, "The carrier did not answer in time: try again, or set `timeoutMs`."],
  [/^connection$/, "The connection broke: check that a firewall or proxy lets it through."],
  [/^quota$/, "The `quota` in the carriers file allows no further request now."],
  [
    /^oauth_(?:key|certificate)/,
    "The key or its certificate cannot sign: check `oauth.assertion`, and renew a certificate that has expired with the carrier.",
  ],
  [/^oauth_/, "The token endpoint gave no token: check `oauth.tokenUrl`, and try again."],
];

function waitText({ reason, retryAfterMs }: Extract<NoAnswer, { kind: "unavailable" }>): string {
  if (retryAfterMs === null) return "";
  const wait = `Wait ${Math.ceil(retryAfterMs / 1000)} s`;
  // Our own quota: nothing was sent.
  return reason === "quota" ? `${wait}. ` : `${wait}, as the carrier asks. `;
}
