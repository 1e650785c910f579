/** From an AIS feed's answer to the events of the boxes aboard, with real sockets and a real store. */
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createAisClient, type AisAnswer } from "../../../src/products/ocean/sources/ais/ais-client.ts";
import type { AisFeed } from "../../../src/products/ocean/sources/ais/ais-file.ts";
import {
  createVesselReports,
  ingestReports,
} from "../../../src/products/ocean/sources/ais/vessel-reports.ts";
import { createAisPoller } from "../../../src/products/ocean/sources/ais/ais-poller.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/runtime/durations.ts";
import type { Cell } from "../../../src/store/cell.ts";
import { START_MS } from "../../support/clock.ts";
import { serving, type Served } from "../../upstream/serving.ts";
import { openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { answers, startPoller, type Tracked } from "../sources/polling.ts";
import { unwatchedLoops } from "../../support/loops.ts";
import { column, columns } from "../../support/columns.ts";

const IMO = "9074729";
const BOX = "HRNU4000017";

/** Hours from the test's beginning, as carriers write it. */
const hours = (count: number): string => new Date(START_MS + count * HOUR_MS).toISOString();

function move(code: string, UNLocationCode: string, eventDateTime: string, eventClassifierCode = "ACT") {
  const transportCall = { UNLocationCode, modeOfTransport: "VESSEL", vessel: { vesselIMONumber: IMO } };
  const common = { eventClassifierCode, eventDateTime, transportCall };
  if (code !== "LOAD") return { ...common, eventType: "TRANSPORT", transportEventTypeCode: code };
  const box = { equipmentReference: BOX, emptyIndicatorCode: "LADEN" };
  return { ...common, ...box, eventType: "EQUIPMENT", equipmentEventTypeCode: code };
}

/** The box has sailed, and its vessel arrives or arrived so many hours from now. */
const sailing = (arrivesIn: number, classifier = "EST") => [
  move("LOAD", "CNTAO", hours(-500)),
  move("DEPA", "CNTAO", hours(-490)),
  move("ARRI", "NLRTM", hours(arrivesIn), classifier),
];

describe("an AIS feed", () => {
  let harbour: Harbour;
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, asOf: "now" }]);
  });
  afterEach(() => harbour.stored.drop());

  /** What the feed says now, and what it was asked. */
  type Feed = {
    reply: (request: IncomingMessage, response: ServerResponse) => void;
    readonly asked: string[];
  };

  function says(status: number | string) {
    return (_: IncomingMessage, response: ServerResponse) =>
      void response.end(JSON.stringify({ data: [{ nav: { status }, seen: harbour.clock.nowMs() / 1_000 }] }));
  }

  type Scene = {
    readonly feed: Feed;
    /** What became of each question. */
    readonly heard: AisAnswer["kind"][];
    /** Moves the clock until the box has the status for all, and returns the raised events. */
    until(status: string): Promise<readonly string[]>;
    /** Of the box, as all accounts see it. */
    status(): Promise<string>;
  };

  /** Everything that runs in a service, on a clock of the test's: `accounts` of them track one box. */
  async function running(accounts: number, work: (scene: Scene) => Promise<void>): Promise<void> {
    const { ports, stored, clock, log, raised } = harbour;
    const shared = {
      ...{ database: stored.database, cells: stored.cells as readonly [Cell, ...Cell[]] },
      ...{ clock, log, loops: unwatchedLoops },
    };
    const feed: Feed = { reply: says(0), asked: [] };
    const heard: AisAnswer["kind"][] = [];
    const listen = (request: IncomingMessage, response: ServerResponse) => {
      feed.asked.push(`${request.url} ${request.headers["x-api-key"] as string}`);
      feed.reply(request, response);
    };
    const serve = async ({ url, http }: Served) => {
      const entry: AisFeed = {
        url: `${url}/vessels/{imo}/position?format=json`,
        headers: { "X-Api-Key": "sesame" },
        fields: { status: "data.nav.status", at: "data.0.seen" },
        timeoutMs: 2_000,
      };
      const reports = await createVesselReports(shared);
      const client = createAisClient(entry, { http, clock, random: ports.random, log });
      const onAnswer = (kind: AisAnswer["kind"]) => void heard.push(kind);
      const watch = createAisPoller(entry, { ...shared, client, onAnswer });
      const poller = startPoller(harbour, { vesselReportOf: reports.reportOf });
      const tracked: Tracked[] = [];
      for (let count = 0; count < accounts; count += 1) tracked.push(await poller.track(BOX));
      const status = async () => {
        const all = await Promise.all(tracked.map(({ read }) => read()));
        return [...new Set(all.map((one) => one.status))].join();
      };
      await clock.until(async () => !(await status()).includes("pending"), "the first polls");
      watch.start();
      try {
        await work({
          feed,
          heard,
          status,
          async until(wanted) {
            await clock.until(async () => (await status()) === wanted, wanted);
            return raised.splice(0).map(({ type, data }) => {
              const { changed_fields: fields } = JSON.parse(data) as { changed_fields?: string[] };
              return fields === undefined ? type : `${type} ${fields.join()}`;
            });
          },
        });
      } finally {
        await clock.drive(Promise.all([watch.stop(), reports.stop(), poller.stop()]));
      }
    };
    await serving(listen, serve, clock);
  }

  test("spec 2.4: a box at sea is at anchor, then at its berth, as its vessel reports, and events are raised", async () => {
    answers(harbour, ...sailing(24));
    await running(1, async ({ feed, until, status, heard }) => {
      assert.equal(await status(), "arriving");
      await harbour.clock.until(() => heard.length === 1, "the first answer");
      assert.deepEqual(feed.asked, [`/vessels/${IMO}/position?format=json sesame`]);
      await harbour.clock.advance(MINUTE_MS);
      assert.equal(await status(), "arriving", "under way, as is known");
      feed.reply = says("At anchor");
      await harbour.clock.advance(5 * MINUTE_MS);
      assert.deepEqual(await until("at_anchor"), ["shipment_updated status"]);
      feed.reply = says(5);
      await harbour.clock.advance(5 * MINUTE_MS);
      assert.deepEqual(await until("at_berth"), ["shipment_updated status"]);
      assert.ok(feed.asked.length <= 4, "asked again every five minutes, not with every look");
    });
  });

  test("a bare arrival at the port is at anchor where the vessel says so, for all boxes by one question", async () => {
    answers(harbour, ...sailing(-2, "ACT"));
    await running(3, async ({ feed, until, status }) => {
      feed.reply = says("AT_ANCHOR");
      assert.equal(await status(), "at_berth");
      assert.deepEqual(await until("at_anchor"), [
        "shipment_updated status",
        "shipment_updated status",
        "shipment_updated status",
      ]);
      assert.ok(feed.asked.length <= 2, `asked ${feed.asked.length} times`);
    });
  });

  test("a report that another node ingests reaches boxes in mid-ocean without a poll, and no vessel there is asked for", async () => {
    answers(harbour, ...sailing(24 * 9));
    await running(2, async ({ feed, until }) => {
      const { stored, clock } = harbour;
      const ingest = async (status: number) => {
        const reports = [{ imo: IMO, status, seenAtMs: clock.nowMs() }];
        assert.equal(await ingestReports(stored.database, stored.cells[0]!, reports, clock.nowMs()), 1);
      };
      await ingest(1);
      assert.deepEqual(await until("at_anchor"), ["shipment_updated status", "shipment_updated status"]);
      await clock.advance(10 * MINUTE_MS);
      await ingest(0);
      assert.deepEqual(await until("in_transit"), ["shipment_updated status", "shipment_updated status"]);
      assert.deepEqual(feed.asked, []);
    });
  });

  test("a feed that is down is said once, and a box falls back to what its carrier says when the last report is old", async () => {
    answers(harbour, ...sailing(24));
    await running(1, async ({ feed, until, heard }) => {
      feed.reply = says("At anchor");
      assert.deepEqual(await until("at_anchor"), ["shipment_updated status"]);
      feed.reply = (_, response) => void response.writeHead(503).end();
      const about = () => harbour.log.lines.filter(({ message }) => message.includes("AIS feed"));
      const failed = () => heard.filter((kind) => kind === "unavailable").length;
      await harbour.clock.until(() => failed() >= 5, "five answers that say nothing");
      assert.deepEqual(columns(about(), "level", "fields"), [["warn", { feed: "AIS", reason: "http_503" }]]);
      harbour.clock.jump(5 * HOUR_MS);
      await harbour.clock.advance(2 * MINUTE_MS);
      await until("at_anchor");
      harbour.clock.jump(HOUR_MS);
      assert.deepEqual(
        await until("arriving"),
        ["shipment_updated status"],
        "what it was before it anchored",
      );
      feed.reply = says("Moored");
      await harbour.clock.advance(10 * MINUTE_MS);
      await until("at_berth");
      assert.deepEqual(column(about(), "level"), ["warn", "info"]);
    });
  });

  test("a feed that never answers delays no look", async () => {
    answers(harbour, ...sailing(24));
    await running(1, async ({ feed, until, status }) => {
      feed.reply = () => undefined;
      await harbour.clock.until(() => feed.asked.length > 0, "it is asked");
      answers(harbour, ...sailing(0, "ACT"));
      assert.equal(await status(), "arriving");
      await harbour.clock.advance(25 * MINUTE_MS);
      await until("at_berth");
    });
  });
});
