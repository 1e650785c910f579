/** A collector of traces on loopback. It reads the bytes by the numbers of `opentelemetry/proto/trace/v1/trace.proto`. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** `traceId/spanId` of each. */
  readonly links: readonly string[];
  readonly failed: boolean;
  readonly message: string;
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
};

export type Collector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly requests: () => number;
  /** What the spans come as. */
  readonly bodies: readonly Buffer[];
  close(): Promise<void>;
};

/** `answer` replaces the 200 that a collector gives. */
export async function startCollector(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) =>
    void response.writeHead(200, { "content-type": "application/x-protobuf" }).end(),
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const isOtlp =
      request.url === "/v1/traces" && request.headers["content-type"] === "application/x-protobuf";
    if (!isOtlp) return void response.writeHead(404).end();
    void Array.fromAsync(request as AsyncIterable<Buffer>).then(
      (chunks) => {
        const body = Buffer.concat(chunks);
        bodies.push(body);
        spans.push(...spansIn(body));
        answer(response, request);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The fields of a message by number: numbers as bigint, all else as bytes. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

function spansIn(body: Buffer): CollectedSpan[] {
  return messages(fieldsIn(body), 1).flatMap((ofResource) => {
    const [resource] = messages(ofResource, 1);
    const attributes = attributesIn(resource!, 1);
    return messages(ofResource, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => spanOf(span, attributes));
  });
}

function spanOf(span: Fields, resource: CollectedSpan["resource"]): CollectedSpan {
  const [status] = messages(span, 15);
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentId: hex(span, 4),
    name: text(span, 5),
    kind: Number(span.get(6)?.[0]),
    startMs: Number(span.get(7)![0]) / 1e6,
    endMs: Number(span.get(8)![0]) / 1e6,
    attributes: attributesIn(span, 9),
    links: messages(span, 13).map((link) => `${hex(link, 1)}/${hex(link, 2)}`),
    failed: status?.get(3)?.[0] === 2n,
    message: status === undefined ? "" : text(status, 2),
    resource,
  };
}

function attributesIn(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const value = messages(pair, 2)[0]!;
      const integer = value.get(3)?.[0] ?? value.get(2)?.[0];
      return [text(pair, 1), integer === undefined ? text(value, 1) : Number(integer)];
    }),
  );
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((bytes) => fieldsIn(bytes as Buffer));
}

function text(fields: Fields, number: number): string {
  return (fields.get(number)?.[0] ?? "").toString();
}

function hex(fields: Fields, number: number): string {
  return ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString("hex");
}

function fieldsIn(bytes: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const read = {
      0: varint,
      1: () => take(8).readBigUInt64LE(),
      2: () => take(Number(varint())),
      5: () => BigInt(take(4).readUInt32LE()),
    };
    const value = read[(tag & 7) as keyof typeof read]();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
