/** What became of a request to a source, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ok: "It answered.",
  timeout: "It did not answer in time.",
  connection: "No connection came about, or it broke off.",
  too_large: "Its answer is larger than the service reads.",
  unreadable: "What it pushed could not be read.",
  http_400: "It refused the request as wrong. Check the parameters in its entry.",
  http_401: "It refused our credentials. Check them in its entry.",
  http_403: "Our credentials may not ask this. Check with the source what they are for.",
  http_408: "It gave up waiting for the request.",
  http_410: "It says that the address is gone. Check it in its entry.",
  http_429: "It wants fewer requests. The service pauses, and a quota in its entry prevents it.",
};

export function wordsOf(code: string): string {
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code.startsWith("oauth_"))
    return "Its token endpoint gave no token. Check the credentials in its entry.";
  if (code.startsWith("http_3"))
    return "It redirects, which is not followed. Check the address in its entry.";
  if (code.startsWith("http_5")) return "It failed on its own side.";
  if (code.startsWith("http_4")) return "It refused the request.";
  return "It gave no answer that can be used.";
}
