/**
 * The commands that the portal shows, run as it shows them by the tools of somebody else's client, which reach nothing but
 * the service: then its three lines receive what the service delivers. A tool that is not on the machine is skipped.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { get } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { before, test, type TestContext } from "node:test";

import type { Language } from "../../packages/console/src/portal/three-lines.ts";
import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { runIn, startReceiverProgram, type Command, type Place } from "../support/receiver-program.ts";
import { openBrowser, openPage, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openPortalScene, portalOf, signInTo } from "./portal-scene.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = makeDataFolder({ withDatabase: true });

before(() => {
  buildPages();
  execFileSync("npm", ["run", "--silent", "build:packages"], { cwd: root });
});

const PYTHON_MAIN = `
from wsgiref.simple_server import make_server
server = make_server("127.0.0.1", 0, application)
print(server.server_port, flush=True)
server.serve_forever()
`;

const goMain = (lines: string) => `package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"boathook.example/receiver"
)

func serve(webhooks http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(listener.Addr().(*net.TCPAddr).Port)
		err = http.Serve(listener, webhooks)
	}
	return err
}

func main() {
${lines}
}
`;

/** What it has beside the command: a project of its own, and a receiver that writes its port. */
type Tool = {
  readonly language: Language;
  readonly missing: () => string | false;
  /** The command with what makes it trust the authority of a file. */
  readonly trusting: (command: string, file: string) => string;
  readonly begin: readonly Command[];
  readonly program: (lines: string) => { readonly [name: string]: string };
  readonly build?: Command;
  readonly run: Command;
};

const runs = (...[program, ...words]: Command): boolean => spawnSync(program, words).status === 0;

const TOOLS: readonly Tool[] = [
  {
    language: "JavaScript",
    missing: () => false,
    trusting: (command, file) => command.replace("install", `install --cafile ${file}`),
    begin: [],
    program: (lines) => ({
      "three.mjs": lines.replace("3000", '0, "127.0.0.1", function () { console.log(this.address().port); }'),
    }),
    run: [process.execPath, "three.mjs"],
  },
  {
    language: "Python",
    missing: () =>
      runs("python3", "-c", "import ensurepip, venv") ? false : "python3 with pip and venv is not here",
    trusting: (command, file) => command.replace("install", `install --cert ${file}`),
    begin: [["python3", "-m", "venv", "environment"]],
    program: (lines) => ({ "three.py": `${lines}\n${PYTHON_MAIN}` }),
    run: ["python", "three.py"],
  },
  {
    language: "Go",
    missing: () => (runs("go", "version") ? false : "go is not here"),
    trusting: (command, file) => `SSL_CERT_FILE=${file} ${command}`,
    begin: [["go", "mod", "init", "client.example/receiver"]],
    program: (lines) => ({
      "main.go": goMain(lines.replace('http.ListenAndServe(":3000", webhooks)', "serve(webhooks)")),
    }),
    build: ["go", "build", "-o", "three", "."],
    run: ["./three"],
  },
];

/** An empty folder, and tools that find no registry, index, proxy or checksum database, and keep nothing outside it. */
function emptyPlace(t: TestContext, given: NodeJS.ProcessEnv = {}): Place {
  const cwd = mkdtempSync(join(tmpdir(), "boathook-installing-"));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const env = {
    ...process.env,
    PATH: [join(cwd, "environment", "bin"), process.env["PATH"]].join(delimiter),
    npm_config_registry: "http://127.0.0.1:1/",
    npm_config_cache: join(cwd, "cache"),
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0",
    PIP_NO_INDEX: "1",
    PIP_RETRIES: "0",
    PIP_CACHE_DIR: join(cwd, "cache"),
    GOPROXY: "off",
    GOSUMDB: "sum.golang.org http://127.0.0.1:1",
    GOFLAGS: "-modcacherw",
    GOMODCACHE: join(cwd, "modules"),
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    PYTHONUNBUFFERED: "1",
    ...given,
  };
  return { cwd, env };
}

/** A proxy in front of the service that has a certificate of a company's own. */
async function openTls(t: TestContext, publicUrl: string) {
  const nowMs = Date.now();
  const authority = await createAuthority(nowMs);
  const keyed = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(nowMs) });
  const { hostname, port } = new URL(publicUrl);
  const proxy = createServer(keyed, ({ url, headers }, response) => {
    get({ hostname, port, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
  });
  // Of who does not trust it.
  proxy.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  t.after(() => proxy.close());
  return { url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`, authority: authority.cert };
}

const typed = (command: string): Command => ["sh", "-c", command];

test("what the portal shows installs a receiver and the typed client", { skip }, async (whole) => {
  const [browser, scene] = await Promise.all([openBrowser(whole), openPortalScene(whole, folder)]);
  const { service, key, receiver } = scene;
  const { page } = await openPage(whole, browser);
  await signInTo(page, portalOf(scene, "/endpoints/new"), key);
  await page.getByLabel("URL").fill(`${receiver.url}/mine`);
  await page.getByRole("button", { name: "Register" }).click();
  const shown = (label: string): Promise<string> => page.locator(`pre[aria-label='${label}']`).innerText();
  const secret = await shown("Signing secret");
  receiver.trust("mine", secret);
  const listed = await ask("GET", `${service.publicUrl}/rates/v1/webhooks?limit=1`, key);
  await ask("POST", `${service.publicUrl}/rates/v1/webhooks/${listed.body.data[0].id}/test`, key, {});
  const delivery = () => receiver.arrivals.find(({ path }) => path === "mine");
  await until(() => delivery() !== undefined, "a delivery arrives");

  for (const { language, missing, begin, program, build, run } of TOOLS)
    await whole.test(`for ${language}, whose three lines then take a delivery once`, async (t) => {
      const reason = missing();
      if (reason !== false) return t.skip(reason);
      await page.getByRole("radio", { name: language, exact: true }).check();
      const place = emptyPlace(t, { WEBHOOK_SECRET: secret });
      for (const command of begin) await runIn(place, command);
      await runIn(place, typed(await shown(`What installs it for ${language}`)));
      for (const [name, text] of Object.entries(program(await shown(`A receiver in ${language}`))))
        writeFileSync(join(place.cwd, name), text);
      if (build !== undefined) await runIn(place, build);
      const started = await startReceiverProgram(t, place, run);
      assert.deepEqual(await started.forward(delivery()!.received), [204, 204, 401], started.said());
    });

  for (const { language, missing, begin, trusting } of TOOLS)
    await whole.test(`for ${language} over TLS with a private authority, once it trusts that`, async (t) => {
      const reason = missing();
      if (reason !== false) return t.skip(reason);
      const { url, authority } = await openTls(t, service.publicUrl);
      await page.getByRole("radio", { name: language, exact: true }).check();
      const command = (await shown(`What installs it for ${language}`)).replace(service.publicUrl, url);
      // It goes before pip's option.
      const place = emptyPlace(t, { REQUESTS_CA_BUNDLE: undefined, CURL_CA_BUNDLE: undefined });
      for (const one of begin) await runIn(place, one);
      writeFileSync(join(place.cwd, "ca.pem"), authority);
      await assert.rejects(runIn(place, typed(command)));
      await runIn(place, typed(trusting(command, join(place.cwd, "ca.pem"))));
    });

  await whole.test("for the API, which it then asks", async (t) => {
    const place = emptyPlace(t);
    await runIn(place, typed(await shown("What installs the typed client")));
    writeFileSync(
      join(place.cwd, "three.mjs"),
      `import { createClient, sendWith } from "@boathook/client";
const rates = createClient("${service.publicUrl}/rates", sendWith("${key}"));
console.log((await rates.ask("GET /v1/webhooks", { limit: 1 })).value.data[0].url);`,
    );
    assert.equal(await runIn(place, [process.execPath, "three.mjs"]), `${receiver.url}/mine\n`);
  });
});
