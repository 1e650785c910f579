/**
 * The inputs from outside that cost most at their largest size, where counted steps do not tell: JSON and schemas, regular
 * expressions, what one step reads at its own bound, and what is stored and searched.
 */
const MIB = 1024 * 1024;

/** One text over and over, up to a length. */
const filled = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length));
/** A JSON list of them. */
const list = (item: string, length: number): string => `[${filled(`${item},`, length - 16)}${item}]`;

export const ACCOUNT = "01900000-0000-7000-8000-00000000000a";

const EVENTS_LENGTH = 16 * MIB - 1_000;
const INDEX = '"index_id":"europe","dated":"2026-10-30","value":"1042.17"';
const event = (data: string, more = "") =>
  `{"product":"rates","account_id":"${ACCOUNT}","type":"index_refreshed","data":{${INDEX}${data}}${more}}`;

const HEADING = "origin,destination,equipment,currency,valid_from,base,surcharges";
const PORTS = ["CNSHA", "NLRTM", "SGSIN", "DEHAM", "USLAX", "JPYOK", "BEANR", "KRPUS"];
const letters = (at: number): string =>
  String.fromCharCode(...[17_576, 676, 26, 1].map((by) => 65 + (Math.floor(at / by) % 26)));

const IN_TEN_DAYS = new Date(Date.now() + 10 * 24 * 3_600_000).toISOString();
const call = (more: string): string =>
  `{"location":{"UNLocationCode":"CNSHA"},${more}"timestamps":[{"eventTypeCode":"ARRI","eventClassifierCode":"PLN","eventDateTime":"${IN_TEN_DAYS}"}]}`;
const voyages = (calls: string): string =>
  `[{"carrierServiceCode":"HE1","vesselSchedules":[{"vesselName":"A","transportCalls":[${calls}]}]}]`;

/** The ports of the dense trade. */
export const TRADE_PORTS = Array.from({ length: 60 }, (_, at) => `XX${letters(676 + at).slice(1)}`);

const imoOf = (at: number): string => {
  const serial = String(910_000 + at);
  const sum = [7, 6, 5, 4, 3, 2].reduce((sofar, weight, place) => sofar + Number(serial[place]) * weight, 0);
  return serial + String(sum % 10);
};

/** As many calls as one search of connections reads: 100 vessels that call each day at one of the ports. */
function denseTrade(): string {
  const HOUR_MS = 3_600_000;
  const tomorrow = Math.floor(Date.now() / (24 * HOUR_MS) + 1) * 24 * HOUR_MS;
  const times = (type: string, at: number): string =>
    `{"eventTypeCode":"${type}","eventClassifierCode":"PLN","eventDateTime":"${new Date(at).toISOString()}"}`;
  const vessels = Array.from({ length: 100 }, (_, vessel) => {
    const calls = Array.from({ length: 190 }, (_one, nth) => {
      const at = tomorrow + nth * 24 * HOUR_MS + vessel * 60_000;
      const port = TRADE_PORTS[(vessel * 7 + nth) % TRADE_PORTS.length]!;
      return `{"location":{"UNLocationCode":"${port}"},"carrierExportVoyageNumber":"${vessel}V${Math.floor(nth / 19)}","timestamps":[${times("ARRI", at)},${times("DEPA", at + 12 * HOUR_MS)}]}`;
    });
    return `{"vesselIMONumber":"${imoOf(vessel)}","transportCalls":[${calls.join(",")}]}`;
  });
  return `[{"carrierServiceCode":"HE9","vesselSchedules":[${vessels.join(",")}]}]`;
}

const FSU = "FSU/14\r\n176-12345675DXBFRA/T10K250\r\n";
const STATUS = "RCS/01NOV0930/DXB/T10K250/FALCON\r\n";
const texts = (one: string, length: number): string =>
  JSON.stringify({
    messages: Array.from({ length: Math.min(1_000, Math.floor(length / (one.length * 1.1))) }, () => one),
  });

export const BODIES: Readonly<Record<string, () => string | Uint8Array>> = {
  "events: one of numbers": () => `{"events":[${event(`,"a":${list("0", EVENTS_LENGTH)}`)}]}`,
  "events: as many and as large as may be": () =>
    `{"events":[${Array.from({ length: 1_000 }, (_, at) => event(`,"a":${list('"text"', 15_700)},"b":12345678901234567890`, `,"dedup_key":"${at}"`)).join(",")}]}`,
  "events: as large as may be": () =>
    `{"events":[${Array.from({ length: 11 }, () => event(`,"a":${list("{}", 255 * 1024)}`)).join(",")}]}`,

  "rates: a line": () => `${HEADING}\n${filled('"', 8 * MIB - 1_000)}`,
  "rates: right lines": () =>
    [
      HEADING,
      ...Array.from({ length: 19_990 }, (_, at) =>
        `${PORTS[at % 8]},${PORTS[(at + 1) % 8]},40HC,USD,2026-11-01,1234.50,${Array.from({ length: 20 }, (_one, nth) => `${letters(at * 20 + nth)}=${nth}.50`).join("|")}`
          .replace("40HC", ["20GP", "40HC", "40RF", "20TK", "40OT"][at % 5]!)
          .replace(
            "2026-11-01",
            new Date(Date.UTC(2026, 0, 1 + Math.floor(at / 40))).toISOString().slice(0, 10),
          ),
      ),
    ].join("\n"),
  "rates: not UTF-8": () =>
    Buffer.concat([
      Buffer.from(`[{"origin":${list("[]", 2 * MIB)}},"`),
      Buffer.from([0xff]),
      Buffer.from('"]'),
    ]),

  "schedules: calls of many voyages": () =>
    voyages(
      Array.from({ length: 20_000 }, (_, at) => call(`"carrierExportVoyageNumber":"${at}E",`)).join(","),
    ),
  "schedules: a dense trade": () => denseTrade(),

  "messages: a thousand": () => texts(FSU + STATUS.repeat(100), 4 * MIB - 1_000),

  "callback: different references": () =>
    `[${Array.from({ length: 5_000 }, (_, at) => `{"eventType":"EQUIPMENT","equipmentReference":"R${at}"}`).join(",")}]`,

  "webhook: event types": () =>
    `{"url":"https://receiver.example/","event_types":${list('"a"', 64 * 1024 - 100)}}`,
  "webhook: a long URL": () => `{"url":"https://${filled("a.", 64 * 1024 - 100)}"}`,
  "container: a long reference": () => `{"reference":"${filled("\ufdfa", 190)}"}`,
  "plan: empty objects": () => `{"items":${list("{}", 511 * 1024)}}`,
};

export type UpstreamAnswer = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

const dcsa = (more: string, at = 0): string =>
  `{"eventType":"EQUIPMENT","eventClassifierCode":"ACT","eventDateTime":"${new Date(Date.UTC(2026, 9, 1) + at * 60_000).toISOString()}","equipmentEventTypeCode":"LOAD","transportCall":{"UNLocationCode":"CNSHA","modeOfTransport":"VESSEL","vessel":{"vesselIMONumber":"9321483","vesselName":"A"}},${more}"equipmentReference":"HRNU4000017"}`;

/** By the first segment of the path. */
export const ANSWERS: Readonly<Record<string, () => UpstreamAnswer>> = {
  numbers: () => ({ body: list("0", 8 * MIB - 1_000) }),
  "different-events": () => ({
    body: `[${Array.from({ length: 19_000 }, (_, at) => dcsa(`"eventID":"${at}","documentReferences":[{"documentReferenceType":"BKG","documentReferenceValue":"B${at}"}],`, at)).join(",")}]`,
  }),
  links: () => ({ headers: { link: filled("<", 15_000) }, body: "[]" }),
  "links-2": () => ({ headers: { link: filled("<>; rel=prev,", 15_000) }, body: "[]" }),
  "next-page": () => ({ headers: { "next-page": `<${filled("/", 15_000)}` }, body: "[]" }),
  "retry-after": () => ({
    headers: { "retry-after": filled("(", 15_000), date: filled("(", 15_000) },
    body: "[]",
  }),
  "fsa-elements": () => ({ body: `<x>${filled("<a>", MIB - 1_000)}` }),
  "fsa-entities": () => ({ body: `<x><a>${filled("&amp;", MIB - 1_000)}</a></x>` }),
  "fsa-blanks": () => ({ body: filled("\n", MIB - 1_000) }),
  "one-record-events": () => ({
    body: `{"@graph":[${Array.from({ length: 19_000 }, (_, at) => `{"@type":"LogisticsEvent","@id":"${at}","eventCode":"RCS","eventDate":"2026-11-01T08:00:00Z","recordingActor":{"@id":"${at}"}}`).join(",")}]}`,
  }),
  nothing: () => ({ body: "[]" }),
  "feed-large": () => ({ body: list(`{${" ".repeat(20)}}`, 16 * MIB - 100) }),
};

const QUERY = filled("%2C", 15_000);
const TOKEN = filled("x", 15_000);
const CURSOR = Buffer.from(list("[]", 10_000)).toString("base64url");

/** Requests without a body: where, and with which headers. The operator's begin with `/v1/`. */
export const PATHS: Readonly<Record<string, readonly [path: string, headers?: Record<string, string>]>> = {
  "a long token": ["/v1/accounts", { authorization: `Bearer ${filled(" ", 7_000)}${TOKEN.slice(0, 7_000)}` }],
  "a long key": ["/tracking/v1/webhooks", { authorization: `Bearer ${TOKEN}` }],
  "a long path": [`/tracking/v1/webhooks/${TOKEN}`],
  "many parameters": [`/tracking/v1/webhooks?${filled("a&", 15_000)}`],
  "a long parameter": [`/schedules/public/sailings?from=${QUERY}&to=NLRTM`],
  "a long service": [`/schedules/public/port-calls?port=CNSHA&service=${QUERY}`],
  "a long cursor": [`/schedules/public/port-calls?port=CNSHA&cursor=${CURSOR}`],
  "a cursor of webhooks": [`/tracking/v1/webhooks?cursor=${CURSOR}`],
  "a long reference": [`/tracking/public/containers/${QUERY}`],
  "a long waybill": [`/air/track/${QUERY}`],
  "a long version": ["/tracking/v1/webhooks", { "api-version": TOKEN }],
  "many addresses": ["/tracking/public/containers/HRNU0000011", { "x-forwarded-for": filled("1,", 15_000) }],
};

export const CARRIER_ANSWERS = [
  "numbers",
  "different-events",
  "links",
  "links-2",
  "next-page",
  "retry-after",
];

export const UPSTREAM_AIRLINES = {
  fsr: [
    { answer: "fsa-blanks" },
    { answer: "fsa-elements", format: "xml" },
    { answer: "fsa-entities", format: "xml" },
  ],
  oneRecord: ["one-record-events"],
} as const;

/** What reads them reads what is pushed, too; the rest of the worst is pushed. */
export const FEED_ANSWERS = ["feed-large"];
