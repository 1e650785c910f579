/** Questions between two processes over their messages. Each waits a bounded time for its answer. */
import type { Clock } from "./clock.ts";

export type MessagePort = {
  /** A message to a process that has gone is lost. */
  send(message: object): void;
  onMessage(take: (message: unknown) => void): void;
};

/** By the name of the question: what it answers. A failed answer is none. */
export type Answers = Readonly<Record<string, (value: never) => unknown>>;

export type Channel = {
  /** Null: no answer in time, or an answer that failed. */
  ask<T>(question: string, waitMsMax: number, value?: unknown): Promise<T | null>;
  /** The other process has gone: nothing waits for it any longer. */
  close(): void;
};

type Message =
  | { readonly question: string; readonly id: number; readonly value: unknown }
  | { readonly answerTo: number; readonly value: unknown };

export function openChannel(port: MessagePort, clock: Pick<Clock, "after">, answers: Answers): Channel {
  const waiting = new Map<number, (value: unknown) => void>();
  let asked = 0;
  let isClosed = false;

  async function answer(question: string, id: number, value: unknown): Promise<void> {
    let found: unknown = null;
    try {
      found = await answers[question]?.(value as never);
    } finally {
      port.send({ answerTo: id, value: found ?? null });
    }
  }

  port.onMessage((received) => {
    const message = received as Message;
    if ("question" in message) answer(message.question, message.id, message.value).catch(() => undefined);
    else waiting.get(message.answerTo)?.(message.value);
  });

  return {
    ask<T>(question: string, waitMsMax: number, value: unknown = null) {
      if (isClosed) return Promise.resolve(null);
      const id = ++asked;
      return new Promise<T | null>((resolve) => {
        const settle = (found: unknown) => {
          cancel();
          waiting.delete(id);
          resolve(found as T | null);
        };
        const cancel = clock.after(waitMsMax, () => settle(null));
        waiting.set(id, settle);
        port.send({ question, id, value });
      });
    },
    close() {
      isClosed = true;
      for (const settle of waiting.values()) settle(null);
    },
  };
}
