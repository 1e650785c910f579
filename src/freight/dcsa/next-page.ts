/**
 * The page after `current`, null when it was the last. 3.0 has `Next-Page-Cursor`, to be sent with the
 * first page's parameters. 2.2 calls `Next-Page` a link and shows a cursor, and carriers send either, or
 * a `Link` (RFC 8288). A link to another host is not followed: the carrier's key must not leave it.
 */
export function nextPageUrl(current: URL, header: (name: string) => string | null): URL | "elsewhere" | null {
  const cursor = header("next-page-cursor")?.trim();
  if (cursor !== undefined && cursor !== "") return withCursor(current, cursor);
  const linked = LINK.exec(header("link") ?? "")?.[1];
  const written = linked === undefined ? header("next-page")?.trim() : `<${linked}>`;
  if (written === undefined || written === "") return null;
  const bracketed = /^<([^>]*)>/.exec(written)?.[1];
  if (bracketed === undefined && !LOOKS_LIKE_A_LINK.test(written)) return withCursor(current, written);
  const link = bracketed ?? written;
  if (!URL.canParse(link, current.href)) return "elsewhere";
  const next = new URL(link, current.href);
  return next.origin === current.origin ? next : "elsewhere";
}

const LINK = /<([^>]*)>\s*;[^,]*\brel="?next\b/;
/** A cursor is often base64, which may begin with a slash and has no question mark. */
const LOOKS_LIKE_A_LINK = /^(https?:\/\/|\?|\/.*\?)/;

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current.href);
  next.searchParams.set("cursor", cursor);
  return next;
}
