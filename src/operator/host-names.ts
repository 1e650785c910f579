/**
 * Whom the operator's listener may be addressed as. A page in a browser can point a name of its own at this listener
 * (DNS rebinding) and then read what needs no token; the `Host` of its requests is that name.
 */
import { isIP } from "node:net";

import type { Listener } from "../http/listener.ts";
import { refuse } from "./errors.ts";

/**
 * Takes addresses, names without a point (`localhost`, a container's name), which nobody outside can own, and
 * `names`. Browsers always send a `Host`.
 */
export function requireHost(app: Listener, names: readonly string[]): void {
  const own = new Set(names.map((name) => name.toLowerCase()));
  app.addHook("onRequest", async ({ headers: { host } }, reply) => {
    if (host === undefined || isOwn(host.toLowerCase(), own)) return;
    await refuse(reply, {
      code: "INVALID_REQUEST",
      message: "this listener has another name; use its address, or add the name to BOATHOOK_OPS_HOSTS",
    });
  });
}

function isOwn(host: string, own: ReadonlySet<string>): boolean {
  const [, v6, name = ""] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/.exec(host) ?? [];
  if (v6 !== undefined) return isIP(v6) === 6;
  return name !== "" && (!name.includes(".") || isIP(name) === 4 || own.has(name));
}
