/** Calls of vessels at ports as the record has them after months: most of them made, the others with cut-offs to come. */
import type { CallStatement, CallTime } from "../../src/products/schedules/calls/call-statement.ts";
import { callEvents } from "../../src/products/schedules/events/call-events.ts";
import { firstRecord } from "../../src/products/schedules/calls/next-call-record.ts";
import { SCHEMA_PREFIX } from "../../src/store/cell.ts";
import type { Postgres } from "./postgres.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS_A_STATEMENT = 50_000;

/** Calls of a voyage, and ports that they are at. */
const CALLS_A_VOYAGE = 8;
const PORTS = ["CNSHA", "CNNGB", "SGSIN", "LKCMB", "NLRTM", "DEHAM", "BEANR", "GBFXT"] as const;

/** What stands in the pattern of a record for what differs between calls. */
const PLACEHOLDERS = {
  id: "THE-ID",
  voyage: "THE-VOYAGE",
  arrivalMs: 1_111_111_111_111,
  departureMs: 2_222_222_222_222,
};
/** As long before the departure. */
const CUT_OFF_MS = 30 * HOUR_MS;
const CUT_OFF_PLACEHOLDER_MS = 3_333_333_333_333;

/**
 * Fills an empty record. `due` calls have a cut-off within the next 48 hours that was not yet reported. A fifth of
 * the other calls are in the future; the rest were measured over the last half year.
 */
export async function fillCalls(
  { client }: Postgres,
  calls: number,
  due: number,
  nowMs: number,
): Promise<void> {
  const patterns = PORTS.map(recordTemplate);
  for (let from = 0; from < calls; from += ROWS_A_STATEMENT) {
    const until = Math.min(calls, from + ROWS_A_STATEMENT) - 1;
    const parameters = [from, until, due, nowMs, patterns, PORTS, CALLS_A_VOYAGE, CUT_OFF_MS];
    await client.query(INSERT, parameters);
  }
  await client.query("vacuum analyze");
  await client.query("checkpoint");
}

/** The record of a call with no cut-off reported. */
function recordTemplate(port: string): string {
  const { id, voyage, arrivalMs, departureMs } = PLACEHOLDERS;
  const atMs = Date.UTC(2000, 0, 1);
  const statement = {
    ...statementOf({ carrier: "BNCH", service: "B1", voyage, port, arrivalMs, departureMs }),
    cutOffs: [{ code: "FCO", at: time(CUT_OFF_PLACEHOLDER_MS) }],
  };
  const telling = { feed: "bench", atMs, isComplete: false };
  const first = firstRecord({ id, nth: 1 }, statement, telling, 14 * DAY_MS);
  return JSON.stringify(callEvents(first, [48, 24], atMs).record);
}

export type CallInput = {
  readonly carrier: string;
  readonly service: string;
  readonly voyage: string;
  readonly port: string;
  readonly arrivalMs: number;
  readonly departureMs: number;
};

/** What a feed says of a call. */
export function statementOf(wanted: CallInput): CallStatement {
  const { carrier, service, voyage, port, arrivalMs, departureMs } = wanted;
  return {
    carrier,
    service: { code: service, name: `Service ${service}`, universal: null },
    vessel: { imo: "1900001", name: "BENCH ONE", isDummy: false },
    voyage: { import: voyage, export: voyage },
    port,
    portName: port,
    terminal: "T1",
    reference: null,
    status: null,
    arrival: { planned: time(arrivalMs), estimated: time(arrivalMs), actual: null },
    departure: { planned: time(departureMs), estimated: time(departureMs), actual: null },
    cutOffs: null,
    delayReason: null,
    remark: null,
  };
}

/** The statements of one feed: voyages of one service, three hours apart. */
export function feedStatements(
  carrier: string,
  calls: number,
  fromMs: number,
  laterMs: number,
): readonly CallStatement[] {
  return Array.from({ length: calls }, (_, index) => {
    const [voyage, place] = [Math.floor(index / CALLS_A_VOYAGE), index % CALLS_A_VOYAGE];
    const arrivalMs = fromMs + voyage * 3 * HOUR_MS + place * 3 * DAY_MS;
    const stated = statementOf({
      carrier,
      service: `F${voyage % 20}`,
      voyage: `V${voyage}`,
      port: PORTS[place]!,
      arrivalMs,
      departureMs: arrivalMs + DAY_MS,
    });
    const moved = (at: CallTime | null) => time(at!.ms + laterMs);
    return {
      ...stated,
      vessel: { imo: String(1_910_000 + voyage), name: `BENCH ${voyage}`, isDummy: false },
      arrival: { ...stated.arrival, estimated: moved(stated.arrival.estimated) },
      departure: { ...stated.departure, estimated: moved(stated.departure.estimated) },
    };
  });
}

function time(ms: number): CallTime {
  return { ms, offsetMinutes: 0 };
}

/** $1 and $2 from which number to which · $3 how many are due · $4 now · $5 patterns · $6 their ports · $7 calls a voyage · $8 from the cut-off to the departure */
const INSERT = `
  insert into ${SCHEMA_PREFIX}_schedules_0.port_calls (
    id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
    departure_at, calls_at, record, gone_at, due_at, measured_on, on_time, updated_at
  )
  select
    id, carrier, service, voyage, '', port, 1, vessel_imo, 'BENCH', 'T1', null, to_timestamp(arrival_ms / 1000.0),
    to_timestamp(departure_ms / 1000.0), to_timestamp(departure_ms / 1000.0),
    replace(replace(replace(replace(replace(pattern, '${PLACEHOLDERS.id}', id::text), '${PLACEHOLDERS.voyage}', voyage),
      '${PLACEHOLDERS.arrivalMs}', arrival_ms::text), '${PLACEHOLDERS.departureMs}', departure_ms::text),
      '${CUT_OFF_PLACEHOLDER_MS}', cut_off_ms::text),
    null,
    case when cut_off_ms > $4 then to_timestamp((cut_off_ms - ${48 * HOUR_MS}) / 1000.0) end,
    case when departure_ms < $4 then to_timestamp(arrival_ms / 1000.0)::date end,
    case when departure_ms < $4 then n % 5 <> 0 end,
    to_timestamp($4 / 1000.0)
  from (
    select
      n, gen_random_uuid() as id, 'B' || chr(65 + (n / $7 % 20)::integer) as carrier, 'B' || n / $7 % 300 as service,
      'V' || n / $7 as voyage, ($6::text[])[1 + n % $7] as port, ($5::text[])[1 + n % $7] as pattern,
      (1900000 + n / $7 % 90000)::text as vessel_imo, cut_off_ms, cut_off_ms + $8::bigint as departure_ms,
      cut_off_ms + $8::bigint - ${20 * HOUR_MS} as arrival_ms
    from (
      select
        n,
        $4::bigint + (case
          when n < $3 then ${25 * HOUR_MS} + random() * ${22 * HOUR_MS}
          when n % 5 = 0 then ${49 * HOUR_MS} + random() * ${60 * DAY_MS}
          else -${3 * DAY_MS} - random() * ${180 * DAY_MS}
        end)::bigint as cut_off_ms
      from generate_series($1::bigint, $2::bigint) as n
    ) as timed
  ) as call`;
