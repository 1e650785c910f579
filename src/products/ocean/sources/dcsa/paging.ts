/** Where a carrier's next page is, and whether its answer is cut: as full as a page can be, and no page follows. */
import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices } from "../../../../runtime/time-slices.ts";
import { isObject, parseJsonSteps } from "../../../../model/json.ts";
import { nextPageUrl, pageWritten, type NextPage, type Page } from "../../../../freight/dcsa/pages.ts";
import type { Spelling } from "../../../../freight/dcsa/spelling.ts";
import type { Carrier } from "../carriers.ts";
import { eventList } from "./parse.ts";

export type Paging = {
  readonly nextPage: NextPage;
  /** The next page is asked for by a count. */
  readonly isCounted: boolean;
  /** Of the pages so far; 0 where nothing needs the count. */
  events(): number;
  isCut(): boolean;
};

/** For the pages of one answer; `first` is the address of the first. */
export function createPaging(
  { paging, question }: Carrier,
  first: URL,
  spelling: Spelling,
  clock: Clock,
): Paging {
  const eventsMax = question?.limit?.max ?? Number.POSITIVE_INFINITY;
  const eventsAsked = limitAsked(question?.limit?.parameter, first);
  const isLimited = eventsMax !== Number.POSITIVE_INFINITY || eventsAsked !== null;
  const isCounted = paging?.by === "page" || paging?.by === "offset";
  const countsEvents = isCounted || isLimited;
  const isRead = countsEvents || (paging?.by === "cursor" && paging.body !== undefined);
  let pages = 0;
  let lastEvents = 0;
  let events = 0;

  function nextOf({ url, header }: Page, value: unknown): URL | "elsewhere" | null {
    switch (paging?.by) {
      case undefined:
      case "headers":
        return nextPageUrl(url, header);
      case "none":
        return null;
      case "cursor": {
        const { body, header: name = "", parameter } = paging;
        return pageWritten(
          url,
          body === undefined ? header(name.toLowerCase()) : textAt(value, body),
          parameter,
        );
      }
      case "page":
        return isFull() ? withCount(url, paging.parameter, 1) : null;
      case "offset":
        return isFull() ? withParameter(url, paging.parameter, events) : null;
    }
  }

  /** Without a limit, only an empty page is the last. */
  const isFull = (): boolean => lastEvents > 0 && (question?.limit === undefined || lastEvents >= eventsMax);

  return {
    async nextPage(page) {
      const value =
        isRead && page.body !== "" ? await runInSlices(parseJsonSteps(page.body), clock) : undefined;
      pages += 1;
      lastEvents = countsEvents ? (eventList(value, spelling)?.length ?? 0) : 0;
      events += lastEvents;
      return nextOf(page, value);
    },
    isCounted,
    events: () => events,
    // A last page that happens to be full follows others: the carrier does page.
    isCut: () => pages === 1 && (lastEvents >= eventsMax || lastEvents === eventsAsked),
  };
}

/**
 * The events that the question asks for at most, by whatever part of the entry; null: any number. A carrier that answers
 * with more pays no heed to it.
 */
function limitAsked(parameter = "limit", { searchParams }: URL): number | null {
  const written = searchParams.get(parameter) ?? "";
  return /^[1-9]\d{0,5}$/.test(written) ? Number(written) : null;
}

function withCount(url: URL, parameter: string, step: number): URL {
  return withParameter(url, parameter, Number(url.searchParams.get(parameter) ?? "0") + step);
}

function withParameter(url: URL, parameter: string, value: number): URL {
  const next = new URL(url.href);
  next.searchParams.set(parameter, String(value));
  return next;
}

/** The text or number at a JSON Pointer; null where there is none. */
function textAt(value: unknown, pointer: string): string | null {
  const inside = pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (from, name) => (isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined),
      value,
    );
  return typeof inside === "string" || typeof inside === "number" ? String(inside) : null;
}
