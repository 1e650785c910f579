import { pino } from "pino";

/** A structured log. pino has this shape. */
export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The same log for what is tried again: its first warning is there already. */
export function withoutWarnings(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.debug(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogSink = { write(line: string): void };

/** Fields that the log masks in the first two levels. A safety net: nobody logs a secret. */
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
 * One JSON object a line, by default on stderr, written at once, so that the last line before a crash is there. `base` is
 * part of every line.
 */
export function jsonLog(
  level: LogLevel,
  sink: LogSink = pino.destination({ fd: 2, sync: true }),
  base: Readonly<Record<string, unknown>> | null = null,
): Log {
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[secret]" },
    },
    sink,
  );
}
