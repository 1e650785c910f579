/** The forms of settings, and how their texts become values. */
import { isIP } from "node:net";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./durations.ts";
import { withoutTrailingSlashes } from "./trailing-slashes.ts";

/** `wrong` ends the sentence "NAME …". */
export type ReadSetting<T> = { readonly value: T } | { readonly wrong: string };

export type SettingKind<T> = {
  /** For the table of settings. */
  readonly form: string;
  read(text: string): ReadSetting<T>;
};

/** Port 0 picks a free one. */
export type ListenAddress = { readonly host: string; readonly port: number };

const UNIT_MS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

const DURATION_FORM = "a duration such as 250ms, 10s, 5m, 2h or 3d";

/** Milliseconds, from a whole number and its unit. */
export function duration(min: string, max: string): SettingKind<number> {
  const [minMs, maxMs] = [milliseconds(min) ?? Number.NaN, milliseconds(max) ?? Number.NaN];
  return {
    form: `${min} to ${max}`,
    read(text) {
      const ms = milliseconds(text);
      if (ms === null) return { wrong: `must be ${DURATION_FORM}` };
      return ms >= minMs && ms <= maxMs ? { value: ms } : { wrong: `must be from ${min} to ${max}` };
    },
  };
}

function milliseconds(text: string): number | null {
  const [, digits = "", unit = ""] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? [];
  return digits === "" ? null : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** One or more of `kind`, with commas between them. */
export function listOf<T>(kind: SettingKind<T>, lengthMax: number): SettingKind<readonly T[]> {
  return {
    form: `up to ${lengthMax}: ${kind.form}`,
    read(text) {
      const parts = text.split(",").map((part) => part.trim());
      if (parts.length > lengthMax) return { wrong: `must have at most ${lengthMax} entries` };
      const values: T[] = [];
      for (const part of parts) {
        const reading = kind.read(part);
        if ("wrong" in reading) return { wrong: `is a list, and each entry ${reading.wrong}` };
        values.push(reading.value);
      }
      return { value: values };
    },
  };
}

export function count(min: number, max: number): SettingKind<number> {
  return {
    form: `${min} to ${max}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max
        ? { value }
        : { wrong: `must be a whole number from ${min} to ${max}` };
    },
  };
}

/** From none to all. */
export const share: SettingKind<number> = {
  form: "0 to 1",
  read: (text) =>
    /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text)
      ? { value: Number(text) }
      : { wrong: "must be a number from 0 to 1, such as 0.05" },
};

export function oneOf<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  return {
    form: words.join(", "),
    read(text) {
      const value = words.find((word) => word === text);
      return value === undefined ? { wrong: `must be one of ${words.join(", ")}` } : { value };
    },
  };
}

export function line(form: string, lengthMin = 1, lengthMax = Number.POSITIVE_INFINITY): SettingKind<string> {
  return {
    form,
    read(text) {
      if (/\p{Cc}/u.test(text)) return { wrong: "must be one line of text without control characters" };
      if (text.length > lengthMax) return { wrong: `must have at most ${lengthMax} characters` };
      return text.length >= lengthMin
        ? { value: text }
        : { wrong: `must have at least ${lengthMin} characters` };
    },
  };
}

/** A key of 32 bytes in base64 or base64url; the value is the text. */
export const key32: SettingKind<string> = {
  form: "32 bytes in base64",
  read(text) {
    const isKey = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) && Buffer.from(text, "base64").length === 32;
    return isKey
      ? { value: text }
      : { wrong: 'must be 32 bytes in base64, such as "openssl rand -base64 32" prints' };
  },
};

const ENCODE =
  "in the user and the password, write characters such as / ? # @ % percent-encoded (/ is %2F, @ is %40)";

export const postgresUrl: SettingKind<string> = {
  form: "postgres://user:password@host:5432/database",
  read(text) {
    const url = URL.parse(text);
    const isPostgres = url?.protocol === "postgres:" || url?.protocol === "postgresql:";
    return isPostgres && isWhole(text)
      ? { value: text }
      : { wrong: `must be a URL such as postgres://user:password@host:5432/database; ${ENCODE}` };
  },
};

/** False where a password that is not encoded ends the host too early: its rest would be taken for a path, and shown. */
function isWhole(text: string): boolean {
  const behind = text.slice(text.indexOf("://") + "://".length);
  const end = behind.search(/[/?#]/);
  const rest = end === -1 ? "" : behind.slice(end);
  return !rest.includes("@") && !rest.includes("#") && !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/** The value has no slash at its end. */
export const baseUrl: SettingKind<string> = {
  form: "https://host[/path]",
  read(text) {
    const url = URL.parse(text);
    const isBase =
      (url?.protocol === "https:" || url?.protocol === "http:") &&
      url.search + url.hash + url.username + url.password === "" &&
      !text.includes("@");
    return isBase
      ? { value: withoutTrailingSlashes(url.href) }
      : { wrong: "must be a URL such as https://api.example.com, without user, query or fragment" };
  },
};

/** Of a mail server. */
export const smtpUrl: SettingKind<string> = {
  form: "smtps://user:password@host",
  read(text) {
    const url = URL.parse(text);
    const isSmtp = (url?.protocol === "smtp:" || url?.protocol === "smtps:") && url.hostname !== "";
    return isSmtp && isWhole(text)
      ? { value: text }
      : { wrong: `must be a URL such as smtps://user:password@mail.example.com; ${ENCODE}` };
  },
};

/** `host:port`; an IPv6 address in brackets. */
export const listenAddress: SettingKind<ListenAddress> = {
  form: "host:port",
  read(text) {
    const match = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/.exec(text);
    const { v6, host = v6, port } = match?.groups ?? {};
    if (host === undefined || Number(port) > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) {
      return { wrong: "must be host:port, such as 127.0.0.1:8080 or [::1]:8080" };
    }
    return { value: { host, port: Number(port) } };
  },
};

export const cidr: SettingKind<string> = {
  form: "address or CIDR",
  read(text) {
    const [, address = "", bits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const family = isIP(address);
    const isRange = family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
    return isRange ? { value: text } : { wrong: "must be an IP address or a CIDR such as 10.0.0.0/8" };
  },
};

/** `false` for none, or a list of ranges. */
export const noneOrCidrs: SettingKind<readonly string[]> = {
  form: "false, or CIDRs",
  read: (text) => (text === "false" ? { value: [] } : listOf(cidr, 100).read(text)),
};

/** `false` for none, or a list of ranges and of `on-link`. */
export const deniedTargets: SettingKind<readonly string[]> = {
  form: "false, or CIDRs and on-link",
  read: (text) => (text === "false" ? { value: [] } : listOf(rangeOrOnLink, 100).read(text)),
};

const rangeOrOnLink: SettingKind<string> = {
  form: `${cidr.form}, or on-link`,
  read: (text) => (text === "on-link" ? { value: text } : cidr.read(text)),
};

/** `false` for none, `true` for all, or a list of ranges. */
export const anyOrCidrs: SettingKind<boolean | readonly string[]> = {
  form: "false, true, or CIDRs",
  read: (text) =>
    text === "true" ? { value: true } : text === "false" ? { value: false } : listOf(cidr, 100).read(text),
};

const hostName: SettingKind<string> = {
  form: "host name",
  read: (text) =>
    /^[A-Za-z0-9.-]{1,253}$/.test(text)
      ? { value: text }
      : { wrong: "must be a host name such as ops.example.com" },
};

/** `false` for none, or a list. */
export const noneOrHostNames: SettingKind<readonly string[]> = {
  form: "false, or host names",
  read: (text) => (text === "false" ? { value: [] } : listOf(hostName, 20).read(text)),
};

/** As `frame-ancestors` takes them. */
const origin: SettingKind<string> = {
  form: "https://host[:port]",
  read: (text) =>
    /^https?:\/\/(?:\*\.)?[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}(?::\d{1,5})?$/.test(text)
      ? { value: text.toLowerCase() }
      : { wrong: "must be a site such as https://app.example.com or https://*.example.com, without a path" },
};

/** `false` for none, or a list. */
export const noneOrOrigins: SettingKind<readonly string[]> = {
  form: "false, or sites such as https://app.example.com",
  read: (text) => (text === "false" ? { value: [] } : listOf(origin, 20).read(text)),
};

export const color: SettingKind<string> = {
  form: "#rrggbb",
  read: (text) =>
    /^#[0-9a-f]{6}$/i.test(text)
      ? { value: text.toLowerCase() }
      : { wrong: "must be a colour such as #0b5f80" },
};

/** `tag=host` pairs, as a map from the host name in lower case to its tag. */
export const hostMap: SettingKind<ReadonlyMap<string, string>> = {
  form: "list of product=host",
  read(text) {
    const hosts = new Map<string, string>();
    for (const pair of text.split(",").map((part) => part.trim())) {
      const [, tag = "", host = ""] = /^([a-z]+)=([A-Za-z0-9.-]{1,253})$/.exec(pair) ?? [];
      if (tag === "") return { wrong: "must be pairs such as tracking=hooks.example.com" };
      if (hosts.has(host.toLowerCase())) return { wrong: `names the host ${host.toLowerCase()} twice` };
      hosts.set(host.toLowerCase(), tag);
    }
    return { value: hosts };
  },
};
