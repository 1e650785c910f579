/**
 * The answers of a check in a file that only its owner reads, and back: the answers as they came and the entry that they are
 * read by, both without credentials. A reader of the file repeats what the answers became, without the network.
 */
import { access, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Type, type Static, type TProperties } from "typebox";

import { CommandError } from "../../cli/command.ts";
import { isObject, parseJson } from "../../model/json.ts";
import { mismatchOf } from "../../model/validation-error.ts";
import { problemsText } from "../../runtime/config-file.ts";
import type { HttpPort } from "../upstream/http.ts";
import type { ReadEntries } from "../upstream/upstream-file.ts";
import { NOT_RECORDED } from "./connection.ts";
import type { Exchange } from "./exchanges.ts";
import { withoutKeys, withoutSecrets, type Mask } from "./secrets.ts";
import type { CheckPorts } from "./step.ts";

/** How a kind keeps answers. */
export type AnswersFile<Entry, About> = {
  readonly nameOf: (entry: Entry, about: About) => string;
  /** JSON; null: nothing to keep. */
  readonly keep: (kept: Kept<Entry, About>) => unknown;
  /** A text: why it holds no answers. Null: another command replays them. */
  readonly read: ((text: string) => Recording<Entry, About> | string) | null;
};

export type Kept<Entry, About> = {
  readonly entry: Entry;
  readonly about: About;
  readonly asked: readonly {
    readonly entry: object;
    readonly exchanges: readonly Exchange[];
    readonly mask: Pick<Mask, "hide">;
  }[];
  readonly atMs: number;
};

export type Recording<Entry, About> = {
  readonly entry: Entry;
  readonly about: About;
  /** When the answers came, milliseconds since the epoch. */
  readonly atMs: number;
  /** Answers as the source did. */
  readonly http: HttpPort;
};

const EXCHANGES_MAX = 500;

const ExchangesSchema = Type.Array(
  Type.Object(
    {
      method: Type.Union([Type.Literal("GET"), Type.Literal("POST")]),
      url: Type.String({ maxLength: 4_096 }),
      status: Type.Integer({ minimum: 100, maximum: 599 }),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: EXCHANGES_MAX },
);

type KeptExchanges = Static<typeof ExchangesSchema>;

/**
 * `field` holds the entry, `aboutSchema` are the fields that say what was asked about; `entryOf` puts the entry together of
 * the parts that were asked.
 */
export function answersFile<Entry, About extends object>(options: {
  readonly form: string;
  readonly field: string;
  readonly aboutSchema: TProperties;
  readonly aboutOf: (entry: Entry, about: About) => About;
  readonly nameOf: (entry: Entry, about: About) => string;
  readonly entryOf: (entry: Entry, parts: readonly object[]) => object;
  readonly readEntries: (text: string) => ReadEntries<Entry>;
}): AnswersFile<Entry, About> {
  const { form, field, aboutSchema, aboutOf, nameOf, entryOf, readEntries } = options;
  const schema = Type.Object(
    {
      form: Type.Literal(form),
      at: Type.String({ format: "date-time" }),
      ...aboutSchema,
      [field]: Type.Record(Type.String(), Type.Unknown()),
      exchanges: ExchangesSchema,
    },
    { additionalProperties: false },
  );
  return {
    nameOf,
    keep({ entry, about, asked, atMs }) {
      const exchanges = asked.flatMap((one) =>
        one.exchanges.flatMap((exchange) => keptOf(exchange, one.mask)),
      );
      if (exchanges.length === 0) return null;
      const parts = asked.map((one) => withoutCredentials(one.entry, one.mask));
      return {
        ...{ form, at: new Date(atMs).toISOString(), ...aboutOf(entry, about) },
        [field]: entryOf(entry, parts),
        exchanges: exchanges.slice(0, EXCHANGES_MAX),
      };
    },
    read(text) {
      const value = parseJson(text);
      if (!isObject(value) || value["form"] !== form) return `it holds no answers in the form ${form}`;
      const wrong = mismatchOf(schema, value, "it");
      if (wrong !== null) return wrong;
      const {
        form: _,
        at,
        exchanges,
        [field]: written,
        ...about
      } = value as Readonly<Record<string, unknown>>;
      const read = readEntries(JSON.stringify([written]));
      if (read.kind === "invalid") return `its ${field} is wrong:${problemsText(read.problems)}`;
      const http = answering(exchanges as KeptExchanges);
      return { entry: read.entries[0]!, about: about as About, atMs: Date.parse(at as string), http };
    },
  };
}

function withoutCredentials(entry: object, { hide }: Pick<Mask, "hide">): object {
  const own = Object.entries(entry).filter(([name]) => !CREDENTIALS.has(name));
  return withoutSecrets(Object.fromEntries(own), hide) as object;
}

/** Fields of an entry that no reader of answers needs. */
const CREDENTIALS: ReadonlySet<string> = new Set(["headers", "apiKeys", "oauth", "quota", "secret"]);

/** The headers of an answer that its readers use. */
const HEADERS = [
  "content-type",
  "date",
  "retry-after",
  "api-version",
  "link",
  "next-page",
  "next-page-cursor",
];

/** Empty: nothing was answered, or a token was. */
function keptOf({ url, method, isToken, answer }: Exchange, { hide }: Pick<Mask, "hide">): KeptExchanges {
  if (isToken || answer.kind === "failed") return [];
  const headers = HEADERS.flatMap((name) => {
    const value = answer.header(name);
    return value === null ? [] : [[name, withoutKeys(hide(value))] as const];
  });
  const body = keptBody(answer.body, (text) => withoutKeys(hide(text)));
  const { status } = answer;
  return [{ method, url: withoutKeys(hide(url.href)), status, headers: Object.fromEntries(headers), body }];
}

/** As it came. A number may be spelled as a secret is: JSON stays JSON. */
function keptBody(body: string, hide: Mask["hide"]): string {
  const hidden = hide(body);
  if (hidden === body || parseJson(hidden) !== undefined) return hidden;
  const value = parseJson(body);
  return value === undefined ? hidden : JSON.stringify(withoutSecrets(value, hide));
}

/** The network and the time as they were when the answers came. */
export function replaying(
  ports: CheckPorts,
  { http, atMs }: Pick<Recording<unknown, unknown>, "http" | "atMs">,
): CheckPorts {
  return { ...ports, http, clock: { ...ports.clock, nowMs: () => atMs } };
}

/** Each answer once, in their order; what was not asked then has no answer. */
function answering(exchanges: KeptExchanges): HttpPort {
  const left = [...exchanges];
  return async ({ href }, { form, body }) => {
    const method = form === undefined && body === undefined ? "GET" : "POST";
    const index = left.findIndex((one) => one.method === method && isSameAddress(one.url, href));
    const [kept] = index === -1 ? [] : left.splice(index, 1);
    if (kept === undefined) return { kind: "failed", reason: "connection", cause: { code: NOT_RECORDED } };
    const { status, headers } = kept;
    return { kind: "answered", status, header: (name) => headers[name] ?? null, body: kept.body };
  };
}

function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && inOneSpelling(one) === inOneSpelling(other);
}

/** Without what is hidden in a kept address. */
function inOneSpelling(address: string): string {
  const url = new URL(withoutKeys(address));
  url.searchParams.sort();
  return url.href;
}

/** Before anything is asked: an answer that cannot be kept costs as much of the quota. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    // Only the last folder: Node.js makes the ones above it without end where a file system refuses, as /proc does.
    await mkdir(folder).catch(unlessThere);
    // The dot: a file is no folder.
    await access(`${folder}/.`, constants.W_OK);
  } catch (cause) {
    throw new CommandError(`--record: ${folder} cannot be written to: ${(cause as Error).message}.`);
  }
}

function unlessThere(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "EEXIST") throw cause;
}

/** The file, in a folder that exists. */
export async function keepAnswers<Entry, About>(
  folder: string,
  { nameOf, keep }: AnswersFile<Entry, About>,
  kept: Kept<Entry, About>,
): Promise<string | null> {
  const value = keep(kept);
  if (value === null) return null;
  const file = join(folder, `${nameOf(kept.entry, kept.about)}.json`);
  // An older file may be open to other users, and a link leads elsewhere.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** `read` returns a text where the file holds no recording: why. */
export async function readKept<Recorded extends object>(
  file: string,
  read: (text: string) => Recorded | string,
): Promise<Recorded> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be read: ${(cause as Error).message}.`, 1);
  });
  const recording = read(text);
  if (typeof recording === "string") throw new CommandError(`${file} cannot be replayed: ${recording}.`, 1);
  return recording;
}
