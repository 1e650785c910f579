/** The routes of all products on the store, where nothing is asked of anybody. */
import { loadChangelog } from "../../src/freight/announcements/changelog.ts";
import type { ChangelogEntry } from "../../src/freight/announcements/entry.ts";
import { changelogRoutes } from "../../src/freight/announcements/routes.ts";
import { deliverySchemaRoute } from "../../src/http/delivery-schema.ts";
import type { ProductRoutes, Route } from "../../src/http/product.ts";
import { airRoutes } from "../../src/products/air/routes/routes.ts";
import { planRoutes } from "../../src/products/loading/routes/routes.ts";
import { containerRoutes } from "../../src/products/ocean/routes/routes.ts";
import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import { ocean as oceanProduct } from "../../src/products/ocean/product.ts";
import { PUBLICATION } from "../announcements/entries.ts";
import { startService, type TestService } from "../support/service.ts";

const unasked = (): never => {
  throw new Error("nobody is asked");
};

/** `entries`: of ocean's changelog, beside its own. */
export async function startEveryRoute(entries: readonly ChangelogEntry[] = []): Promise<TestService> {
  const ocean = containerRoutes({
    get database() {
      return service.test.database;
    },
    get clock() {
      return service.clock;
    },
    get directory() {
      return service.test.cells[0]!;
    },
    index: { add: unasked, cellsOf: unasked },
    carriers: [],
    random: { uuid: unasked },
    unresolvedMax: 1_000,
    wake: unasked,
  });
  const published = [...loadChangelog(oceanProduct.changelog!, oceanProduct.versions), ...entries];
  const changelog: Route = (app, context) => changelogRoutes(app, context, published, PUBLICATION);
  const routes = new Map<string, ProductRoutes>([
    ["tracking", { ...ocean, open: [...ocean.open, changelog] }],
    ["loading", planRoutes({ planner: { plan: unasked }, raiseWithin: unasked })],
    ["rates", rateRoutes()],
    ["air", airRoutes([], unasked, { cellOf: unasked, cellsSince: unasked })],
    ["schedules", scheduleRoutes({ reliabilityWindowDays: 90, transshipmentMs: 0 })],
    ["operations", { keyed: [], open: [] }],
  ]);
  const productRoutes = new Map(
    [...routes].map(([tag, own]) => [tag, { ...own, open: [...own.open, deliverySchemaRoute] }]),
  );
  const service: TestService = await startService({ productRoutes });
  return service;
}
