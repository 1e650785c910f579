import type { Log } from "../../src/runtime/log.ts";

export type LogLine = { readonly level: keyof Log; readonly fields: object; readonly message: string };

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A log whose lines a test can read. */
export function recordingLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), lines };
}
