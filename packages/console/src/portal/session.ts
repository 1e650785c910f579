/**
 * The client's session, renewed while the page is used.
 *
 *     link in the address, or kept in the tab ─▶ in ─(half its life is over)─▶ renewed ─▶ in
 *     both, of two accounts ─▶ asked which ─▶ in
 *     else: out ─(a key)─▶ in ─(401, or signed out)─▶ out
 */
import type { Answered } from "../ui/api.ts";
import { forgetDrafts } from "../ui/drafts.ts";
import { createSession, type Resumed } from "../ui/session.ts";
import { ask, type Session } from "./answers.ts";
import { PAGES, PRODUCT, ROUTES } from "./place.ts";

const SESSIONS = `${ROUTES}/v1/portal/session`;

const { current, keep: keepInTab, send } = createSession<Session>(`portal 2 ${PRODUCT.tag} ${PAGES}`);

/** Since the answer, half of its life; one that was kept is renewed at once. */
let renewAtMs = 0;
/** Of the last session. */
let accountId = current()?.account_id ?? null;
let openedBy: Session["opened_by"] = current()?.opened_by ?? "key";
let renewing: Promise<void> | null = null;

export { current as currentSession };

export async function signIn(key: string) {
  const answer = opened(await ask("POST /v1/portal/session", {}, { key }));
  if (answer.ok) hideLink();
  return answer;
}

/** What the reader does next depends on how the last session was opened. */
function whyOver(): string {
  return openedBy === "link"
    ? "Your session is over. Load the page again from which you came, or sign in with a key."
    : "Your session is over. Sign in again to go on where you were.";
}

/** The service wants the session no more. Says what the reader does next. */
export function forget(): string {
  keep(null);
  return whyOver();
}

/** Nobody has to be asked: the service stores no session. */
export async function signOut(): Promise<null> {
  keep(null);
  forgetDrafts();
  return null;
}

/** A link that is opened in this tab loads no page. */
export function whenLinked(change: (now: Resumed) => void): () => void {
  const open = (): void => {
    if (linkIn(location.hash) !== null) void resume().then(change);
  };
  addEventListener("hashchange", open);
  return () => removeEventListener("hashchange", open);
}

/** The session that the address is a link to, or one that this tab has had before. */
export async function resume(): Promise<Resumed> {
  const link = linkIn(location.hash);
  if (link !== null) return follow(link, current());
  if (current() === null) return { is: "out", why: null };
  await renew();
  return current() === null ? { is: "out", why: whyOver() } : { is: "in" };
}

async function follow(link: string, kept: Session | null): Promise<Resumed> {
  const answer = await ask("POST /v1/portal/session", {}, { link });
  // A link that could not be followed now is followed when the page is loaded again.
  if (answer.ok || answer.failure.againMs === null) hideLink();
  if (!answer.ok) return { is: "out", why: answer.failure.message };
  const linked = answer.value.data;
  const replace = (): void => keep(linked);
  if (kept !== null && kept.account_id !== linked.account_id) {
    const isAlike = kept.account_name === linked.account_name;
    const nameOf = ({ account_id: id, account_name: name }: Session) => (isAlike ? `${name} (${id})` : name);
    return { is: "asked", current: nameOf(kept), linked: nameOf(linked), replace };
  }
  replace();
  return { is: "in" };
}

/** Nobody who reads the address later finds it. */
function hideLink(): void {
  history.replaceState(null, "", location.pathname + location.search);
}

function linkIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("link");
}

function opened<Answer extends { readonly data: Session }>(answer: Answered<Answer>): Answered<Answer> {
  if (answer.ok) keep(answer.value.data);
  return answer;
}

function keep(next: Session | null): void {
  if (next !== null && accountId !== null && next.account_id !== accountId) forgetDrafts();
  accountId = next?.account_id ?? accountId;
  keepInTab(next);
  if (next === null) return;
  openedBy = next.opened_by;
  renewAtMs = performance.now() + next.expires_in_seconds * 500;
}

async function renew(): Promise<void> {
  const session = current();
  if (session === null) return;
  const answer = opened(await ask("POST /v1/portal/session", {}, { session: session.token }));
  // One that the service does not want is over; one that it cannot renew now goes on.
  if (!answer.ok && answer.failure.status === 401) keep(null);
}

send(async (path) => {
  if (path === SESSIONS) return false;
  if (current() !== null && performance.now() > renewAtMs) {
    renewing ??= renew().finally(() => (renewing = null));
    await renewing;
  }
  return true;
});
