/** What became of a request to a source, or why it is not asked, in words. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ok: "It answered.",
    told: "It answered.",
    broken_off: "The fetch was broken off: the process stopped, or another node goes on with it.",
    timeout: "It did not answer in time.",
    connection: "No connection came about, or it broke off.",
    too_large: "Its answer is larger than the service reads.",
    unreadable: "What it sent could not be read.",
    not_found: "None that was asked knows the reference.",
    wrong_carrier: "Another carrier knows the reference, the named one does not.",
    wrong_carrier_not_asked:
      "The named carrier is not in the carriers file, and no other knows the reference.",
    not_permitted: "It refused our credentials. Check them in its entry.",
    deadline: "Not all that may know the reference answered in time.",
    not_configured: "No entry of the carriers file is there for it.",
    paused: "It asked for a pause, which holds on all nodes.",
    quota: "Its quota is used up for now.",
    breaker_open: "It failed several times in a row; a probe follows.",
    http_400: "It refused the request as wrong. Check the parameters in its entry.",
    http_401: "It refused our credentials. Check them in its entry.",
    http_403: "Our credentials may not ask this. Check with the source what they are for.",
    http_408: "It gave up waiting for the request.",
    http_410: "It says that the address is gone. Check it in its entry.",
    http_429: "It wants fewer requests. The service pauses, and a quota in its entry prevents it.",
  }),
);

const STARTS: readonly (readonly [start: string, text: string])[] = [
  ["needs_", "It can only be asked with a second reference, which nobody has given."],
  ["oauth_", "Its token endpoint gave no token. Check the credentials in its entry."],
  ["http_3", "It redirects, which is not followed. Check the address in its entry."],
  ["http_5", "It failed on its own side."],
  ["http_4", "It refused the request."],
  ["", "It gave no answer that can be used."],
];

/** `code`: of a source's outcome or wait, or as a poll's failure is stored, `unavailable_http_429`. */
export function wordsOf(code: string): string {
  const reason = code.replace(/^unavailable_/, "");
  return WORDS.get(reason) ?? STARTS.find(([start]) => reason.startsWith(start))![1];
}
