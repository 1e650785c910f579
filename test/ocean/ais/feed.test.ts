/** From an AIS feed's answer to the events of the boxes aboard, with real sockets and a real store. */
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";

import { POLLER_DEFAULTS } from "../../../src/freight/polling/poller.ts";
import { createAisClient, type AisAnswer } from "../../../src/products/ocean/sources/ais/ais-client.ts";
import type { AisFeed } from "../../../src/products/ocean/sources/ais/ais-file.ts";
import {
  createVesselReports,
  ingestReports,
} from "../../../src/products/ocean/sources/ais/vessel-reports.ts";
import { createAisPoller } from "../../../src/products/ocean/sources/ais/ais-poller.ts";
import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { getShipment, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import type { Cell } from "../../../src/store/cell.ts";
import { START_MS } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { unwatchedLoops } from "../../support/loops.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const IMO = "9074729";

let harbour: Harbour;
describe("an AIS feed", () => {
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, asOf: "now" }]);
  });
  afterEach(() => harbour.stored.drop());

  /** Hours from the test's beginning, as carriers write it. */
  function hours(count: number): string {
    return new Date(START_MS + count * HOUR_MS).toISOString();
  }

  function move(code: string, UNLocationCode: string, eventDateTime: string, actual = true) {
    const call = { UNLocationCode, modeOfTransport: "VESSEL", vessel: { vesselIMONumber: IMO } };
    const common = { eventClassifierCode: actual ? "ACT" : "EST", eventDateTime, transportCall: call };
    if (code !== "LOAD") return { ...common, eventType: "TRANSPORT", transportEventTypeCode: code };
    return {
      ...common,
      eventType: "EQUIPMENT",
      equipmentEventTypeCode: code,
      equipmentReference: "HRNU4000017",
      emptyIndicatorCode: "LADEN",
    };
  }

  const sailed = () => [move("LOAD", "CNTAO", hours(-500)), move("DEPA", "CNTAO", hours(-490))];

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
    readonly answers: AisAnswer["kind"][];
    /** Moves the clock, second by second, until the box has the status, and returns the raised events. */
    until(status: string): Promise<readonly string[]>;
    /** Of the box, as all accounts see it. */
    status(): Promise<string | undefined>;
  };

  /** Everything that runs in a service, on a clock of the test's: `accounts` of them track one box. */
  async function running(accounts: number, work: (scene: Scene) => Promise<void>): Promise<void> {
    const { ports, stored, cell, clock, log, raised } = harbour;
    const cells = stored.cells as readonly [Cell, ...Cell[]];
    const feed: Feed = { reply: says(0), asked: [] };
    const answers: AisAnswer["kind"][] = [];
    await serving(
      (request, response) => {
        feed.asked.push(`${request.url} ${request.headers["x-api-key"] as string}`);
        feed.reply(request, response);
      },
      async ({ url, http }) => {
        const entry: AisFeed = {
          url: `${url}/vessels/{imo}/position?format=json`,
          headers: { "X-Api-Key": "sesame" },
          fields: { status: "data.nav.status", at: "data.0.seen" },
          timeoutMs: 2_000,
        };
        const reports = await createVesselReports({
          database: stored.database,
          cells,
          clock,
          log,
          loops: unwatchedLoops,
        });
        const desk = createAisClient(entry, { http, clock, random: ports.random, log });
        const onAnswer = (kind: AisAnswer["kind"]) => void answers.push(kind);
        const watch = createAisPoller(entry, {
          database: stored.database,
          cells,
          client: desk,
          clock,
          log,
          loops: unwatchedLoops,
          onAnswer,
        });
        // Hours pass: a look a minute is enough.
        const settings = { ...POLLER_DEFAULTS, gatherMs: 0, idleMs: MINUTE_MS };
        const poller = createPoller({ ...ports, vesselReportOf: reports.reportOf }, stored.cells, settings);
        poller.start();
        const tracked: { readonly accountId: string; readonly id: string }[] = [];
        for (let count = 0; count < accounts; count += 1) {
          const input = { accountId: await harbour.account(), reference: "HRNU4000017" };
          const started = await startTracking({ ...ports, wake: poller.wake }, cell, input);
          assert.ok(started.kind === "tracked");
          tracked.push({ accountId: input.accountId, id: started.shipment.id });
        }
        const statuses = async () => {
          const found = tracked.map(({ accountId, id }) => getShipment(ports, cell, accountId, id));
          return new Set((await Promise.all(found)).map((one) => one?.status));
        };
        await clock.until(async () => !(await statuses()).has("pending"), "the first polls");
        watch.start();
        try {
          await work({
            feed,
            answers,
            status: async () => [...(await statuses())].join(),
            async until(status) {
              await clock.until(async () => {
                const all = await statuses();
                return all.size === 1 && all.has(status);
              }, status);
              return raised.splice(0).map(({ type, data }) => {
                const { changed_fields: fields } = JSON.parse(data) as { changed_fields?: string[] };
                return fields === undefined ? type : `${type} ${fields.join()}`;
              });
            },
          });
        } finally {
          await clock.drive(Promise.all([watch.stop(), reports.stop(), poller.stop()]));
        }
      },
      clock,
    );
  }

  test("spec 2.4: a box at sea is at anchor, then at its berth, as its vessel reports, and events are raised", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(24), false)]));
    await running(1, async ({ feed, until, status, answers }) => {
      assert.equal(await status(), "arriving");
      await harbour.clock.until(() => answers.length === 1, "the first answer");
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
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(-2))]));
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

  test("a report that another node ingests reaches boxes in mid-ocean without a poll", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(24 * 9), false)]));
    await running(2, async ({ feed, until }) => {
      const { stored, clock } = harbour;
      const ingest = async (status: number) => {
        const reports = [{ imo: IMO, status, seenAtMs: clock.nowMs() }];
        assert.equal(await ingestReports(stored.database, stored.cells[0]!, reports, clock.nowMs()), 1);
      };
      await ingest(1);
      assert.deepEqual(await until("at_anchor"), ["shipment_updated status", "shipment_updated status"]);
      await clock.advance(MINUTE_MS);
      await ingest(0);
      assert.deepEqual(await until("in_transit"), ["shipment_updated status", "shipment_updated status"]);
      assert.deepEqual(feed.asked, []);
    });
  });

  test("a vessel in mid-ocean is not asked for", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(24 * 9), false)]));
    await running(1, async ({ feed, status }) => {
      await harbour.clock.advance(10 * MINUTE_MS);
      assert.equal(await status(), "in_transit");
      assert.deepEqual(feed.asked, []);
    });
  });

  test("a feed that is down is said once, and a box falls back to what its carrier says when the last report is old", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(24), false)]));
    await running(1, async ({ feed, until, answers }) => {
      feed.reply = says("At anchor");
      assert.deepEqual(await until("at_anchor"), ["shipment_updated status"]);
      feed.reply = (_, response) => void response.writeHead(503).end();
      const about = () => harbour.log.lines.filter(({ message }) => message.includes("AIS feed"));
      const failed = () => answers.filter((kind) => kind === "unavailable").length;
      await harbour.clock.until(() => failed() >= 5, "five answers that say nothing");
      assert.deepEqual(
        about().map(({ level, fields }) => [level, fields]),
        [["warn", { feed: "AIS", reason: "http_503" }]],
      );
      await harbour.clock.advance(5 * HOUR_MS);
      await until("at_anchor");
      await harbour.clock.advance(HOUR_MS);
      assert.deepEqual(
        await until("arriving"),
        ["shipment_updated status"],
        "what it was before it anchored",
      );
      feed.reply = says("Moored");
      await harbour.clock.advance(10 * MINUTE_MS);
      await until("at_berth");
      assert.deepEqual(
        about().map(({ level }) => level),
        ["warn", "info"],
      );
    });
  });

  test("a feed that never answers delays no look", async () => {
    harbour.answer = async () =>
      answered(200, JSON.stringify([...sailed(), move("ARRI", "NLRTM", hours(24), false)]));
    await running(1, async ({ feed, until, status }) => {
      feed.reply = () => undefined;
      await harbour.clock.until(() => feed.asked.length > 0, "it is asked");
      const arrival = move("ARRI", "NLRTM", hours(0));
      harbour.answer = async () => answered(200, JSON.stringify([...sailed(), arrival]));
      assert.equal(await status(), "arriving");
      await harbour.clock.advance(25 * MINUTE_MS);
      await until("at_berth");
    });
  });
});
