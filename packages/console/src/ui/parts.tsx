/** The pieces that pages are made of. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { Link } from "./route.tsx";

export type Tone = "good" | "bad" | "warn" | "info" | "none";

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Ids are long and begin alike: the whole one is in the title. */
export function ShortId({ of }: { readonly of: string }) {
  return (
    <code class="id" title={of}>
      {of.slice(0, 8)}…{of.slice(-6)}
    </code>
  );
}

type NoteProps = {
  readonly kind: "bad" | "warn" | "info" | "good";
  /** It belongs to the page and changes with it: it is not read out again each time. */
  readonly isStill?: boolean;
  readonly children: ComponentChildren;
};

/** Something that the reader should know now; read out when it appears. */
export function Note({ kind, isStill = false, children }: NoteProps) {
  const role = isStill ? "note" : kind === "bad" ? "alert" : "status";
  return (
    <div class={`note ${kind}`} role={role}>
      {children}
    </div>
  );
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: Pick<HeadProps, "title" | "children">) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

type HeadProps = {
  readonly title: ComponentChildren;
  readonly badge?: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
};

export function Head({ title, badge, about, children }: HeadProps) {
  return (
    <header class="head">
      <div class="head-text">
        <h1>
          <span class="head-title">{title}</span> {badge}
        </h1>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

/** Of an address that leads nowhere, with the way to the page above it. */
export function NoPage({ to, above }: { readonly to: string; readonly above: string }) {
  return <Head title="There is no such page" about={<Link to={to}>{above}</Link>} />;
}

export type SectionProps = {
  readonly title: string;
  /** Text is quiet. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  /** What it says first. */
  readonly facts?: readonly Fact[];
  readonly children?: ComponentChildren;
};

export function Section({ title, aside, facts, children, ...others }: SectionProps) {
  const id = `s-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return (
    <section class={`card ${others.class ?? ""}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {typeof aside === "string" ? <span class="quiet">{aside}</span> : aside}
      </div>
      {facts !== undefined && <Facts of={facts} />}
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type StatProps = {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly tone?: Tone;
};

export function Stat({ name, value, about, tone = "none" }: StatProps) {
  return (
    <div class={`stat ${tone}`}>
      <dt>{name}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        <span class="stat-about quiet">{about}</span>
      </dd>
    </div>
  );
}

type MoreProps = {
  readonly of: (() => void) | null;
  /** Older ones come by themselves when the reader gets here. */
  readonly isByItself?: boolean;
};

export function More({ of, isByItself = false }: MoreProps) {
  const box = useRef<HTMLDivElement>(null);
  const isThere = of !== null;
  // One that is to ask no more is gone before the next frame, in which it would.
  useLayoutEffect(() => {
    const at = box.current;
    if (!isByItself || of === null || at === null) return undefined;
    const near = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && of(), {
      rootMargin: "400px",
    });
    near.observe(at);
    return () => near.disconnect();
  }, [isByItself, isThere, of]);
  if (of === null) return null;
  return (
    <div class="more" ref={box}>
      <button type="button" onClick={of}>
        Show older
      </button>
    </div>
  );
}

type LinesProps = { readonly children: ComponentChildren; readonly below: ComponentChildren };

/** A cell of two lines. */
export function Lines({ children, below }: LinesProps) {
  return (
    <>
      <span class="first">{children}</span>
      <span class="second quiet">{below}</span>
    </>
  );
}
