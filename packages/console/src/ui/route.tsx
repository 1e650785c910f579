/** Where the reader is: every page has an address of its own, which can be kept and shared. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export type Place = { readonly path: string; readonly query: URLSearchParams };

const MOVED = "place";

function here(): Place {
  return { path: location.pathname.replace(/\/+$/, ""), query: new URLSearchParams(location.search) };
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  // Before the reader can click what is shown.
  useLayoutEffect(() => {
    const moved = (): void => setPlace(here());
    addEventListener("popstate", moved);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener("popstate", moved);
      removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
}

/**
 * `isSame`: the page stays, and its address says what it shows. One that the reader has left says nothing: what it cleans up it
 * does after the next page is painted, so a timer of it may come before.
 */
export function go(address: string, isSame = false): void {
  if (isSame && address.split("?", 1)[0] !== here().path) return;
  if (isSame) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  if (!isSame) scrollTo(0, 0);
  dispatchEvent(new Event(MOVED));
}

/** Changes parts of the query, an empty one away; of two changes at once, neither is lost. */
export function changeQuery(part: Readonly<Record<string, string>>): void {
  const { path, query } = here();
  for (const [name, value] of Object.entries(part)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  go(query.size === 0 ? path : `${path}?${query.toString()}`, true);
}

/** A part of an address, whatever the reader typed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type LinkProps = {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
};

export function Link({ to, current, children, ...others }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={to}
      onClick={follow}
      {...others}
      {...(current === true ? { "aria-current": "page" as const } : {})}
    >
      {children}
    </a>
  );
}
