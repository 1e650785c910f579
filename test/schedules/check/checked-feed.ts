/** A feed of one carrier, and what the carrier answers page by page. */
import type { Feed } from "../../../src/products/schedules/sources/feed-schema.ts";
import type { Replayed, Reply } from "../../source-check/replayed.ts";
import { csService, stamp, transportCall } from "../sources/answers.ts";

/** The pages one after another, then the last one again. */
export function pagesOf(...pages: readonly Reply[]): Replayed {
  let next = 0;
  return { reply: () => pages[Math.min(next++, pages.length - 1)]! };
}

export const CALL = transportCall("NLRTM", { timestamps: [stamp("ARRI", "EST", "2026-12-01T06:00:00Z")] });
export const PAGE = { body: [csService("FE1", [CALL])] };

/** Another page follows. */
export const NEXT = { headers: { "next-page-cursor": "2" } };

export const feedAt = (url: string, more: Partial<Feed> = {}): Feed => ({
  name: "heron",
  carrier: "HRNL",
  kind: "cs-vessel-schedules",
  url: `${url}/cs/v1/vessel-schedules`,
  services: ["FE1", "FE2"],
  ...more,
});
