import type { DeliveryStatus } from "../../model/delivery.ts";
import type { Cell } from "../../store/cell.ts";
import { searchDeliveries, type FoundDelivery } from "../../store/deliveries/deliveries-read.ts";
import { findEndpoint } from "../../store/endpoints/endpoints.ts";
import { action, CommandError, group } from "../../cli/command.ts";
import { endpointsOf } from "./endpoints.ts";
import { parseId, JSON_OPTION, parseWholeNumber } from "../../cli/options.ts";
import { jsonText, table, timeText } from "../../cli/table.ts";
import { withStore, type StoreContext } from "./with-store.ts";

const STATUSES = ["pending", "delivered", "dead"] as const;
const LIMIT_DEFAULT = "20";
const LIMIT_MAX = 1_000;

type EndpointScope = { readonly cell: Cell; readonly endpointIds: readonly string[] };

export const command = group("Deliveries: what was sent, what waits, and why it failed.", {
  list: action({
    about: "Lists the newest deliveries of an endpoint, or of all endpoints of an account, newest first.",
    arguments: [],
    options: {
      endpoint: { type: "string", value: "id", about: "of this endpoint" },
      account: { type: "string", value: "id", about: "of all endpoints of this account" },
      status: { type: "string", value: "status", about: "only those that are pending, delivered or dead" },
      limit: { type: "string", value: "number", about: `how many at most (default ${LIMIT_DEFAULT})` },
      json: JSON_OPTION,
    },
    examples: ["boathook deliveries list --endpoint 01a1fc9c-74c2-7f0b-b7a4-6e0c59b7b0de --status dead"],
    async run({ options }, at) {
      const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
      const status = options.status === undefined ? null : statusOf(options.status);
      const { account, endpoint } = options;
      if ((account === undefined) === (endpoint === undefined)) {
        throw new CommandError("give either --endpoint or --account");
      }
      const found = await withStore(at, async (opened) => {
        const where =
          endpoint === undefined
            ? await accountScope(opened, parseId("an account", account ?? ""))
            : await endpointScope(opened, parseId("an endpoint", endpoint));
        return searchDeliveries(opened.store.database, where.cell, { ...where, status, limit });
      });
      at.out(options.json === true ? jsonText(found.map(asJson)) : asTable(found, endpoint === undefined));
      return 0;
    },
  }),
});

async function accountScope(opened: StoreContext, accountId: string): Promise<EndpointScope> {
  const endpoints = await endpointsOf(opened, accountId);
  const home = await findScope(
    opened,
    endpoints.map(({ id }) => id),
  );
  return home ?? { cell: opened.cells[0], endpointIds: [] };
}

async function endpointScope(opened: StoreContext, endpointId: string): Promise<EndpointScope> {
  const home = await findScope(opened, [endpointId]);
  if (home === null) throw new CommandError(`There is no endpoint ${endpointId}.`, 1);
  return home;
}

/** The cell of some endpoints, which are all in one: an id alone does not say it. */
async function findScope(
  { store, cells }: StoreContext,
  endpointIds: readonly string[],
): Promise<EndpointScope | null> {
  const [first] = endpointIds;
  if (first === undefined) return null;
  for (const cell of cells) {
    if ((await findEndpoint(store.database, cell, first)) !== null) return { cell, endpointIds };
  }
  return null;
}

function statusOf(text: string): DeliveryStatus {
  const status = STATUSES.find((one) => one === text);
  if (status !== undefined) return status;
  throw new CommandError(`--status must be one of ${STATUSES.join(", ")}, not "${text}"`);
}

/** The fields of spec 2.2, and where it goes. */
function asJson(delivery: FoundDelivery): object {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    next_attempt_at: delivery.dueAt,
    created_at: delivery.createdAt,
    delivered_at: delivery.deliveredAt,
  };
}

type Column = {
  readonly heading: string;
  readonly of: (delivery: FoundDelivery) => string | number;
  /** Left out where no row has anything in it. */
  readonly isOptional?: true;
};

const NOTHING = "-";

const COLUMNS: readonly Column[] = [
  { heading: "ID", of: ({ id }) => id },
  { heading: "EVENT", of: ({ eventType }) => eventType },
  { heading: "STATUS", of: ({ status }) => status },
  { heading: "ATTEMPTS", of: ({ attemptCount }) => attemptCount },
  { heading: "CREATED", of: ({ createdAt }) => timeText(createdAt) },
  { heading: "DELIVERED", of: ({ deliveredAt }) => timeText(deliveredAt), isOptional: true },
  { heading: "NEXT ATTEMPT", of: nextAttempt, isOptional: true },
  { heading: "LAST ERROR", of: ({ lastError }) => lastError ?? NOTHING, isOptional: true },
];

const ENDPOINT: Column = { heading: "ENDPOINT", of: ({ endpointId }) => endpointId };

function nextAttempt({ status, dueAt }: FoundDelivery): string {
  if (status !== "pending") return NOTHING;
  // It has no row in the queue: a node holds it, and sends it now.
  return dueAt === null ? "under way" : timeText(dueAt);
}

function asTable(deliveries: readonly FoundDelivery[], ofManyEndpoints: boolean): string {
  const columns = (ofManyEndpoints ? [ENDPOINT, ...COLUMNS] : COLUMNS).filter(
    ({ isOptional, of }) => isOptional !== true || deliveries.some((delivery) => of(delivery) !== NOTHING),
  );
  return table(
    columns.map(({ heading }) => heading),
    deliveries.map((delivery) => columns.map(({ of }) => of(delivery))),
  );
}
