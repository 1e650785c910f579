/** Reads all settings from an environment; one message says everything that is wrong. */
import { didYouMean } from "./did-you-mean.ts";
import type { ReadSetting } from "./setting-kinds.ts";
import { SETTING_SECTIONS, type Setting, type SettingGroup } from "./setting.ts";
import { FORMER_SETTINGS, SETTINGS, type Settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Configuration =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "invalid"; readonly message: string };

export type SettingDescription = {
  readonly name: string;
  /** In the form of the environment, secrets masked; null when unset. */
  readonly value: string | null;
  readonly default: string | null;
  readonly from: "environment" | "default";
  readonly form: string;
  readonly about: string;
};

const PREFIX = "BOATHOOK_";

/** Names that the test suite uses. */
const TEST_PREFIX = "BOATHOOK_TEST_";

/** What the settings are for: a service signs, and most commands do not. */
type Use = "command" | "service";

/** `BOATHOOK_HOSTS` may name the tag. */
export type ConfiguredProduct = { readonly tag: string; readonly settings: SettingGroup };

/** An empty value counts as unset. The settings also hold the values of the products' own. */
export function readConfiguration(
  environment: Environment,
  products: readonly ConfiguredProduct[],
  use: Use = "command",
): Configuration {
  const group = allSettings(products);
  const wrong: string[] = unknownNames(environment, Object.values(group));
  const values = new Map<string, unknown>();
  for (const [key, one] of Object.entries(group)) {
    const reading = read(one, environment);
    if ("wrong" in reading) wrong.push(`${one.name} ${reading.wrong}.`);
    else values.set(key, reading.value);
  }
  // Incomplete if something is wrong, and then not returned.
  const settings = Object.fromEntries(values) as Settings;
  if (wrong.length === 0) {
    if (use === "service") wrong.push(...missing(settings));
    wrong.push(...contradictions(settings, products), ...excesses(group, values, environment));
  }
  if (wrong.length === 0) return { kind: "settings", settings };
  const lines = wrong.map((sentence) => `  - ${sentence}`).join("\n");
  return {
    kind: "invalid",
    message: `The settings are wrong:\n${lines}\n\`boathook config\` lists all settings.`,
  };
}

/** By key: a setting that several products share is there once. */
function allSettings(products: readonly ConfiguredProduct[]): SettingGroup {
  return Object.assign({}, SETTINGS, ...products.map(({ settings }) => settings)) as SettingGroup;
}

function listedSettings(products: readonly ConfiguredProduct[]): readonly Setting<unknown>[] {
  const all = Object.values(allSettings(products));
  return SETTING_SECTIONS.flatMap((name) => all.filter(({ section = "service" }) => section === name));
}

/** Every setting with its value in `environment`, secrets masked. */
export function describeSettings(
  environment: Environment,
  products: readonly ConfiguredProduct[],
): readonly SettingDescription[] {
  return listedSettings(products).map((one) => {
    const set = textOf(one, environment);
    return {
      name: one.name,
      value: set === null ? one.default : masked(one, set),
      default: one.default,
      from: set === null ? "default" : "environment",
      form: one.kind.form,
      about: one.about,
    };
  });
}

/** A table in Markdown. */
export function settingsTable(products: readonly ConfiguredProduct[]): string {
  const rows = listedSettings(products).map(
    ({ name, kind, default: value, about }) =>
      `| \`${name}\` | ${value === null ? "unset" : `\`${value}\``} | ${kind.form} | ${about} |`,
  );
  return ["| Setting | Default | Value | What it does |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function textOf({ name }: Setting<unknown>, environment: Environment): string | null {
  const text = environment[name]?.trim();
  return text === undefined || text === "" ? null : text;
}

function read(one: Setting<unknown>, environment: Environment): ReadSetting<unknown> {
  const set = textOf(one, environment);
  const text = set ?? one.default;
  if (text === null) return { value: null };
  const reading = one.kind.read(text);
  // The text helps to find the mistake, unless it may be a mistyped secret.
  if ("value" in reading || one.secret !== undefined || hasUser(text)) return reading;
  return { wrong: `${reading.wrong}; it is "${text}"` };
}

/** A URL may carry a password, however malformed it is. */
function hasUser(text: string): boolean {
  return text.includes("://") && text.includes("@");
}

function unknownNames(environment: Environment, all: readonly Setting<unknown>[]): string[] {
  const names = all.map(({ name }) => name as string);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !names.includes(name))
    .toSorted()
    .map((name) => {
      const former = FORMER_SETTINGS.get(name);
      if (former !== undefined) return `${name} is no setting any more: ${former}.`;
      const near = didYouMean(
        name.slice(PREFIX.length),
        names.map((known) => known.slice(PREFIX.length)),
      );
      return `${name} is no setting${near === null ? "" : `; did you mean ${PREFIX}${near}`}.`;
    });
}

/** Before anything is migrated: without the key, the service that did it could not go on. */
function missing({ databaseUrl, masterKey }: Settings): readonly string[] {
  if (databaseUrl === null || masterKey !== null) return [];
  return [
    `${SETTINGS.masterKey.name} must be set along with ${SETTINGS.databaseUrl.name}: 32 random bytes in base64, such as ` +
      "`openssl rand -base64 32` prints. Keep it, and apart from the database: without it the secrets of all endpoints " +
      "are lost.",
  ];
}

/** Settings that contradict each other. */
function contradictions(settings: Settings, products: readonly ConfiguredProduct[]): readonly string[] {
  const wrong: string[] = [];
  const { name: hosts } = SETTINGS.hosts;
  const tags = products.map(({ tag }) => tag);
  for (const tag of new Set(settings.hosts?.values())) {
    if (!tags.includes(tag)) wrong.push(`${hosts} names "${tag}", which is none of ${tags.join(", ")}.`);
  }
  const waits = settings.retryWaitsMs.length;
  if (waits < settings.attemptsMax - 1) {
    wrong.push(
      `${SETTINGS.retryWaitsMs.name} has ${waits} waits, but ${SETTINGS.attemptsMax.name} is ` +
        `${settings.attemptsMax}: between so many attempts there are ${settings.attemptsMax - 1}.`,
    );
  }
  return wrong;
}

/** Settings that exceed the one that bounds them. */
function excesses(
  group: SettingGroup,
  values: ReadonlyMap<string, unknown>,
  environment: Environment,
): readonly string[] {
  const valueOf = new Map(Object.entries(group).map(([key, one]) => [one.name, Number(values.get(key))]));
  return Object.values(group).flatMap((one) => {
    const { name, atMost: bound } = one;
    if (bound === undefined || textOf(one, environment) === null) return [];
    if (valueOf.get(name)! <= valueOf.get(bound.name)!) return [];
    return [
      `${name} must be at most ${bound.name}, which is ${textOf(bound, environment) ?? bound.default}.`,
    ];
  });
}

function masked({ kind, secret }: Setting<unknown>, text: string): string {
  if (secret === "all") return "(set)";
  if ("wrong" in kind.read(text) && (secret !== undefined || hasUser(text))) return "(set)";
  if (secret !== "password") return text;
  const url = URL.parse(text);
  if (url === null) return "(set)";
  if (url.password !== "") url.password = "***";
  return url.searchParams.has("password") ? "(set)" : url.href;
}
