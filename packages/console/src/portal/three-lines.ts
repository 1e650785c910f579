/** Receivers to copy, with the kits in packages/. */

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
