/**
 * The operator's session: a token in the tabs of this console alone, sent with each request. A new tab gets it from one
 * that is open.
 *
 *     kept in the tab, or in another ─▶ in ─(401, or signed out, in whichever tab)─▶ out ─(the operator's token)─▶ in
 */
import { sendWith } from "../ui/api.ts";
import { ask } from "./answers.ts";

/** Of what the tab keeps, and of the channel. Another one where a word changes: pages of two versions may be open. */
const NAME = "boathook session 1";
/** Another tab answers within milliseconds. */
const ANSWER_MS_MAX = 200;

type Word = { readonly is: "asked" } | { readonly is: "in"; readonly token: string } | { readonly is: "out" };

let token: string | null = sessionStorage.getItem(NAME);
const channel = new BroadcastChannel(NAME);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
const post = (word: Word): void => channel.postMessage(word);

/** A session that this tab or another has; false: there is none. */
export async function resume(): Promise<boolean> {
  if (token !== null) return true;
  const answered = new Promise<void>((resolve) => channel.addEventListener("message", () => resolve()));
  post({ is: "asked" });
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWER_MS_MAX))]);
  return token !== null;
}

export async function signIn(operatorToken: string) {
  const answer = await ask("POST /v1/session", {}, { token: operatorToken });
  if (answer.ok) {
    keep(answer.value.token);
    post({ is: "in", token: answer.value.token });
  }
  return answer;
}

export async function signOut() {
  const answer = await ask("DELETE /v1/session");
  if (!answer.ok && answer.failure.status !== 401) return answer;
  keep(null);
  post({ is: "out" });
  return answer;
}

/** Calls `listener` when another tab has signed out. */
export function whenOut(listener: () => void): void {
  channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if (data.is === "out") listener();
  });
}

/** The service wants the session no more. */
export function forget(): void {
  keep(null);
}

function keep(next: string | null): void {
  token = next;
  if (next === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, next);
}

channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
  if (data.is === "asked" && token !== null) post({ is: "in", token });
  if (data.is === "in" && token === null) keep(data.token);
  if (data.is === "out") keep(null);
});

sendWith(async () => (token === null ? {} : { authorization: `Bearer ${token}` }));
