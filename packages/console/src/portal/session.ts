/**
 * The reader's session: a token in this tab alone, sent with each request, and renewed while the page is used.
 *
 *     link in the address, or kept in the tab ─▶ in ─(half its life is over)─▶ renewed ─▶ in
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

export async function signIn(body: { readonly key: string } | { readonly link: string }) {
  return opened(await ask("POST /v1/portal/session", {}, body));
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

/** A session that this tab has had before, or the one that its address is a link to. Null: none; a text says why. */
export async function resume(): Promise<Session | string | null> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const link = fragment.get("link");
  if (link !== null) {
    // Nobody who reads the address later finds it.
    history.replaceState(null, "", location.pathname + location.search);
    const answer = await signIn({ link });
    return answer.ok ? session : answer.failure.message;
  }
  const text = inTab((tab) => tab.getItem(NAME));
  if (text === null) return null;
  session = JSON.parse(text) as Session;
  openedBy = session.opened_by;
  await renew();
  return session ?? whyOver();
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
