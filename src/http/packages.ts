/**
 * What a client installs, as `npm run build:packages` packs it: `/{product}/packages/<file>`. A product may lie under a
 * host name of its own, so each has the route.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

import Type from "typebox";

import { buildFolder } from "./built-pages.ts";
import { refuse } from "./envelope.ts";
import type { Listener } from "./listener.ts";
import type { ProductContext } from "./ports.ts";
import { answerFresh } from "./public-document.ts";
import { limitByAddress } from "./rate-limit.ts";

const NOT_BUILT = "the packages are not built; in Boathook's folder, run npm run build:packages";

export function mountPackages(
  app: Listener,
  context: Pick<ProductContext, "product" | "limits">,
  folder = buildFolder("packages"),
): void {
  const { product } = context;
  const schema = { hide: true, params: Type.Object({ "*": Type.String() }) };
  app.get("/packages/*", { schema, onRequest: limitByAddress(context) }, async (request, reply) => {
    const names = existsSync(folder) ? filesIn(folder) : [];
    const wanted = request.params["*"];
    if (names.includes(wanted))
      return answerFresh(request, reply, "application/octet-stream", readFileSync(join(folder, wanted)));
    // No 503, after which npm and pip ask again for a minute and show nothing.
    const message = names.length === 0 ? NOT_BUILT : `of this version, the service has ${names.join(", ")}`;
    return refuse(reply, product, { code: "NOT_FOUND", message });
  });
}

/** Their paths in the folder. */
function filesIn(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return files.map((path) => path.replaceAll(sep, "/"));
}
