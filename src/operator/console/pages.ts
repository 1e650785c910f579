/** The console's pages, as `npm run build:console` bundles them: one document for all, and files named by what they hold. */
import { answerDocument, buildFolder, builtPages, mountAssets } from "../../http/built-pages.ts";
import type { Listener } from "../../http/listener.ts";
import { refuse } from "../errors.ts";

/** Nothing inline, nothing from elsewhere, in nobody's frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Mounts `/console` and what it loads, and leads a browser there that asks for `/`. */
export function mountConsole(app: Listener, folder = buildFolder("console")): void {
  const pages = builtPages(folder);
  for (const path of ["/console", "/console/*"])
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      answerDocument(reply, pages(), POLICY),
    );
  mountAssets(app, "/console", pages, refuse);
  app.addHook("onRequest", async ({ url, headers }, reply) => {
    if (url === "/" && headers.accept?.includes("text/html") === true) return reply.redirect("/console");
    return undefined;
  });
}
