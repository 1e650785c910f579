/** Pages that `npm run build:console` bundles: a document, and files that are named by what they hold. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import { acceptsGzip } from "./openapi/prebuilt.ts";

export type BuiltPage = { readonly type: string; readonly plain: Buffer; readonly compressed: Buffer };

/** Beside `src` in a clone, beside `dist` in the package. */
const BUILD = join(import.meta.dirname, "..", "..", "build");
export const DOCUMENT = "index.html";
export const HTML = "text/html; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  ".html": HTML,
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

export const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Boathook: the pages are not built</title></head>
<body><h1>The pages are not built</h1>
<p>This clone was installed without its development packages, or without scripts. In its folder, run</p>
<pre>npm ci --ignore-scripts
npm run build</pre>
<p>and load this page again. The service need not restart. <code>npm prune --omit=dev --ignore-scripts</code> removes
the development packages again.</p></body></html>
`;

export function buildFolder(name: "console" | "portal" | "packages"): string {
  return join(BUILD, name);
}

/** Reads them when the first is asked for, or once they are built. */
export function builtPages(folder: string): (name: string) => BuiltPage | undefined {
  let pages: ReadonlyMap<string, BuiltPage> | null = null;
  return (name) => {
    pages ??= existsSync(join(folder, DOCUMENT)) ? readPages(folder) : null;
    return pages?.get(name);
  };
}

function readPages(folder: string): ReadonlyMap<string, BuiltPage> {
  return new Map(
    readdirSync(folder).map((name) => {
      const plain = readFileSync(join(folder, name));
      const type = TYPES[extname(name)] ?? "application/octet-stream";
      return [name, { type, plain, compressed: gzipSync(plain, { level: 9 }) }];
    }),
  );
}

/** A file whose name says what it holds. */
export function answerForGood(request: FastifyRequest, reply: FastifyReply, page: BuiltPage) {
  return answerPage(request, reply.header("cache-control", "public, max-age=31536000, immutable"), page);
}

export function answerPage(request: FastifyRequest, reply: FastifyReply, page: BuiltPage) {
  const { type, plain, compressed } = page;
  reply.type(type).header("vary", "accept-encoding");
  return acceptsGzip(request) ? reply.header("content-encoding", "gzip").send(compressed) : reply.send(plain);
}
