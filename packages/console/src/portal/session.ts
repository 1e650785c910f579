/**
 * The reader's session: a token in this tab alone, sent with each request, and renewed while the page is used.
 *
 *     link in the address, or kept in the tab ─▶ in ─(half its life is over)─▶ renewed ─▶ in
 *     both, of two accounts ─▶ asked which ─▶ in
 *     else: out ─(a key)─▶ in ─(401, or signed out)─▶ out
 */
import { sendWith, type Answered } from "../ui/api.ts";
import { ask, type Session } from "./answers.ts";
import { PAGES, PRODUCT, ROUTES } from "./place.ts";

const SESSIONS = `${ROUTES}/v1/portal/session`;
const NAME = `portal ${PRODUCT.tag} ${PAGES}`;

let session: Session | null = null;
/** Since the answer, half of its life. */
let renewAtMs = 0;
let openedBy: Session["opened_by"] = "key";
let renewing: Promise<void> | null = null;

export function currentSession(): Session | null {
  return session;
}

export async function signIn(key: string) {
  return opened(await ask("POST /v1/portal/session", {}, { key }));
}

/** What the reader does next depends on how the last session was opened. */
export function whyOver(): string {
  return openedBy === "link"
    ? "Your session is over. Load the page again from which you came, or sign in with a key."
    : "Your session is over. Sign in again to go on where you were.";
}

export function signOut(): void {
  keep(null);
}

export type Resumed =
  | { readonly is: "in" }
  | { readonly is: "out"; readonly why: string | null }
  /** A link would replace the session of another account: its sender may want the reader to work in theirs. */
  | { readonly is: "asked"; readonly current: string; readonly linked: string; readonly replace: () => void };

export function hasLink(): boolean {
  return linkIn(location.hash) !== null;
}

/** The session that the address is a link to, or one that this tab has had before. */
export async function resume(): Promise<Resumed> {
  const link = linkIn(location.hash);
  const text = inTab((tab) => tab.getItem(NAME));
  const kept = session ?? (text === null ? null : (JSON.parse(text) as Session));
  if (link !== null) return follow(link, kept);
  if (kept === null) return { is: "out", why: null };
  session = kept;
  openedBy = kept.opened_by;
  await renew();
  return session === null ? { is: "out", why: whyOver() } : { is: "in" };
}

async function follow(link: string, kept: Session | null): Promise<Resumed> {
  // Nobody who reads the address later finds it.
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await ask("POST /v1/portal/session", {}, { link });
  if (!answer.ok) return { is: "out", why: answer.failure.message };
  const linked = answer.value.data;
  const replace = (): void => keep(linked);
  if (kept !== null && kept.account_name !== linked.account_name) {
    keep(kept);
    return { is: "asked", current: kept.account_name, linked: linked.account_name, replace };
  }
  replace();
  return { is: "in" };
}

function linkIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("link");
}

function opened<Answer extends { readonly data: Session }>(answer: Answered<Answer>): Answered<Answer> {
  if (answer.ok) keep(answer.value.data);
  return answer;
}

function keep(next: Session | null): void {
  session = next;
  if (next === null) return void inTab((tab) => tab.removeItem(NAME));
  openedBy = next.opened_by;
  renewAtMs = performance.now() + next.expires_in_seconds * 500;
  inTab((tab) => tab.setItem(NAME, JSON.stringify(next)));
}

/** In a frame a browser may keep nothing: the session then ends with the page. */
function inTab<T>(use: (tab: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

async function renew(): Promise<void> {
  if (session === null) return;
  const answer = opened(await ask("POST /v1/portal/session", {}, { session: session.token }));
  // One that the service does not want is over; one that it cannot renew now goes on.
  if (!answer.ok && answer.failure.status === 401) keep(null);
}

function sessionHeaders(): Readonly<Record<string, string>> {
  return session === null ? {} : { authorization: `Bearer ${session.token}` };
}

sendWith(async (path) => {
  if (path === SESSIONS) return {};
  if (session !== null && performance.now() > renewAtMs) {
    renewing ??= renew().finally(() => (renewing = null));
    await renewing;
  }
  return sessionHeaders();
});
