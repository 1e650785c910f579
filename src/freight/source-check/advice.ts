/** What to do about an answer that is none, by its code. */
import type { HttpAnswer } from "../upstream/http.ts";
import type { NoAnswer } from "../upstream/no-answer.ts";
import { connectionAdvice, connectionCode } from "./connection.ts";
import type { SourceWords } from "./step.ts";

/** Codes that mean something else to one kind of source, tried first. */
export type AdviceByReason = readonly (readonly [reason: RegExp, advice: string])[];

/** `last`: of the request that it came of, for what a broken connection's code says. */
export function adviceOn(
  answer: NoAnswer,
  words: SourceWords,
  own: AdviceByReason,
  last?: HttpAnswer,
): string {
  const { whom, file, subject } = words;
  switch (answer.kind) {
    case "not_found":
      return `The ${whom} does not know this ${subject}: check it, and that your credentials may see it.`;
    case "not_permitted":
      return answer.status === 401
        ? `The ${whom} refuses the credentials: check the keys in the ${file}, and that they have not expired.`
        : `The ${whom} knows the credentials, but they may not ask this: check the subscription and the addresses it allows.`;
    case "unavailable": {
      if (answer.reason.endsWith("connection") && last?.kind === "failed")
        return waitText(answer, words) + connectionAdvice(connectionCode(last.cause), words);
      const known = [...own, ...byReason(words)].find(([reason]) => reason.test(answer.reason));
      return waitText(answer, words) + known![1];
    }
  }
}

const byReason = ({ whom, file, address }: SourceWords): AdviceByReason => [
  [
    /^http_429$/,
    "The quota is used up: set `quota` to what your plan allows, so that Boathook stays below it.",
  ],
  [
    /^http_3/,
    `Redirects are not followed, so that keys reach no other server: set ${address} to the address it names.`,
  ],
  [/^timeout$/, `The ${whom} did not answer in time: try again, or set \`timeoutMs\`.`],
  [/^quota$/, `The \`quota\` in the ${file} allows no further request now.`],
  [
    /^oauth_(?:key|certificate)/,
    `The key or its certificate cannot sign: check \`oauth.assertion\`, and renew a certificate that has expired with the ${whom}.`,
  ],
  [/^oauth_/, "The token endpoint gave no token: check `oauth.tokenUrl`, and try again."],
  [/(?:)/, `The ${whom} has an outage, or its API is elsewhere: try again, and check ${address}.`],
];

function waitText(
  { reason, retryAfterMs }: Extract<NoAnswer, { kind: "unavailable" }>,
  { whom }: SourceWords,
): string {
  if (retryAfterMs === null) return "";
  const wait = `Wait ${Math.ceil(retryAfterMs / 1000)} s`;
  // Our own quota: nothing was sent.
  return reason === "quota" ? `${wait}. ` : `${wait}, as the ${whom} asks. `;
}
