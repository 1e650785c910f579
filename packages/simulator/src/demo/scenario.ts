/** What the demo does, all of it over HTTP: registers, tracks, raises, and knows what must come of it. */
import type { ReplayedReference } from "../replay/recording.ts";
import { createApi, type Api } from "./api.ts";
import { isDelivered, type DemoState, type Shipment } from "./state.ts";
import { ENDPOINTS, ENTITLEMENTS, EVENTS, KEY_PREFIXES, type DemoEndpoint } from "./fixtures.ts";
import type { DemoReceiver } from "./receiver.ts";

export type Scenario = {
  readonly accountId: string;
  /** An API for each product, with the key it takes. */
  readonly products: Readonly<Record<string, Api>>;
  readonly keys: Readonly<Record<string, string>>;
  readonly endpoints: readonly { readonly product: string; readonly id: string }[];
};

export type Expectation = { readonly text: string; readonly isMet: (board: DemoState) => boolean };

/** An account with every entitlement, its keys, and an endpoint on each product. */
export async function registerEndpoints(
  ops: Api,
  publicUrl: string,
  receiver: DemoReceiver,
  wanted: readonly DemoEndpoint[] = ENDPOINTS,
): Promise<Scenario> {
  const account = await ops.post<{ id: string }>("/v1/accounts", {
    name: "Demo",
    entitlements: ENTITLEMENTS,
  });
  const keys: Record<string, string> = {};
  for (const prefix of new Set(Object.values(KEY_PREFIXES))) {
    const { key } = await ops.post<{ key: string }>(`/v1/accounts/${account.id}/keys`, {
      prefix,
      label: "demo",
    });
    keys[prefix] = key;
  }
  const products = Object.fromEntries(
    Object.entries(KEY_PREFIXES).map(([product, prefix]) => [
      product,
      createApi(`${publicUrl}/${product}`, keys[prefix]!),
    ]),
  );
  const endpoints: { product: string; id: string }[] = [];
  for (const { product, name, eventTypes } of wanted) {
    const { data } = await products[product]!.post<{ data: { id: string; secret: string } }>("/v1/webhooks", {
      url: `${receiver.url}/${name}`,
      event_types: eventTypes,
      description: `the demo's ${name}`,
    });
    receiver.setSecret(name, data.secret);
    endpoints.push({ product, id: data.id });
  }
  return { accountId: account.id, products, keys, endpoints };
}

/** Starts tracking one reference of each journey, its container where it names one. */
export async function trackShipments(
  story: Scenario,
  references: readonly ({ readonly recording: string } & ReplayedReference)[],
): Promise<readonly Shipment[]> {
  const shipments: Shipment[] = [];
  for (const [, ofOne] of Map.groupBy(references, ({ recording }) => recording)) {
    const chosen = ofOne.find(({ parameter }) => parameter === "equipmentReference") ?? ofOne[0]!;
    shipments.push(
      await story.products["tracking"]!.post<Shipment>("/v1/containers", { reference: chosen.value }),
    );
  }
  return shipments;
}

/** The shipments as the service shows them now. */
export function readShipments(story: Scenario, shipments: readonly Shipment[]): Promise<readonly Shipment[]> {
  return Promise.all(
    shipments.map(async ({ id }) => {
      const answer = await story.products["tracking"]!.get<Shipment & { data?: Shipment }>(
        `/v1/containers/${id}`,
      );
      return answer.data ?? answer;
    }),
  );
}

/** Whether the service has settled the latest deliveries of every endpoint as delivered. */
export async function isSettled({ endpoints, products }: Scenario): Promise<boolean> {
  const details = await Promise.all(
    endpoints.map(({ product, id }) =>
      products[product]!.get<{ data: { recent_deliveries: { status: string }[] } }>(`/v1/webhooks/${id}`),
    ),
  );
  return details.every(({ data }) => data.recent_deliveries.every(({ status }) => status === "delivered"));
}

export async function raiseEvents(ops: Api, { accountId }: Scenario): Promise<void> {
  await ops.post("/v1/events", { events: EVENTS.map((event) => ({ ...event, account_id: accountId })) });
}

/** `ends` is true for our own journeys, of which we know that they are lived to their end. */
export function expectationsOf(shipments: readonly Shipment[], ends: boolean): readonly Expectation[] {
  const raised = ENDPOINTS.filter(({ product }) => product !== "tracking").map(
    ({ product, name, failures }) => {
      const { type } = EVENTS.find((event) => event.product === product)!;
      return {
        text: `${type} at ${name}${failures > 0 ? `, at attempt ${failures + 1}` : ""}`,
        isMet: (board: DemoState) =>
          board.rows().some((row) => {
            return row.endpoint === name && row.type === type && isDelivered(row) && row.attempts > failures;
          }),
      };
    },
  );
  const lived = shipments.flatMap(({ reference }) =>
    (ends ? ["vessel_departed", "container_delivered"] : [null]).map((type) => ({
      text: `${type ?? "an event"} of ${reference}`,
      isMet: (board: DemoState) =>
        board.rows().some((row) => {
          return row.subject === reference && (type === null || row.type === type) && isDelivered(row);
        }),
    })),
  );
  return [...raised, ...lived];
}
