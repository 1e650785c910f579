/** What the frame of every page does: its title, and where reading begins on a new page. */
import { useEffect, useState } from "preact/hooks";

import { usePlace } from "./route.tsx";

/** `page`: the name of the page that the address means, undefined where there is none. `site`: whose pages they are. */
export function useFrame(page: string | undefined, site: string): void {
  const { path } = usePlace();
  useEffect(() => {
    document.title = `${page ?? "Not found"} · ${site}`;
    // On a narrow screen the names of the pages scroll.
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [page, site]);
  const [seen] = useState({ path });
  useEffect(() => {
    // As a browser does with a page that it loads: reading and tabbing begin at its start.
    if (seen.path !== path) document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
    seen.path = path;
  }, [path]);
}
