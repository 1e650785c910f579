/** The console's pages, as `npm run build:console` bundles them: one document for all, and files named by what they hold. */
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";

import {
  answerForGood,
  answerPage,
  buildFolder,
  builtPages,
  DOCUMENT,
  HTML,
  NOT_BUILT,
} from "../../http/built-pages.ts";
import type { Listener } from "../../http/listener.ts";
import { refuse } from "../errors.ts";

/** Nothing inline, nothing from elsewhere, in nobody's frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Mounts `/console` and what it loads, and leads a browser there that asks for `/`. */
export function mountConsole(app: Listener, folder = buildFolder("console")): void {
  const page = builtPages(folder);

  function document(request: FastifyRequest, reply: FastifyReply) {
    reply.headers({ "content-security-policy": POLICY, "cache-control": "no-cache" });
    const found = page(DOCUMENT);
    return found === undefined
      ? reply.code(503).type(HTML).send(NOT_BUILT)
      : answerPage(request, reply, found);
  }

  const schema = { hide: true };
  for (const path of ["/console", "/console/*"])
    app.get(path, { schema }, (request, reply) => document(request, reply));
  const params = Type.Object({ name: Type.String() });
  app.get("/console/assets/:name", { schema: { ...schema, params } }, async (request, reply) => {
    const found = page(request.params.name);
    if (found === undefined)
      return refuse(reply, {
        code: "NOT_FOUND",
        message: "the console has no such file; load its page again",
      });
    return answerForGood(request, reply, found);
  });
  app.addHook("onRequest", async ({ url, headers }, reply) => {
    if (url === "/" && headers.accept?.includes("text/html") === true) return reply.redirect("/console");
    return undefined;
  });
}
