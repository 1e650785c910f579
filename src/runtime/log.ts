import { pino } from "pino";

/** A structured log: the fields first, then a sentence. pino has this shape. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where lines go: a stream, or a test's list. */
export type LogSink = { write(line: string): void };

/**
 * Names of fields that never reach a line, wherever they lie within the first two levels. This is a
 * net below the rule that nobody logs a secret, not a licence to try.
 */
const SECRET_FIELDS = [
  "authorization",
  "Authorization",
  "x-api-key",
  "apiKey",
  "key",
  "masterKey",
  "operatorToken",
  "password",
  "secret",
  "secretHash",
  "sealedSecretHash",
  "signature",
  "token",
];

/**
 * One JSON object a line, by default on stderr: stdout belongs to what a command answers. Lines to
 * stderr are written at once, so that the last one before a crash is there.
 */
export function jsonLog(level: LogLevel, sink: LogSink = pino.destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      redact: { paths: SECRET_FIELDS.flatMap(paths), censor: "[secret]" },
    },
    sink,
  );
}

/** The paths of a name at the top and in any object one level below. */
function paths(name: string): readonly string[] {
  return [`["${name}"]`, `*["${name}"]`];
}
