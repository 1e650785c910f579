/** What a page shows of the service: kept while it is asked again, so that nothing jumps. */
import type { Address } from "@boathook/client";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { send, type Answered, type Failure } from "./api.ts";
import { type Listed, withFirst, withNext } from "./pages.ts";
import { Head, Note } from "./parts.tsx";

export type Data<T> = {
  readonly value: T | null;
  readonly failure: Failure | null;
  readonly reload: () => Promise<void>;
};

/** Goes on by itself after a failure that passes, with the last `reload`. */
function useAgain(failure: Failure | null, reload: () => void): void {
  const last = useRef(reload);
  last.current = reload;
  useEffect(() => {
    if (failure === null || failure.againMs === null) return undefined;
    // What it asks for may be wanted no more when it comes.
    const timer = setInterval(() => last.current(), failure.againMs);
    return () => clearInterval(timer);
  }, [failure]);
}

/** What is not there does not come by itself. */
function isGone(failure: Failure | null): boolean {
  return failure?.status === 404;
}

/** Asks `path`, and again whenever `tick` changes. */
export function useData<T>(path: Address<T>, tick: unknown = null): Data<T> {
  const [state, setState] = useState<{
    readonly path: string;
    readonly answer: Answered<T> | null;
    readonly last: T | null;
  }>({ path, answer: null, last: null });
  const wanted = useWanted(path);
  const order = useRef({ asked: 0, shown: 0 }).current;
  const reload = useCallback(async () => {
    const nth = (order.asked += 1);
    const answer = await send<T>("GET", path);
    // Dropped, too: an answer to a question that was asked before the one whose answer is shown.
    if (wanted.current !== path || nth < order.shown) return;
    order.shown = nth;
    setState((before) => ({
      path,
      answer,
      last: answer.ok ? answer.value : before.path === path ? before.last : null,
    }));
  }, [path]);
  const isOfPath = state.path === path;
  const failure = isOfPath && state.answer?.ok === false ? state.answer.failure : null;
  useEffect(() => {
    if (!isGone(failure)) void reload();
  }, [reload, tick]);
  useAgain(failure, () => void reload());
  return { value: isOfPath ? state.last : null, failure, reload };
}

/** An answer that comes after the reader has turned to another path is dropped. */
function useWanted(path: string): { readonly current: string } {
  const wanted = useRef(path);
  wanted.current = path;
  return wanted;
}

/** What `load` gives, and again whenever `changes` do; null until then. What comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, changes: readonly unknown[]): T | null {
  const [loaded, setLoaded] = useState<{ readonly value: T } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void load().then((value) => isWanted && setLoaded({ value }));
    return () => {
      isWanted = false;
    };
  }, changes);
  return loaded?.value ?? null;
}

function withCursor<Answer>(address: Address<Answer>, cursor: string): Address<Answer> {
  return `${address}${address.includes("?") ? "&" : "?"}cursor=${cursor}` as Address<Answer>;
}

/** A list over all cells names those that do not answer. */
type Page = { readonly next_cursor?: string; readonly unavailable_cells?: readonly string[] };

export type Pages<T> = {
  /** Null until the first page is there. */
  readonly items: readonly T[] | null;
  readonly failure: Failure | null;
  /** The cells whose items are missing. */
  readonly unavailable: readonly string[];
  /** Null: there is no more. */
  readonly more: (() => void) | null;
  /** The last page had something: the next one may come by itself. */
  readonly isFlowing: boolean;
  /** Begins again with the newest; null: the list has them. */
  readonly renew: (() => void) | null;
};

type PagesState<T> = Listed<T, Failure> & { readonly path: string; readonly unavailable: readonly string[] };

/** A list that comes in pages: each is added below the ones before. The first is asked again when `tick` changes. */
export function usePages<Answer extends Page, T extends { readonly id: string }>(
  path: Address<Answer>,
  itemsOf: (answer: Answer) => readonly T[],
  tick: unknown = null,
): Pages<T> {
  const begun = { path, page: null, failed: null, unavailable: [], isReadOn: false, isFlowing: false };
  const [state, setState] = useState<PagesState<T>>(begun);
  const wanted = useWanted(path);
  const loading = useRef<string | null>(null);
  const load = async (cursor: string | null, isAnew = false): Promise<void> => {
    const asked = cursor === null ? path : withCursor(path, cursor);
    if (loading.current === asked) return;
    loading.current = asked;
    const answer = await send<Answer>("GET", asked);
    if (loading.current === asked) loading.current = null;
    if (wanted.current !== path) return;
    setState((before) => {
      const known = before.path === path ? before : begun;
      const { page, failed } = known;
      // Another page is next by now.
      if (cursor !== null && page?.next !== cursor) return known;
      if (!answer.ok) return { ...known, failed: { isOfNext: cursor !== null, failure: answer.failure } };
      const loaded = { items: itemsOf(answer.value), next: answer.value.next_cursor ?? null };
      const { unavailable_cells: unavailable = [] } = answer.value;
      const listed = cursor === null ? withFirst(known, loaded, isAnew) : withNext(page!, failed, loaded);
      return { ...listed, path, unavailable };
    });
  };
  const { page, failed, unavailable, isFlowing } = state.path === path ? state : begun;
  const failure = failed?.failure ?? null;
  useEffect(() => {
    if (!isGone(failure)) void load(null);
  }, [path, tick]);
  const next = page?.next ?? null;
  useAgain(failure, () => void load(failed?.isOfNext === true ? next : null));
  return {
    items: page?.items ?? null,
    failure,
    unavailable,
    more: next === null ? null : () => void load(next),
    isFlowing,
    renew: page?.isBehind === true ? () => void load(null, true) : null,
  };
}

/** Why something is not there, and whether it comes by itself. */
export function FailureNote({ of: { message, againMs } }: { readonly of: Failure }) {
  return (
    <Note kind="bad">
      {message}
      {againMs !== null && " This page asks again by itself."}
    </Note>
  );
}

type TroubleProps = { readonly of: Pick<Pages<unknown>, "failure" | "unavailable"> };

/** Why a list is not there, or what it lacks. */
export function Trouble({ of: { failure, unavailable } }: TroubleProps) {
  return (
    <>
      {failure !== null && <FailureNote of={failure} />}
      {unavailable.length > 0 && (
        <Note kind="bad">
          These cells do not answer, and what they have is missing: {unavailable.join(", ")}
        </Note>
      )}
    </>
  );
}

type ShownProps<T> = { readonly of: Data<T>; readonly children: (value: T) => ComponentChildren };

/** The value, or that it comes, or why it does not. */
export function Shown<T>({ of: { value, failure }, children }: ShownProps<T>) {
  return (
    <>
      {failure !== null && <FailureNote of={failure} />}
      {value !== null && children(value)}
      {value === null && failure === null && <p class="loading">Loading…</p>}
    </>
  );
}

type FoundProps<T> = ShownProps<T> & {
  /** What the page is about: "endpoint". */
  readonly name: string;
  /** Leads on where there is none. */
  readonly back?: ComponentChildren;
};

/** What a page is about, or its own heading that says that there is none. */
export function Found<T>({ of, name, back, children }: FoundProps<T>) {
  const { value, failure } = of;
  if (failure === null || (value !== null && !isGone(failure))) return <Shown of={of}>{children}</Shown>;
  return (
    <>
      <Head title={isGone(failure) ? `There is no such ${name}` : "Nothing can be shown now"}>{back}</Head>
      <FailureNote of={failure} />
    </>
  );
}
