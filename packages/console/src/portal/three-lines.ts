/** Receivers to copy, and what installs them. */

/** Each verifies, answers, and hands a delivery over once. */
export const SNIPPETS = {
  JavaScript: `import { createServer } from "node:http"; import { createReceiver } from "@boathook/receiver";
const receiver = createReceiver({ secret: process.env.WEBHOOK_SECRET, onDelivery: async (one) => console.log(one) });
createServer(receiver.node).listen(3000);`,
  Python: `import os, boathook_receiver
receiver = boathook_receiver.Receiver(os.environ["WEBHOOK_SECRET"], lambda delivery: print(delivery))
application = receiver.wsgi`,
  Go: `handle := func(_ context.Context, one *receiver.Delivery) error { log.Print(one.Type); return nil }
webhooks, err := receiver.NewHandler(receiver.Options{Secrets: []string{os.Getenv("WEBHOOK_SECRET")}, OnDelivery: handle})
if err == nil { err = http.ListenAndServe(":3000", webhooks) }; log.Fatal(err)`,
} as const;

export type Language = keyof typeof SNIPPETS;

/** Where the service gives its packages, and their version. */
type Packages = { readonly at: string; readonly version: string };

/** Commands to copy. No tool that they run needs a setting, or asks another server. */
export const installing = ({ at, version }: Packages): Readonly<Record<Language | "client", string>> => ({
  JavaScript: `npm install ${at}/boathook-receiver-${version}.tgz`,
  Python: `pip install ${at}/boathook_receiver-${version}-py3-none-any.whl`,
  Go: `GOPROXY=${at}/go GONOSUMDB=boathook.example go get boathook.example/receiver@v${version}`,
  client: `npm install ${at}/boathook-client-${version}.tgz`,
});
