/** nginx and Caddy with the files of `deploy/`, in front of a running service: TLS and HTTP/2 as clients see them. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { createServer, type AddressInfo, type TcpNetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { test, type TestContext } from "node:test";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { ask, makeDataFolder, operatorToken, serve, until, type Serving } from "../service/boathook.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const START_WAIT_MS_MAX = 15_000;

/** As long as a label and a name of DNS may be, nearly. */
const NAME = `${"w".repeat(60)}.${"a".repeat(60)}.${"b".repeat(60)}.example.com`;
const LIMIT = 3;

type Ports = { readonly tls: number; readonly plain: number; readonly boathook: string };

type Proxy = {
  readonly name: string;
  /** The command that runs on a file in a folder, which holds `tls.pem` and `tls.key`. */
  readonly prepare: (folder: string, ports: Ports) => readonly [string, ...string[]];
};

const nginx: Proxy = {
  name: "nginx",
  prepare(folder, { tls, plain, boathook }) {
    const site = readFileSync(join(ROOT, "deploy/nginx/boathook.conf"), "utf8")
      .replaceAll("/etc/nginx/tls/boathook", `${folder}/tls`)
      .replaceAll("webhooks.example.com", NAME)
      .replaceAll("127.0.0.1:8080", boathook)
      .replaceAll(/^.*listen \[::\].*\n/gm, "")
      .replace("listen 443", `listen 127.0.0.1:${tls}`)
      .replace("listen 80", `listen 127.0.0.1:${plain}`);
    writeFileSync(join(folder, "site.conf"), site);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    writeFileSync(
      join(folder, "nginx.conf"),
      `${process.getuid?.() === 0 ? "user root;" : ""} daemon off; pid ${folder}/pid; error_log stderr; events {}
       http { access_log off; server_names_hash_bucket_size 256;
         ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")} include ${folder}/site.conf; }`,
    );
    return ["nginx", "-e", "stderr", "-c", join(folder, "nginx.conf")];
  },
};

const caddy: Proxy = {
  name: "caddy",
  prepare(folder, { tls, plain, boathook }) {
    const site = readFileSync(join(ROOT, "deploy/caddy/Caddyfile"), "utf8")
      .replace(
        "webhooks.example.com {",
        `https://${NAME}:${tls} {\n\tbind 127.0.0.1\n\ttls ${folder}/tls.pem ${folder}/tls.key`,
      )
      .replace("127.0.0.1:8080", boathook);
    writeFileSync(
      join(folder, "Caddyfile"),
      `{\n\tadmin off\n\thttp_port ${plain}\n\tskip_install_trust\n}\n${site}`,
    );
    return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
};

const dataFolder = makeDataFolder({ withDatabase: true });

for (const proxy of [nginx, caddy]) {
  const skip = spawnSync(proxy.name, ["-h"]).error === undefined ? false : `${proxy.name} is not installed`;
  test(
    `behind ${proxy.name}, clients get TLS and HTTP/2, a limit each, and Boathook's own refusals`,
    { skip },
    async (t) => {
      const serving = await serve(t, {
        BOATHOOK_DATA_DIR: dataFolder,
        BOATHOOK_TRUST_PROXY: "127.0.0.1/32",
        BOATHOOK_RATE_LIMIT_PER_ADDRESS: String(LIMIT),
      });
      const token = operatorToken(dataFolder);
      const account = await ask("POST", `${serving.opsUrl}/v1/accounts`, token, {
        name: "Acme",
        entitlements: ["loading"],
      });
      const keys = `${serving.opsUrl}/v1/accounts/${account.body.id}/keys`;
      const key = async (prefix: string) => (await ask("POST", keys, token, { prefix })).body.key as string;
      const [tracking, loading] = [await key("tracking"), await key("loading")];
      const request = await startProxy(t, proxy, serving);

      // An endpoint is registered, and the answer says so over HTTP/2.
      const url = "https://hooks.example.com/";
      const made = await request("POST", "/tracking/v1/webhooks", {
        key: tracking,
        body: JSON.stringify({ url }),
      });
      assert.equal(made.status, 201, made.text);
      assert.equal(JSON.parse(made.text).data.url, url);

      // Each client has its own limit, whatever it says of itself.
      const search = async (from: string, forged?: string) =>
        (await request("GET", SEARCH, { from, ...(forged !== undefined && { forged }) })).status;
      for (let count = 0; count < LIMIT; count += 1) assert.equal(await search("127.0.0.2"), 200);
      assert.equal(await search("127.0.0.2"), 429);
      assert.equal(await search("127.0.0.2", "203.0.113.9"), 429);
      assert.equal(await search("127.0.0.3"), 200);

      // What is too large for Boathook, it refuses; a plan of the largest size is read.
      const large = JSON.stringify({ url, padding: "x".repeat(70_000) });
      const refused = await request("POST", "/tracking/v1/webhooks", { key: tracking, body: large });
      assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [413, "PAYLOAD_TOO_LARGE"]);
      const plan = await request("POST", "/loading/v1/plans", {
        key: loading,
        body: JSON.stringify("x".repeat(500_000)),
      });
      assert.deepEqual([plan.status, JSON.parse(plan.text).error.code], [400, "INVALID_REQUEST"]);

      // Long paths and headers arrive; what exceeds Boathook's bound is refused by either.
      const path = await request("GET", `/tracking/v1/webhooks/${"x".repeat(9000)}`, { key: tracking });
      assert.deepEqual([path.status, JSON.parse(path.text).error.code], [404, "NOT_FOUND"]);
      const beyond = await request("GET", `/tracking/v1/webhooks/${"x".repeat(20_000)}`, { key: tracking });
      assert.ok(beyond.status === 414 || beyond.status === 431, String(beyond.status));
    },
  );
}

const SEARCH = "/schedules/public/sailings?origin=JPYOK&destination=USOAK";

type Asked = {
  readonly key?: string;
  readonly from?: string;
  readonly forged?: string;
  readonly body?: string;
};

/** Starts a proxy. The answer sends it a request over HTTP/2. */
async function startProxy(t: TestContext, proxy: Proxy, { publicUrl }: Serving) {
  const folder = mkdtempSync(join(tmpdir(), "boathook-proxy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const authority = await createAuthority(Date.now());
  const { cert, key } = await authority.issue({ hosts: [NAME], ...validAround(Date.now()) });
  writeFileSync(join(folder, "tls.pem"), cert);
  writeFileSync(join(folder, "tls.key"), key);
  const [tls, plain] = [await freePort(), await freePort()];
  const [command, ...words] = proxy.prepare(folder, { tls, plain, boathook: new URL(publicUrl).host });
  const child = spawn(command, words, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const ended = once(child, "close");
  const errors = text(child.stderr);
  t.after(async () => {
    child.kill("SIGTERM");
    await ended;
    if (!t.passed) t.diagnostic(await errors);
  });
  const send = (method: string, path: string, asked: Asked) =>
    askProxy({ port: tls, ca: authority.cert }, method, path, asked);
  await until(
    async () => (await send("GET", "/", {}).catch(() => null)) !== null,
    `${proxy.name} listens`,
    START_WAIT_MS_MAX,
  );
  return send;
}

async function askProxy(
  { port, ca }: { readonly port: number; readonly ca: string },
  method: string,
  path: string,
  { key, from = "127.0.0.1", forged, body }: Asked,
): Promise<{ readonly status: number; readonly text: string }> {
  const address: ConnectionOptions & TcpNetConnectOpts = { host: "127.0.0.1", port, ca, localAddress: from };
  const session = connect(`https://${NAME}:${port}`, {
    createConnection: () => connectTls({ ...address, servername: NAME, ALPNProtocols: ["h2"] }),
  });
  try {
    await once(session, "connect");
    const stream = session.request({
      ":method": method,
      ":path": path,
      ":authority": NAME,
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(forged !== undefined && { "x-forwarded-for": forged }),
    });
    stream.end(body);
    const [headers] = (await once(stream, "response")) as [Readonly<Record<string, unknown>>];
    return { status: Number(headers[":status"]), text: await text(stream) };
  } finally {
    session.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
