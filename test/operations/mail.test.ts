/** E-mail about endpoints that are off, to a mail server that nobody here wrote. */
import assert from "node:assert/strict";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, test } from "node:test";

import { SMTPServer, type SMTPServerOptions } from "smtp-server";

import { createMailer, smtpSender, type SendMail } from "../../src/products/operations/mail/mailer.ts";
import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import type { Interval } from "../../src/runtime/interval.ts";
import { insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import type { Cells } from "../../src/store/cell.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { count } from "../support/rest.ts";
import { idOf } from "../store/store-rows.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("e-mail", () => {
  let on: TestDatabase;
  let clock: ManualClock;
  let mailer: Interval;
  let server: SMTPServer;
  let isRefusing: boolean;
  /** It takes e-mails, and the connection is lost before it says so. */
  let isMute: boolean;
  let sockets: Set<Socket>;
  let signedIn: number;
  const mails: string[] = [];
  let log: ReturnType<typeof recordingLog>;

  beforeEach(async () => {
    on = await createTestDatabase();
    clock = manualClock();
    mails.length = 0;
    isRefusing = false;
    isMute = false;
    sockets = new Set();
    signedIn = 0;
    log = recordingLog();
    server = makeServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.server.address() as AddressInfo;
    const ports = { database: on.database, cells: on.cells as Cells, clock, log, loops: unwatchedLoops };
    const send = smtpSender(`smtp://127.0.0.1:${port}`, "hooks@example.com");
    const counted: SendMail = (...mail) => count("an e-mail", send(...mail));
    mailer = createMailer(ports, counted, { publicUrl: "https://api.example.com" });
    await account(1, "ops@acme.example");
    await account(2, undefined);
  });
  afterEach(async () => {
    await mailer.stop();
    await new Promise<void>((resolve) => server.close(resolve));
    await on.drop();
  });

  function makeServer(options: SMTPServerOptions = {}) {
    const made = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      onAuth(_auth, _session, done) {
        signedIn += 1;
        done(null, { user: "user" });
      },
      disabledCommands: ["STARTTLS"],
      ...options,
      onRcptTo({ address }, _session, done) {
        const isKnown = !address.startsWith("gone");
        done(isKnown ? null : Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
      },
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
        stream.on("end", () => {
          if (isRefusing) return done(new Error("451 not now"));
          mails.push(Buffer.concat(chunks).toString());
          if (!isMute) return done();
          for (const socket of sockets) socket.destroy();
        });
      },
    });
    made.server.on("connection", (socket: Socket) => void sockets.add(socket));
    return made;
  }

  const account = (number: number, email: string | undefined) =>
    insertAccount(on.database, on.cells[0]!, {
      ...{ id: idOf(number), name: "Acme", entitlements: [], demurrageAlerting: false, cell: 0 },
      createdAt: new Date(START_MS),
      ...(email !== undefined && { email }),
    });
  /** Failures switch it off. */
  const off = (number: number, accountNumber = 1) =>
    on.queryIn(
      on.cells[0]!,
      `insert into cell.endpoints
         (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at,
          inactive_since, disabled_reason, missed_events)
       values ($1, $2, 'rates', $3, '{}', '', '\\x', false, 20, $4, $4, 'failures', 7)`,
      [idOf(number), idOf(accountNumber), `https://hooks.acme.example/${number}`, new Date(clock.nowMs())],
    );

  const mailed = (number: number) => clock.until(async () => mails.length === number, `e-mail ${number}`);

  test("one an hour says which endpoints are off, and to accounts that have an address", async () => {
    mailer.start();
    await off(1);
    await off(2, 2);
    await mailed(1);
    const firstAtMs = clock.nowMs();
    for (const part of [
      /^From: hooks@example.com$/m,
      /^To: ops@acme.example$/m,
      /^Subject: An endpoint was switched off: hooks.acme.example$/m,
      /https:\/\/hooks.acme.example\/1 \(rates\), off since .*Z, 7 events missed/,
      /https:\/\/api.example.com\/rates\/portal/,
    ])
      assert.match(mails[0]!.replaceAll("\r\n", "\n").replaceAll("=\n", ""), part);

    await clock.advance(10 * MINUTE);
    await off(3);
    await mailed(2);
    assert.ok(clock.nowMs() - firstAtMs >= HOUR - MINUTE);
    assert.match(mails[1]!, /^Subject: 2 endpoints were switched off/m);
    await clock.advance(3 * HOUR);
    const { rows } = await on.queryIn(on.cells[0]!, "select mailed_at from cell.accounts where id = $1", [
      idOf(1),
    ]);
    assert.ok(clock.nowMs() - rows[0].mailed_at.getTime() >= 3 * HOUR, "nothing is new");
  });

  test("what the mail server refuses is sent as soon as it takes it; what is a day old is not mailed", async () => {
    await off(1);
    await clock.advance(25 * HOUR);
    mailer.start();
    isRefusing = true;
    await off(2);
    await clock.until(
      async () => log.lines.some(({ message }) => message.startsWith("an e-mail was not sent")),
      "refused",
    );
    isRefusing = false;
    await mailed(1);
  });

  const unsent = () => log.lines.filter(({ message }) => message.startsWith("an e-mail was not sent")).length;

  test("an e-mail whose answer is lost is not sent again, for the mail server may have taken it", async () => {
    isMute = true;
    await off(1);
    mailer.start();
    await mailed(1);
    await clock.advance(3 * HOUR);
    assert.deepEqual([mails.length, unsent()], [1, 1]);
  });

  test("an address that the mail server refuses for good is tried once, and keeps nobody waiting", async () => {
    for (let number = 3; number < 60; number += 1) {
      await account(number, `gone${number}@acme.example`);
      await off(number, number);
    }
    await account(90, "last@acme.example");
    await off(90, 90);
    mailer.start();
    await mailed(1);
    await clock.advance(3 * HOUR);
    assert.deepEqual([mails.length, unsent()], [1, 57]);
  });

  test("a mail server that is away is asked once a round, and what waits is sent once it is back", async () => {
    const { port } = server.server.address() as AddressInfo;
    await new Promise<void>((resolve) => server.close(resolve));
    await account(3, "other@acme.example");
    await off(1);
    await off(3, 3);
    mailer.start();
    await clock.advance(10 * MINUTE);
    assert.ok(unsent() >= 5 && unsent() <= 11, String(unsent()));
    const { rows } = await on.queryIn(on.cells[0]!, "select from cell.accounts where mailed_at is not null");
    assert.deepEqual(rows, []);
    server = makeServer();
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    await mailed(2);
  });

  test("no password is sent without TLS", async () => {
    const { port } = server.server.address() as AddressInfo;
    const send = smtpSender(`smtp://user:password@127.0.0.1:${port}`, null);
    const sent = await send("ops@acme.example", { subject: "one", text: "two" });
    assert.equal(sent.kind, "away");
    assert.match(String(sent.kind === "away" && sent.cause), /STARTTLS/);
    assert.deepEqual([mails.length, signedIn], [0, 0]);
  });

  for (const scheme of ["smtp", "smtps"])
    test(`a mail server with a private authority is trusted if its file is named (${scheme})`, async (t) => {
      const nowMs = Date.now();
      const authority = await createAuthority(nowMs);
      const keyed = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(nowMs) });
      const secured = makeServer({ ...keyed, secure: scheme === "smtps", disabledCommands: [] });
      // The client that does not trust it.
      secured.on("error", () => undefined);
      await new Promise<void>((resolve) => void secured.listen(0, "127.0.0.1", resolve));
      t.after(() => new Promise<void>((resolve) => secured.close(resolve)));
      const { port } = secured.server.address() as AddressInfo;
      const send = (authorities: readonly string[]) =>
        smtpSender(
          `${scheme}://user:password@127.0.0.1:${port}`,
          null,
          authorities,
        )("ops@acme.example", {
          subject: "one",
          text: "two",
        });
      assert.match(JSON.stringify(await send([])), /"away".*ESOCKET|"away".*ETLS/);
      assert.deepEqual([await send([authority.cert]), mails.length, signedIn], [{ kind: "sent" }, 1, 2]);
    });

  test("an address is changed, and taken away", async () => {
    const change = (email?: string | null) =>
      updateAccount(on.database, on.cells as Cells, idOf(1), { email }, START_MS);
    assert.equal((await change("other@acme.example"))?.email, "other@acme.example");
    assert.equal((await change())?.email, "other@acme.example");
    assert.equal((await change(null))?.email, null);
  });
});
