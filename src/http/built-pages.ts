/** Pages that `npm run build:console` bundles: a document, and files that are named by what they hold. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";

import type { Listener } from "./listener.ts";
import type { Refusal } from "./refusal.ts";

type BuiltPages = { readonly document: string; readonly files: ReadonlyMap<string, BuiltFile> };
type BuiltFile = { readonly type: string; readonly plain: Buffer; readonly compressed: Buffer };

/** Beside `src` in a clone, beside `dist` in the package. */
const BUILD = join(import.meta.dirname, "..", "..", "build");
const DOCUMENT = "index.html";
const HTML = "text/html; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Boathook: the pages are not built</title></head>
<body><h1>The pages are not built</h1>
<p>This clone was installed without its development packages, or without scripts. In its folder, run</p>
<pre>npm ci --ignore-scripts
npm run build</pre>
<p>and load this page again. The service need not restart. <code>npm prune --omit=dev --ignore-scripts</code> removes
the development packages again.</p></body></html>
`;

export const NOTHING_HERE: Refusal = {
  code: "NOT_FOUND",
  message: "these pages have no such file; load the page again",
};

export function buildFolder(name: "console" | "portal" | "reference" | "packages"): string {
  return join(BUILD, name);
}

const known = new Map<string, BuiltPages>();

/** Reads them when the first is asked for, or once they are built; all products share them. */
export function builtPages(folder: string): () => BuiltPages | null {
  return () => {
    const pages = known.get(folder) ?? (existsSync(join(folder, DOCUMENT)) ? readPages(folder) : null);
    if (pages !== null) known.set(folder, pages);
    return pages;
  };
}

function readPages(folder: string): BuiltPages {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const names = readdirSync(folder).filter((name) => name !== DOCUMENT);
  const files = names.map((name): [string, BuiltFile] => {
    const plain = read(name);
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    return [name, { type, plain, compressed: gzipSync(plain, { level: 9 }) }];
  });
  return { document: read(DOCUMENT).toString(), files: new Map(files) };
}

/** The document, which browsers ask for again each time: it names what it loads. */
export function answerDocument(
  reply: FastifyReply,
  pages: BuiltPages | null,
  policy: string,
  filledIn: (document: string) => string = (document) => document,
): FastifyReply {
  reply.headers({ "content-security-policy": policy, "cache-control": "no-cache" }).type(HTML);
  return pages === null ? reply.code(503).send(NOT_BUILT) : reply.send(filledIn(pages.document));
}

/** What the document loads, at `<path>/assets/`. */
export function mountAssets(
  app: Listener,
  path: string,
  pages: () => BuiltPages | null,
  refuse: (reply: FastifyReply, refusal: Refusal) => FastifyReply,
): void {
  const params = Type.Object({ name: Type.String() });
  app.get(`${path}/assets/:name`, { schema: { hide: true, params } }, async (request, reply) => {
    const found = pages()?.files.get(request.params.name);
    if (found === undefined) return refuse(reply, NOTHING_HERE);
    reply.type(found.type).header("cache-control", "public, max-age=31536000, immutable");
    return reply.send(inCoding(request, reply, found));
  });
}

/** Compressed, for who takes that. */
export function inCoding(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, compressed }: Pick<BuiltFile, "plain" | "compressed">,
): Buffer {
  reply.header("vary", "accept-encoding");
  if (!acceptsGzip(request)) return plain;
  reply.header("content-encoding", "gzip");
  return compressed;
}

/** (RFC 9110, 12.5.3: a weight of 0 refuses a coding) */
function acceptsGzip({ headers }: FastifyRequest): boolean {
  const codings = (headers["accept-encoding"] ?? "").split(",");
  return codings.some((coding) => {
    const [name = "", weight = "q=1"] = coding.split(";").map((part) => part.trim().toLowerCase());
    return name === "gzip" && Number(weight.replace("q=", "")) > 0;
  });
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
