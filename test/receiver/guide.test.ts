import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { LOCAL_FAULTS, type AttemptErrorCode } from "../../src/engine/send/errors.ts";

const guide = readFileSync(new URL("../../docs/receiving.md", import.meta.url), "utf8");

/** The compiler sees to it that none is missing. */
const codes: { readonly [Code in AttemptErrorCode]: true } = {
  timeout: true,
  invalid_url: true,
  blocked_address: true,
  dns_not_found: true,
  dns_failed: true,
  connection_refused: true,
  connection_reset: true,
  host_unreachable: true,
  tls_expired: true,
  tls_wrong_host: true,
  tls_self_signed: true,
  tls_untrusted: true,
  tls_version: true,
  tls_failed: true,
  headers_too_large: true,
  answer_too_large: true,
  protocol_error: true,
  closed_early: true,
  sender_closed: true,
  out_of_sockets: true,
  name_servers_unreachable: true,
  transport_error: true,
};

describe("the receiving guide", () => {
  it("explains every last_error", () => {
    const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
    const told = Object.keys(codes).filter((code) => !LOCAL_FAULTS.has(code));
    const missing = told.filter((code) => !rows.some((row) => row.includes(`\`${code}\``)));
    assert.deepEqual(missing, []);
  });

  it("shows the ladder as it is", () => {
    const { waitsMs, attemptsMax, disableAfterFailures } = DEFAULT_ENGINE_SETTINGS.retry;
    const rows = [...guide.matchAll(/^\| (\d) \| (?:(\d+) (second|minute|hour)s? )?\|/gm)];
    const unitMs: { readonly [unit: string]: number } = { second: 1_000, minute: 60_000, hour: 3_600_000 };
    assert.equal(rows.length, attemptsMax);
    assert.deepEqual(
      rows.slice(1).map(([, , count, unit]) => Number(count) * (unitMs[unit ?? ""] ?? 0)),
      waitsMs.slice(0, attemptsMax - 1),
    );
    assert.equal(disableAfterFailures, 20);
  });

  it("links to headings and files that are there", () => {
    for (const [, path = "", heading = ""] of guide.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)) {
      const text =
        path === "" ? guide : readFileSync(new URL(path, new URL("../../docs/", import.meta.url)), "utf8");
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-"),
      );
      assert.ok(heading === "" || headings.includes(heading), `${path}#${heading}`);
    }
  });
});
