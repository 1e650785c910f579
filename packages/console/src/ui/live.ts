/** Whether the service answers, when there may be something new, and what else a role knows of it: shared by all pages. */
import { useEffect, useState } from "preact/hooks";

export type Live = {
  readonly state: "connecting" | "live" | "away";
  /** Changes whenever there may be something new. */
  readonly tick: number;
};

/** `change` tells all pages; `now` is what they know. */
export function createLive<Known extends Live>(start: Known) {
  let live = start;
  const listeners = new Set<(next: Known) => void>();
  return {
    now: (): Known => live,
    change(part: Partial<Known>): void {
      live = { ...live, ...part };
      for (const listener of listeners) listener(live);
    },
    useLive(): Known {
      const [shown, setShown] = useState(live);
      useEffect(() => {
        setShown(live);
        listeners.add(setShown);
        return () => void listeners.delete(setShown);
      }, []);
      return shown;
    },
  };
}
