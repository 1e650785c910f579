/** How airlines are tried: `boathook airlines check`. */
import { timeOfAnswer } from "../../../freight/sources/as-of.ts";
import { Type } from "typebox";

import { CommandError } from "../../../cli/command.ts";
import { display, type Column } from "../../../cli/print.ts";
import { checkDigitOf, fillTemplate, formatAwb, readAwb } from "../../../freight/references/awb.ts";
import { checkCommand } from "../../../freight/source-check/check-command.ts";
import type { Came, CheckedKind, Secrets } from "../../../freight/source-check/check.ts";
import { answersFile } from "../../../freight/source-check/kept-answers.ts";
import { claimedAs, createRaised, momentsOf } from "../../../freight/source-check/live-through.ts";
import { lifeText, type Raised } from "../../../freight/source-check/report.ts";
import { secretsAmong } from "../../../freight/source-check/secrets.ts";
import { failed, passed, type StepEnd } from "../../../freight/source-check/step.ts";
import { createEventDataCheck } from "../../../model/event-check.ts";
import { air } from "../catalogue.ts";
import { reduceStatements } from "../record/reduce-statements.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import { AIR_SETTINGS } from "../settings.ts";
import type { AirlineAnswer } from "../sources/airline-answer.ts";
import { createAirlineClient } from "../sources/airline-client.ts";
import type { PolledSource } from "../sources/airlines/airline-schema.ts";
import { configuredAirline, readAirlines, type Airline } from "../sources/airlines/airlines-file.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";
import { hasTime, timeOf } from "../timeline/event-order.ts";
import { type WaybillEventView, waybillView, type WaybillView } from "../tracking/waybill-view.ts";

/** Eleven digits; null: a number that nobody has, to see whether the credentials are accepted. */
export type AskedAirline = { readonly awb: string | null };

type Who = { readonly iata: string; readonly name: string; readonly awb: string };

export const AIRLINE_CHECK: CheckedKind<Airline, AskedAirline, AirlineAnswer, Outcome, Who> = {
  words: { whom: "airline", file: "airlines file", subject: "waybill", address: "its address" },
  advice: [
    [
      /^not_fsa$/,
      "The answer holds no FSA or FSU: check url, and name where messages stand in `answer`, or describe an API of the airline's own as `mapped`.",
    ],
    [
      /^not_(?:json|xml)$/,
      "The answer is not in the format that the file says: check url and `answer.format`.",
    ],
    [/^not_json_ld$/, "The answer is no ONE Record: check objectUrl, and that the server speaks JSON-LD."],
    [
      /^other_waybill$/,
      "The answer is about another waybill: check where {awb}, {prefix} and {serial} stand in the address or message, and `answer.waybill`.",
    ],
    [/^too_large$/, "The answer is larger than Boathook reads: the airline may offer a shorter one."],
  ],
  whoOf: (airline, about) => ({ iata: airline.iata, name: airline.name, awb: awbOf(airline, about) }),
  apisOf(airline, about) {
    const awb = awbOf(airline, about);
    return airline.sources.map((source, place) => {
      if (source.kind === "push")
        return { of: `${place + 1} push`, why: "messages come by themselves: nothing to ask" };
      return {
        of: `${place + 1} ${source.kind}, ${formatAwb(awb)}`,
        secrets: secretsOf(source),
        servers: [fillTemplate(addressOf(source), awb)],
        oauth: source.oauth,
        isNobodys: awb === nobodysOf(airline) ? "--awb" : null,
        ask({ log: _, ...ports }) {
          const client = createAirlineClient({ ...ports, airlines: [{ ...airline, sources: [source] }] });
          return client.fetch(airline, awb);
        },
        endOf: (answer, came) => endOf(source, answer, came),
        entry: source,
      };
    });
  },
  outcomeOf(answers, { ports: { clock }, entry, hide }) {
    const found = answers.find(({ kind }) => kind === "statement");
    if (found?.kind !== "statement") return null;
    const nowMs = timeOfAnswer(entry, found, clock);
    const outcome = outcomeOf(entry, found.statement, found.problems, nowMs);
    // What was skipped may quote an answer.
    return { ...outcome, skipped: outcome.skipped.map(hide) };
  },
  file: answersFile({
    form: "boathook-airline-answers-1",
    field: "airline",
    aboutSchema: { awb: Type.String({ pattern: "^[0-9]{11}$" }) },
    aboutOf: (airline, about) => ({ awb: awbOf(airline, about) }),
    nameOf: (airline, about) => `${airline.iata}-${awbOf(airline, about)}`,
    entryOf: ({ iata, name, prefixes, asOf }, sources) => ({
      ...{ name, iata, prefixes, ...(asOf === undefined ? {} : { asOf }) },
      sources,
    }),
    readEntries: readAirlines,
  }),
};

const awbOf = (airline: Airline, { awb }: AskedAirline): string => awb ?? nobodysOf(airline);

/** A valid number that no airline has reached, or ever will. */
function nobodysOf({ prefixes }: Airline): string {
  const digits = `${prefixes[0]}9999999`;
  return digits + checkDigitOf(`${digits}0`);
}

/** Some airlines take keys in the address or in the message. */
function secretsOf(source: PolledSource): Secrets {
  const { headers, apiKeys, oauth } = source;
  const address = addressOf(source);
  const ofQuery = URL.canParse(address) ? [...new URL(address).searchParams] : [];
  const message = source.kind === "one-record" ? "" : (source.message ?? "");
  const ofMessage = [...message.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, value] as const);
  return { credentials: [headers, apiKeys, oauth], others: secretsAmong([...ofQuery, ...ofMessage]) };
}

/** Of JSON, a form or XML: `"apiKey": "…"`, `api_key=…`, `<Password>…`. */
const FIELD = /([\w-]{1,60})"?\s{0,4}[:=>]\s{0,4}"?([^"&<\s]{1,4096})/g;

function addressOf(source: PolledSource): string {
  return source.kind === "one-record" ? source.objectUrl : source.url;
}

function endOf({ kind }: PolledSource, answer: AirlineAnswer, came: Came): StepEnd {
  if (answer.kind === "unchanged") return passed(came.text(true));
  if (answer.kind !== "statement") return came.noAnswer(answer);
  const { statement, problems } = answer;
  const { length } = came.questions;
  const read = `${came.text(true)}, ${statement.events.length} events${length === 1 ? "" : ` in ${length} answers`}`;
  if (problems.length === 0) return passed(read);
  // How an API's values are read is the entry's to say; messages are as their sender writes them.
  return kind === "mapped" ? failed(read, SKIPPED) : passed(read, SKIPPED);
}

const SKIPPED = "Parts of the answer could not be used: see what was skipped.";

const EVENTS: readonly Column<WaybillEventView>[] = [
  ["TIME", ({ at }) => at],
  ["CODE", ({ code }) => code],
  ["EVENT", ({ name }) => name],
  ["STATION", ({ station }) => station],
];

type Typed = { readonly awb?: string };

export const airlinesCheck = checkCommand<Airline, AskedAirline, AirlineAnswer, Outcome, Who, Typed>(
  AIRLINE_CHECK,
  {
    one: "airline",
    many: "airlines",
    setting: AIR_SETTINGS.airlinesFile,
    guide: "docs/airlines.md",
    readEntries: readAirlines,
    question: "one question of each source",
    without: "Without an airline, all; without --awb, about a number that nobody has.",
    examples: [
      "boathook airlines check",
      "boathook airlines check LH --awb 020-12345675 --record answers",
      "boathook airlines check --replay answers/LH-02012345675.json",
    ],
    argument: ["[airline]", "its IATA code"],
    options: [["--awb <number>", "a waybill that you may track"]],
    replayed: "airline and waybill",
    key: "code",
    keyOf: ({ iata }) => iata,
    // An airline may have several entries.
    named: (airlines, iata) => airlines.filter((airline) => airline.iata === iata.toUpperCase()),
    aboutOf({ awb: typed }) {
      if (typed === undefined) return { awb: null };
      const read = readAwb(typed);
      if (read.kind === "invalid") throw new CommandError(`--awb: ${read.message}.`);
      return { awb: read.awb };
    },
    chosenFor(airlines, { awb }) {
      if (awb === null) return airlines;
      const airline = configuredAirline(airlines, awb.slice(0, 3));
      if (airline !== null) return [airline];
      throw new CommandError(`The airlines file has no airline with the prefix ${awb.slice(0, 3)}.`);
    },
    nameOf: ({ iata }) => iata,
    titleOf: ({ iata, name, awb }) => `${iata} ${name}, ${formatAwb(awb)}`,
    printed({ waybill, raised, skipped, events, planned }) {
      const known = [
        ["Waybill", formatAwb(waybill.awb)],
        ["Status", waybill.status],
        ["Route", `${display(waybill.origin)} > ${display(waybill.destination)}`],
        ["Cargo", `${display(waybill.pieces)} pieces, ${display(waybill.weight_kg)} kg`],
        ["Flight", waybill.flight_number],
        ["ETA", waybill.eta],
        ["Read", `${events} events, ${planned} of them announced, ${skipped.length} problems`],
        ...skipped.map((reason) => ["Skipped", reason] as const),
      ] as const;
      return lifeText(known, waybill.events, EVENTS, raised);
    },
  },
);

export type Outcome = {
  /** As clients would see it. */
  readonly waybill: WaybillView;
  readonly raised: readonly Raised[];
  /** Parts of the answer that could not be used, each with its place. */
  readonly skipped: readonly string[];
  /** Events of the answer that were read, announced ones included. */
  readonly events: number;
  readonly planned: number;
};

export function outcomeOf(
  airline: Airline,
  statement: WaybillStatement,
  problems: readonly string[],
  nowMs: number,
): Outcome {
  const { awb, events } = statement;
  const happened = events.filter(hasHappened).filter((event) => timeOf(event) < nowMs);
  const check = createEventDataCheck([air]);
  const { raised, add } = createRaised();
  let record: string | null = null;
  let late: readonly string[] = [];
  for (const atMs of momentsOf(happened.map(timeOf), nowMs, true)) {
    const known = events.filter((event) => atMs === nowMs || !hasHappened(event) || timeOf(event) <= atMs);
    const said = { ...statement, events: known, saidMs: atMs };
    const claimed = claimedAs({ reference: awb });
    const reduced = reduceStatements(check, claimed, airline, [said], record, atMs);
    record = reduced.known.record;
    late = reduced.problems;
    add(reduced.events, atMs);
  }
  return {
    waybill: waybillView(awb, airline, record === null ? null : readWaybillRecord(record)),
    raised,
    skipped: [...problems, ...late],
    events: events.length,
    planned: events.filter(({ planned }) => planned === true).length,
  };
}

/** At a time that it names. */
const hasHappened = (event: AirEvent): boolean => event.planned !== true && hasTime(event);
