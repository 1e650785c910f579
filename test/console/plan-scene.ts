/** A service with load plans that its own planner made, and a browser's session of its console. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import type { Page } from "playwright-core";

import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { ask, operatorToken, serve, type Serving } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";
import { openSession } from "./browser.ts";
import { HOSTILE } from "./scene.ts";
import { behaviour } from "./timeline.ts";

export type PlanScene = {
  readonly service: Serving;
  readonly accountId: string;
  readonly key: string;
  /** Address of the account's plans in the console. */
  readonly pages: string;
  readonly ids: Readonly<Record<keyof typeof REQUESTS, string>>;
  signIn(page: Page): Promise<void>;
};

const REQUESTS = {
  mixed: {
    name: "Order 4711, Rotterdam",
    cargo: [
      { id: "EUR pallet", length_mm: 1_200, width_mm: 800, height_mm: 1_050, weight_kg: 420, count: 21 },
      {
        ...{ id: "machine crate", length_mm: 2_100, width_mm: 900, height_mm: 700, weight_kg: 310.5 },
        ...{ count: 6, stackable: false, upright: ["height", "width"] as const },
      },
      { id: "carton 60", length_mm: 600, width_mm: 400, height_mm: 400, weight_kg: 14, count: 240 },
      { id: "drum", shape: "cylinder", diameter_mm: 600, height_mm: 900, weight_kg: 190, count: 24 },
      { id: "long pipe case", length_mm: 5_600, width_mm: 400, height_mm: 400, weight_kg: 260, count: 4 },
      { id: "mast", length_mm: 13_000, width_mm: 500, height_mm: 500, weight_kg: 300, count: 1 },
    ],
    containers: [
      {
        ...{ type: "20GP", cost: 1_450, length_mm: 5_867, width_mm: 2_330, height_mm: 2_350 },
        ...{ door_width_mm: 2_286, door_height_mm: 2_261 },
      },
      {
        ...{ type: "40HC", count: 2, cost: 2_300, length_mm: 11_998, width_mm: 2_330, height_mm: 2_655 },
        ...{ door_width_mm: 2_286, door_height_mm: 2_566 },
      },
    ],
    // One container is off the middle.
    max_off_centre: null,
  },
  many: {
    name: "Parcels",
    cargo: Array.from({ length: 14 }, (_, at) => ({
      id: `parcel ${at + 1}`,
      ...{ length_mm: 300 + at * 17, width_mm: 200 + at * 9, height_mm: 150 + at * 11 },
      ...{ weight_kg: 2 + at, count: 260 },
    })),
    containers: [{ type: "40HC-ISO", max_line_load_kg_m: null }],
    max_off_centre: null,
  },
  hostile: {
    name: HOSTILE,
    cargo: [
      { id: HOSTILE, length_mm: 1_000, width_mm: 1_000, height_mm: 1_000, weight_kg: 100, count: 9 },
      { id: `${HOSTILE}2`, length_mm: 13_000, width_mm: 10, height_mm: 10, weight_kg: 1, count: 1 },
    ],
    containers: [
      // Its type is the client's own text, too.
      {
        type: HOSTILE.slice(0, 40),
        length_mm: 6_000,
        width_mm: 2_300,
        height_mm: 2_300,
        max_payload_kg: 9_000,
      },
    ],
  },
} satisfies Readonly<Record<string, SentRequest>>;

/** Within a minute the service has planned, or says that it is busy. */
const PLAN_MS_MAX = 60_000;
const PLAN_TRIES_MAX = 5;

/** Enough for a second page of the list. */
export const SMALL = 26;

const ONE_PALLET: SentRequest = {
  cargo: [{ length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 1 }],
  containers: [{ type: "20GP" }],
};

export async function openPlanScene(t: TestContext, folder: string): Promise<PlanScene> {
  const receiver = await startReceiver(t);
  receiver.behave(behaviour);
  const service = await serve(t, {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_RETRY_WAITS: "1s,1s,1s,1s,1s",
    BOATHOOK_DISABLE_AFTER_FAILURES: "1000",
    ...receiver.settings,
  });
  const token = operatorToken(folder);
  const { accountId, key, register } = await newClient(service, token, receiver, "loading");
  for (const path of ["well-loading", "broken-loading"]) await register(service, "loading", path);
  const made: (readonly [name: string, id: string])[] = [];
  // One after the other: of several plans at once, a busy machine refuses the ones that have waited for long.
  for (const [name, sent] of Object.entries(REQUESTS)) {
    const plans = `${service.publicUrl}/loading/v1/plans`;
    let { status, body } = await ask("POST", plans, key, sent, PLAN_MS_MAX);
    // As it asks of clients: a machine that does much else may take too long for a plan.
    for (let tries = 1; status === 503 && tries < PLAN_TRIES_MAX; tries++)
      ({ status, body } = await ask("POST", plans, key, sent, PLAN_MS_MAX));
    assert.equal(status, 201, JSON.stringify(body).slice(0, 1_000));
    made.push([name, body.data.id]);
  }
  for (let number = 1; number <= SMALL; number += 1) {
    const sent = { name: `Small ${number}`, ...ONE_PALLET };
    const { status } = await ask("POST", `${service.publicUrl}/loading/v1/plans`, key, sent);
    assert.equal(status, 201);
  }
  return {
    ...{ service, accountId, key },
    pages: `${service.opsUrl}/console/accounts/${accountId}/loading`,
    ids: Object.fromEntries(made) as PlanScene["ids"],
    signIn: (page) => openSession(page, { service, token }),
  };
}
