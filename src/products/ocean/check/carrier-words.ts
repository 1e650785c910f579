/** How `boathook carriers check` speaks, and which of an entry's texts it never shows. */
import type { AdviceByReason } from "../../../freight/source-check/advice.ts";
import { createMask, namesSecret, type Mask } from "../../../freight/source-check/secrets.ts";
import type { SourceWords } from "../../../freight/source-check/step.ts";
import type { Carrier } from "../sources/carriers.ts";

export const CARRIER: SourceWords = {
  whom: "carrier",
  file: "carriers file",
  subject: "reference",
  address: "baseUrl",
};

export const CARRIER_ADVICE: AdviceByReason = [
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
];

export function maskOf(carrier: Carrier): Mask {
  const {
    headers,
    apiKeys,
    oauth,
    parameters = {},
    accounts = {},
    callbackSecrets = [],
    portCalls,
    signature,
  } = carrier;
  const ofAccounts = Object.values(accounts);
  // Some carriers take keys as parameters of the question.
  const ofQuestion = [parameters, ...ofAccounts.map((account) => account.parameters ?? {})]
    .flatMap((one) => Object.entries(one))
    .flatMap(([name, value]) => (namesSecret(name) ? [value] : []));
  const signIns = ofAccounts.flatMap((account) => [account.headers, account.oauth]);
  const ofSignature = signature === undefined ? [] : [signature.secret, ...keysIn(signature.headers)];
  return createMask(
    [headers, portCalls?.headers, apiKeys, oauth, ...signIns],
    [...ofQuestion, ...ofSignature, ...callbackSecrets],
  );
}

/** What stands between quotation marks in a header of a signature without a placeholder: the name that signs. */
function keysIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) =>
    [...value.matchAll(/(?:username|keyId)="([^"{}]+)"/gi)].flatMap(([, key]) => key ?? []),
  );
}
