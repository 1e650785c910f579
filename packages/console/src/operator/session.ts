/**
 * The operator's session, in the tabs of this console alone. A new tab gets it from one that is open.
 *
 *     kept in the tab, or in another ─▶ in ─(401, or signed out, in whichever tab)─▶ out ─(the operator's token)─▶ in
 */
import { createSession, type Resumed } from "../ui/session.ts";
import { ask } from "./answers.ts";

type Session = { readonly token: string };

/** Of what the tab keeps, and of the channel. Another one where a word changes: pages of two versions may be open. */
const NAME = "boathook session 2";
/** Another tab answers within milliseconds. */
const ANSWER_MS_MAX = 200;

type Word =
  | { readonly is: "asked" }
  | { readonly is: "in"; readonly session: Session }
  | { readonly is: "out" };

const { current, keep, send } = createSession<Session>(NAME);
const channel = new BroadcastChannel(NAME);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
const post = (word: Word): void => channel.postMessage(word);

/** A session that this tab or another has, and that the service still knows. */
export async function resume(): Promise<Resumed> {
  if (current() === null) {
    const answered = new Promise<void>((resolve) => channel.addEventListener("message", () => resolve()));
    post({ is: "asked" });
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWER_MS_MAX))]);
  }
  const answer = current() === null ? null : await ask("GET /v1/history");
  const isOver = answer === null || (!answer.ok && answer.failure.status === 401);
  return isOver ? { is: "out", why: null } : { is: "in" };
}

export async function signIn(token: string) {
  const answer = await ask("POST /v1/session", {}, { token });
  if (answer.ok) {
    keep(answer.value);
    post({ is: "in", session: answer.value });
  }
  return answer;
}

/** Null, or why the reader is still signed in. */
export async function signOut(): Promise<string | null> {
  const answer = await ask("DELETE /v1/session");
  if (!answer.ok && answer.failure.status !== 401) return answer.failure.message;
  keep(null);
  post({ is: "out" });
  return null;
}

/** Calls `change` when another tab has signed out, or in again. */
export function whenChangedElsewhere(change: (now: Resumed) => void): () => void {
  const hear = ({ data }: MessageEvent<Word>): void => {
    if (data.is === "out") change({ is: "out", why: null });
    // What another tab has may be over.
    if (data.is === "in") void resume().then(change);
  };
  channel.addEventListener("message", hear);
  return () => channel.removeEventListener("message", hear);
}

/** The service wants the session no more. */
export function forget(): null {
  keep(null);
  return null;
}

channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
  const session = current();
  if (data.is === "asked" && session !== null) post({ is: "in", session });
  if (data.is === "in" && session === null) keep(data.session);
  if (data.is === "out") keep(null);
});

send();
