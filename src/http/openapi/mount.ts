import { promisify } from "node:util";
import { gzip } from "node:zlib";

import swagger from "@fastify/swagger";
import type { FastifyReply } from "fastify";

import { answerDocument, buildFolder, builtPages, escaped, inCoding, mountAssets } from "../built-pages.ts";
import { refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { answerFresh } from "../public-document.ts";
import { limitByAddress } from "../rate-limit.ts";
import type { Refusal } from "../refusal.ts";
import { documentOptions } from "./document.ts";

/** The reference page loads nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HIDDEN = { schema: { hide: true } };
const compress = promisify(gzip);

/** The same of all products. */
const pages = builtPages(buildFolder("reference"));

/** `/openapi.json` and the reference page at `/docs`, to which the base address leads, from the schemas of the routes mounted after this. */
export async function mountDocumentation(app: Listener, context: ProductContext): Promise<void> {
  const { product } = context;
  await app.register(swagger, documentOptions(product, app.prefix));
  await app.register(async (scope: Listener) => {
    scope.addHook("onRequest", limitByAddress(context));
    // Relative, under a prefix or a host name of its own.
    scope.get("/", HIDDEN, async ({ originalUrl }, reply) => {
      const [path = ""] = originalUrl.split("?", 1);
      return reply.redirect(path.endsWith("/") ? "docs/" : `${path.slice(path.lastIndexOf("/") + 1)}/docs/`);
    });
    mountDocument(scope, () => app.swagger());
    mountReference(scope, product.title, (reply, refusal) => refuse(reply, product, refusal));
  });
}

/** `/openapi.json`, made and compressed when it is first asked for. */
export function mountDocument(scope: Listener, read: () => object): void {
  const make = async () => {
    const plain = Buffer.from(JSON.stringify(read()));
    return { plain, compressed: await compress(plain) };
  };
  let made: ReturnType<typeof make> | undefined;
  scope.get("/openapi.json", HIDDEN, async (request, reply) => {
    made ??= make();
    return answerFresh(request, reply, "application/json", inCoding(request, reply, await made));
  });
}

/** The page at `/docs` of the document beside it. */
export function mountReference(
  scope: Listener,
  title: string,
  refuseOwn: (reply: FastifyReply, refusal: Refusal) => FastifyReply,
): void {
  // The page's own links are relative, and right only behind a slash.
  scope.get("/docs", HIDDEN, async (_request, reply) => reply.redirect("docs/"));
  scope.get("/docs/", HIDDEN, async (_request, reply) =>
    answerDocument(reply, pages(), PAGE_POLICY, (document) =>
      document.replace("%title%", () => escaped(title)),
    ),
  );
  mountAssets(scope, "/docs", pages, refuseOwn);
}
