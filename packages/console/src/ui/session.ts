/** A session: a token that this tab alone keeps, never a cookie, and that each request carries. */
import { sendWith } from "./api.ts";

export type Resumed =
  | { readonly is: "in" }
  /** `why`: what happened to the link or the session that the reader came with. */
  | { readonly is: "out"; readonly why: string | null }
  /** A link would replace the session of another account: its sender may want the reader to work in theirs. */
  | { readonly is: "asked"; readonly current: string; readonly linked: string; readonly replace: () => void };

/** `name`: of what the tab keeps. */
export function createSession<Session extends { readonly token: string }>(name: string) {
  const text = inTab((tab) => tab.getItem(name));
  let session = text === null ? null : (JSON.parse(text) as Session);
  return {
    current: (): Session | null => session,
    keep(next: Session | null): void {
      session = next;
      inTab((tab) => (next === null ? tab.removeItem(name) : tab.setItem(name, JSON.stringify(next))));
    },
    /** `before`: of a request to an address; false: it goes without the session. */
    send(before: (path: string) => Promise<boolean> | boolean = () => true): void {
      sendWith(async (path) =>
        (await before(path)) && session !== null ? { authorization: `Bearer ${session.token}` } : {},
      );
    },
  };
}

/** In another site's frame a browser may keep nothing: the session then ends with the page. */
function inTab<T>(use: (tab: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
