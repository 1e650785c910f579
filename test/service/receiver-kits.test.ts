/**
 * The receivers for Python and Go: their own tests, with the shared vectors, and the README's servers behind a real
 * service. What is not on the machine is skipped; nothing is downloaded.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test, type TestContext } from "node:test";

import { runIn, startReceiverProgram, type Command } from "../support/receiver-program.ts";
import { ask, until } from "./boathook.ts";
import { newClient, startReceiver, type Receiver } from "./client.ts";
import { openPlace, ownerOfSuite, run, TOKEN, type Running } from "./running.ts";

const PACKAGES = join(import.meta.dirname, "..", "..", "packages");

const ENVIRONMENT = {
  ...process.env,
  PYTHONPATH: join(PACKAGES, "receiver-python/src"),
  PYTHONDONTWRITEBYTECODE: "1",
  GOFLAGS: "-mod=mod",
  GOTOOLCHAIN: "local",
  GOPROXY: "off",
  GOWORK: "off",
};

type Kit = {
  readonly name: string;
  readonly folder: string;
  /** The README's fence. */
  readonly fence: string;
  readonly probe: Command;
  readonly tests: Command;
  /** A program that writes its port, from the README's code, in the order of the README. */
  readonly server: (blocks: readonly string[]) => { readonly [name: string]: string };
  readonly build: Command | null;
  readonly run: Command;
};

const PYTHON_MAIN = `
import sys
sys.path.insert(0, ".")
import example
from wsgiref.simple_server import make_server

server = make_server("127.0.0.1", 0, example.application)
print(server.server_port, flush=True)
server.serve_forever()
`;

const GO_MAIN = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"boathook.example/receiver"
)

func main() {
	webhooks, err := newWebhooks()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, webhooks))
}
`;

const kits: readonly Kit[] = [
  {
    name: "Python",
    folder: "receiver-python",
    fence: "python",
    probe: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"],
    tests: ["python3", "-m", "unittest", "discover", "tests"],
    server: ([, example = ""]) => ({ "example.py": example, "main.py": PYTHON_MAIN }),
    build: null,
    run: ["python3", "main.py"],
  },
  {
    name: "Go",
    folder: "receiver-go",
    fence: "go",
    probe: ["go", "version"],
    tests: ["go", "test", "-vet=all", "./..."],
    server: (blocks) => ({
      "go.mod": `module check\n\ngo 1.21\n\nrequire boathook.example/receiver v0.2.0\n\nreplace boathook.example/receiver => ${join(PACKAGES, "receiver-go")}\n`,
      "main.go": `${GO_MAIN}\n${blocks.join("\n")}`,
    }),
    build: ["go", "build", "-o", "check", "."],
    run: ["./check"],
  },
];

describe("the receivers in other languages", () => {
  const owner = ownerOfSuite();
  let receiver: Receiver;
  let service: Running;
  before(async () => {
    receiver = await startReceiver(owner);
    service = await run(owner, { ...(await openPlace(owner)).settings, ...receiver.settings });
  });

  for (const kit of kits) {
    const isThere = spawnSync(kit.probe[0], kit.probe.slice(1)).status === 0;
    const skip = isThere ? false : `this machine has no ${kit.probe[0]}`;

    test(`${kit.name}: it passes ${kit.tests.join(" ")}`, { skip }, async () => {
      await runIn({ cwd: join(PACKAGES, kit.folder), env: ENVIRONMENT }, kit.tests);
    });

    test(`${kit.name}: it verifies and handles what a service delivers, once`, { skip }, async (t) => {
      const client = await newClient(service, TOKEN, receiver);
      const { status, body } = await ask("POST", `${service.publicUrl}/tracking/v1/webhooks`, client.key, {
        url: `${receiver.url}/${kit.name}`,
      });
      assert.equal(status, 201, JSON.stringify(body));
      receiver.trust(kit.name, body.data.secret);
      const served = await startKit(t, kit, body.data.secret);

      const answers: number[] = [];
      receiver.behave(async ({ received }) => {
        answers.push(...(await served.forward(received)));
        return answers[0]!;
      });
      const containerId = "01a1fc9f-9e48-73e0-b3a1-06c2d680d67c";
      const event = {
        ...{ product: "tracking", account_id: client.accountId, type: "container_available" },
        data: { container_id: containerId, previous_status: "discharged", new_status: "available" },
      };
      const raised = await ask("POST", `${service.opsUrl}/v1/events`, TOKEN, { events: [event] });
      assert.equal(raised.status, 202, JSON.stringify(raised.body));
      await until(() => answers.length === 3, "the delivery is passed on");
      assert.deepEqual(answers, [204, 204, 401], served.said());
      assert.deepEqual(receiver.wrong, []);
      assert.equal(served.said().split(containerId).length - 1, 1, served.said());
    });
  }
});

/** The README's server, as a process. */
async function startKit(t: TestContext, kit: Kit, secret: string) {
  const folder = mkdtempSync(join(tmpdir(), "boathook-kit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...ENVIRONMENT, WEBHOOK_SECRET: secret, PYTHONUNBUFFERED: "1" };
  const readme = readFileSync(join(PACKAGES, kit.folder, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, fence]) => fence === kit.fence)
    .map(([, , code = ""]) => code);
  for (const [name, text] of Object.entries(kit.server(blocks))) writeFileSync(join(folder, name), text);
  if (kit.build !== null) await runIn({ cwd: folder, env }, kit.build);
  return startReceiverProgram(t, { cwd: folder, env }, kit.run);
}
