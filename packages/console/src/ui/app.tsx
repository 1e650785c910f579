/** The frame of every page, which a role fills: who is signed in, the pages that there are, and the one that is shown. */
import { type ComponentChildren, type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { useAction } from "./action.tsx";
import { type Answered, whenSignedOut } from "./api.ts";
import { FindBox } from "./find.tsx";
import type { Live } from "./live.ts";
import { NoPage, Note } from "./parts.tsx";
import { decoded, Link, usePlace } from "./route.tsx";
import type { Resumed } from "./session.ts";

export type Page = {
  readonly name: string;
  /** What follows the pages' own address; "": nothing. */
  readonly path: string;
  /** The search leads to it, no name among the pages. */
  readonly isOfSearch?: true;
  /** How many parts may follow the path; by default none does. */
  readonly parts?: number;
  /** Of the parts that follow. Null: there is no such page. */
  readonly show: (...rest: readonly string[]) => ComponentChildren;
};

export type Role = {
  /** Whose pages they are. */
  readonly site: string;
  readonly class: "" | "portal";
  /** Where the pages stand, without a slash at the end. */
  readonly address: string;
  /** The first one is where a reader begins. */
  readonly pages: readonly Page[];
  /** "To the overview" */
  readonly back: string;
  /** Of the pages' owner, above their names, and on the sign-in. */
  readonly brand: ComponentChildren;
  readonly mark: ComponentChildren;
  readonly door: Door;
  readonly resume: () => Promise<Resumed>;
  /** Null, or why the reader is still signed in. */
  readonly signOut: () => Promise<string | null>;
  /** The service wants the session no more. Why the reader is out. */
  readonly forget: () => string | null;
  /** Calls back when the reader is in, or must come in again, by what happens elsewhere. */
  readonly watch: (change: (now: Resumed) => void) => () => void;
  /** Goes on while a reader is in. */
  readonly startLive?: () => () => void;
  readonly useLive: () => Live;
  /** Beside the state of the connection. */
  readonly News?: ComponentType;
};

export function show(role: Role): void {
  render(<App of={role} />, document.querySelector("#app")!);
}

function App({ of }: { readonly of: Role }) {
  const [state, setState] = useState<Resumed | null>(null);
  useEffect(() => {
    whenSignedOut(() => setState({ is: "out", why: of.forget() }));
    void of.resume().then(setState);
    return of.watch(setState);
  }, []);
  const isIn = state?.is === "in";
  useEffect(() => (isIn ? of.startLive?.() : undefined), [isIn]);
  if (state === null) return null;
  const enter = { class: of.class, mark: of.mark, onSignedIn: () => setState({ is: "in" }) };
  if (state.is === "asked") return <WhichAccount of={state} {...enter} />;
  if (state.is === "out") return <SignIn of={of.door} why={state.why} {...enter} />;
  return <Frame of={of} onSignedOut={() => setState({ is: "out", why: null })} />;
}

type FrameProps = { readonly of: Role; readonly onSignedOut: () => void };

function Frame({ of, onSignedOut }: FrameProps) {
  const { path } = usePlace();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => setFailure(null), [path]);
  const leave = async (): Promise<void> => {
    const problem = await of.signOut();
    setFailure(problem);
    if (problem === null) onSignedOut();
  };
  const { address, pages } = of;
  const [first = "", ...rest] = path
    .slice(address.length)
    .split("/")
    .filter((part) => part !== "");
  const current = first === "" ? pages[0] : pages.find((page) => page.path === first);
  const shown = rest.length > (current?.parts ?? 0) ? null : current?.show(...rest.map(decoded));
  useReading(`${current?.name ?? "Not found"} · ${of.site}`);
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <div class={`frame ${of.class}`}>
        <header class="top">
          <Link to={address} class="brand">
            {of.brand}
          </Link>
          <FindBox address={`${address}/find`} />
          <nav aria-label="Pages">
            {pages
              .filter(({ isOfSearch }) => isOfSearch !== true)
              .map((page) => (
                <Link
                  key={page.path}
                  to={page.path === "" ? address : `${address}/${page.path}`}
                  current={current === page}
                >
                  {page.name}
                </Link>
              ))}
          </nav>
          <div class="foot">
            <LiveState of={of} />
            <ThemeSwitch />
            <button type="button" class="plain" onClick={() => void leave()}>
              Sign out
            </button>
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {failure !== null && <Note kind="bad">You are still signed in. {failure}</Note>}
          {shown ?? <NoPage to={address} above={of.back} />}
        </main>
      </div>
    </>
  );
}

/** The title of the page, and where reading begins on a new one. */
function useReading(title: string): void {
  const { path } = usePlace();
  useEffect(() => {
    document.title = title;
  }, [title]);
  const [seen] = useState({ path });
  useEffect(() => {
    // As a browser does with a page that it loads: reading and tabbing begin at its start.
    if (seen.path !== path) document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
    seen.path = path;
  }, [path]);
}

const STATES = {
  connecting: "Connecting…",
  live: "Live",
  away: "Not connected; trying again",
} as const;

function LiveState({ of: { useLive, News } }: { readonly of: Role }) {
  const { state } = useLive();
  return (
    <div class={`live ${state}`} role="status">
      <span class="dot" /> {STATES[state]}
      {News !== undefined && <News />}
    </div>
  );
}

/** Light or dark; until the reader chooses, as the system says. */
function ThemeSwitch() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const [theme, setTheme] = useState(root.dataset["theme"] ?? system);
  const other = theme === "dark" ? "light" : "dark";
  const change = (): void => {
    root.dataset["theme"] = other;
    setTheme(other);
    try {
      localStorage.setItem("theme", other);
    } catch {
      // A browser keeps nothing for a page in another site's frame.
    }
  };
  return (
    <button type="button" class="plain" onClick={change}>
      {other === "dark" ? "Dark" : "Light"}
    </button>
  );
}

/** What a reader signs in with. */
type Door = {
  readonly title: string;
  readonly about: string;
  /** "API key" */
  readonly secret: string;
  /** Where the reader finds it. */
  readonly hint: ComponentChildren;
  readonly signIn: (secret: string) => Promise<Answered<unknown>>;
};

type Props = { readonly class: string; readonly mark: ComponentChildren; readonly onSignedIn: () => void };

/** `why`: what happened to the link or the session that the reader came with. */
function SignIn({
  of,
  why,
  mark,
  onSignedIn,
  ...others
}: Props & { readonly of: Door; readonly why: string | null }) {
  const [secret, setSecret] = useState("");
  const { isSending, failure, run } = useAction(why);
  const send = (event: Event): void => {
    event.preventDefault();
    void run(() => of.signIn(secret.trim()), onSignedIn);
  };
  return (
    <main class={`sign-in ${others.class}`}>
      <form class="card" onSubmit={send}>
        {mark}
        <div>
          <h1>{of.title}</h1>
          <p class="quiet">{of.about}</p>
        </div>
        {failure !== null && <Note kind="bad">{failure}</Note>}
        <label>
          {of.secret}
          <input
            type="password"
            required
            autocomplete="current-password"
            spellcheck={false}
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isSending}>
          Sign in
        </button>
        <p class="quiet">{of.hint}</p>
      </form>
    </main>
  );
}

type Asked = Extract<Resumed, { readonly is: "asked" }>;

/** Before a link replaces the session of another account. */
function WhichAccount({
  of: { current, linked, replace },
  mark,
  onSignedIn,
  ...others
}: Props & { readonly of: Asked }) {
  const leave = (): void => {
    replace();
    onSignedIn();
  };
  return (
    <main class={`sign-in ${others.class}`}>
      <div class="card">
        {mark}
        <h1>Another account</h1>
        <p>
          You are signed in as <strong>{current}</strong>. The link that you opened is of{" "}
          <strong>{linked}</strong>: what you register there is theirs. Go there only if you expected it.
        </p>
        <button type="button" class="primary" onClick={onSignedIn}>
          Stay with {current}
        </button>
        <button type="button" class="plain" onClick={leave}>
          Go to {linked}
        </button>
      </div>
    </main>
  );
}
