/** Pages that change with the version only: compressed once, with an ETag, and kept by caches. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { Listener } from "../listener.ts";
import { namesTag } from "../public-document.ts";

type Page = { readonly type: string; readonly etag: string; readonly compressed: Buffer };

const compress = promisify(gzip);

/** How long, in seconds, a cache may keep a page. */
const FRESH_S = 300;

/** Of each page, about half a megabyte at most, by its path below the scope. */
export function prebuild(scope: Listener, paths: ReadonlySet<string>): void {
  const pages = new Map<string, Page>();
  // With its query, which may change what a page says: such a page is none of `paths`.
  const pathOf = ({ url }: FastifyRequest) => url.slice(scope.prefix.length);

  function answer(request: FastifyRequest, reply: FastifyReply, page: Page): Buffer | null {
    reply.headers({
      etag: page.etag,
      "cache-control": `public, max-age=${FRESH_S}`,
      vary: "accept-encoding",
    });
    if (namesTag(request.headers["if-none-match"], page.etag)) {
      reply.code(304).removeHeader("content-length").removeHeader("content-type");
      return null;
    }
    reply.headers({
      "content-type": page.type,
      "content-encoding": "gzip",
      "content-length": page.compressed.length,
    });
    return page.compressed;
  }

  scope.addHook("onRequest", async (request, reply) => {
    const page = acceptsGzip(request) ? pages.get(pathOf(request)) : undefined;
    if (page !== undefined) return reply.send(answer(request, reply, page));
    return undefined;
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const path = pathOf(request);
    const isPage = paths.has(path) && request.method === "GET";
    if (!isPage || reply.statusCode !== 200 || pages.has(path) || !acceptsGzip(request)) return payload;
    const body = await read(payload);
    const page = {
      type: String(reply.getHeader("content-type")),
      etag: `W/"${createHash("sha256").update(body).digest("base64url")}"`,
      compressed: await compress(body),
    };
    pages.set(path, page);
    return answer(request, reply, page);
  });
}

/** (RFC 9110, 12.5.3: a weight of 0 refuses a coding) */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  const codings = (headers["accept-encoding"] ?? "").split(",");
  return codings.some((coding) => {
    const [name = "", weight = "q=1"] = coding.split(";").map((part) => part.trim().toLowerCase());
    return name === "gzip" && Number(weight.replace("q=", "")) > 0;
  });
}

async function read(payload: unknown): Promise<Buffer> {
  if (typeof payload === "string") return Buffer.from(payload);
  if (Buffer.isBuffer(payload)) return payload;
  return Buffer.concat(await Array.fromAsync(payload as AsyncIterable<Buffer>));
}
