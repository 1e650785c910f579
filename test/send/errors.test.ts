/** What Node, OpenSSL and c-ares report, as the stable codes that clients match on. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  attemptError,
  type AttemptErrorCode,
  attemptErrorFrom,
  isConnectionLoss,
  LOCAL_FAULTS,
} from "../../src/engine/send/errors.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** By code, what is reported. */
const REPORTED: Readonly<Partial<Record<AttemptErrorCode, readonly string[]>>> = {
  connection_refused: words("ECONNREFUSED"),
  connection_reset: words("ECONNRESET ECONNABORTED EPIPE"),
  host_unreachable: words("EADDRNOTAVAIL EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EACCES EPERM"),
  out_of_sockets: words("EMFILE ENFILE ENOBUFS"),
  timeout: words("ETIMEDOUT"),
  dns_not_found: words("ENOTFOUND ENODATA EBADNAME"),
  tls_expired: words("CERT_HAS_EXPIRED CERT_NOT_YET_VALID"),
  tls_wrong_host: words("ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH"),
  tls_self_signed: words("DEPTH_ZERO_SELF_SIGNED_CERT"),
  tls_untrusted: words(`
    SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED CERT_UNTRUSTED CERT_REJECTED
    CERT_SIGNATURE_FAILURE INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED`),
  tls_version: words("ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"),
  tls_failed: words("EPROTO ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"),
  transport_error: words("ESOMETHING XERR_SSL_"),
};

describe("an error that is reported", () => {
  for (const [code, raws] of Object.entries(REPORTED)) {
    test(`as ${raws.join(", ")} is ${code}`, () => {
      for (const raw of raws) assert.equal(attemptErrorFrom({ code: raw }).code, code, raw);
    });
  }

  for (const [what, error, code] of [
    ["an error without a code", new Error("strange"), "transport_error"],
    ["an error whose code is a number", { code: 7 }, "transport_error"],
    ["nothing at all", undefined, "transport_error"],
    ["null", null, "transport_error"],
  ] as const) {
    test(`as ${what} is ${code}`, () => assert.equal(attemptErrorFrom(error).code, code));
  }
});

describe("the text of an error", () => {
  const PLAIN = (code: AttemptErrorCode) => attemptError(code).text;

  test("is a sentence or two for each code", () => {
    const others =
      "invalid_url blocked_address name_servers_unreachable dns_failed answer_too_large sender_closed " +
      "closed_early headers_too_large protocol_error";
    const codes = [...Object.keys(REPORTED), ...words(others)] as AttemptErrorCode[];
    assert.equal(codes.length, 22);
    for (const code of codes) assert.match(PLAIN(code), /^[A-Z][^.?]{15,}.*[.?]$/, code);
    assert.equal(attemptError("timeout"), attemptError("timeout"), "made once");
  });

  test("has what this case adds in brackets", () =>
    assert.deepEqual(attemptError("dns_failed", "time-out"), {
      code: "dns_failed",
      text: `${PLAIN("dns_failed")} (time-out)`,
    }));

  for (const [what, error, detail] of [
    ["the code of a certificate's fault", { code: "INVALID_CA", reason: "x" }, "invalid_ca"],
    ["OpenSSL's reason of a failed handshake", { code: "EPROTO", reason: "wrong version" }, "wrong version"],
    ["OpenSSL's reason of any of its errors", { code: "ERR_SSL_X", reason: "bad mac" }, "bad mac"],
    ["a code that nobody knows", { code: "ESOMETHING" }, "ESOMETHING"],
    ["eighty characters of a reason", { code: "EPROTO", reason: "a".repeat(80) }, "a".repeat(80)],
    ["no longer reason", { code: "EPROTO", reason: "a".repeat(81) }, null],
    ["no reason with what only a peer would put there", { code: "EPROTO", reason: "x <b>" }, null],
    ["no reason that only begins well", { code: "EPROTO", reason: "fine\n<b>" }, null],
    ["no reason that only ends well", { code: "EPROTO", reason: "<b> fine" }, null],
    ["no empty reason", { code: "EPROTO", reason: "" }, null],
    ["no reason that is no text", { code: "EPROTO", reason: 7 }, null],
    ["nothing of a refused connection", { code: "ECONNREFUSED", reason: "x" }, null],
    ["nothing of an error without a code", new Error("strange"), null],
  ] as const) {
    test(`tells ${what}`, () => {
      const { code, text } = attemptErrorFrom(error);
      assert.equal(text, PLAIN(code as AttemptErrorCode) + (detail === null ? "" : ` (${detail})`));
    });
  }
});

describe("a kept connection", () => {
  for (const [error, isLost] of [
    [{ code: "ECONNRESET" }, true],
    [{ code: "EPIPE" }, true],
    [{ code: "ECONNREFUSED" }, false],
    [undefined, false],
  ] as const) {
    test(`was ${isLost ? "" : "not "}lost when ${JSON.stringify(error)} is reported`, () =>
      assert.equal(isConnectionLoss(error), isLost));
  }
});

test("only what this service lacks is its own fault", () =>
  assert.deepEqual([...LOCAL_FAULTS].toSorted(), ["name_servers_unreachable", "out_of_sockets"]));
