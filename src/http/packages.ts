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

const NOT_BUILT = {
  code: "UNAVAILABLE",
  message: "the packages are not built; in Boathook's folder, run npm run build:packages",
} as const;

export function mountPackages(
  app: Listener,
  context: Pick<ProductContext, "product" | "limits">,
  folder = buildFolder("packages"),
): void {
  const { product } = context;
  let packages: ReadonlyMap<string, Buffer> | null = null;
  const schema = { hide: true, params: Type.Object({ "*": Type.String() }) };
  app.get("/packages/*", { schema, onRequest: limitByAddress(context) }, async (request, reply) => {
    packages ??= existsSync(folder) ? readFiles(folder) : null;
    if (packages === null) return refuse(reply, product, NOT_BUILT);
    const found = packages.get(request.params["*"]);
    if (found !== undefined) return answerFresh(request, reply, "application/octet-stream", found);
    const message = `of this version, the service has ${[...packages.keys()].join(", ")}`;
    return refuse(reply, product, { code: "NOT_FOUND", message });
  });
}

/** By their paths in the folder. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path.replaceAll(sep, "/"), readFileSync(join(folder, path))]));
}
