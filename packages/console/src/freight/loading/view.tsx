/** The container in three dimensions, turned by mouse, touch and keyboard. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { useGestures } from "../../ui/gestures.ts";
import type { Container } from "./answers.ts";
import { useColors } from "./colors.tsx";
import type { View } from "./scene/camera.ts";
import type { Door } from "./scene/room.ts";
import type { Labels, PlanScene, Shown } from "./scene/scene.ts";
import type { Loading } from "./steps.ts";

type ViewProps = {
  readonly container: Container;
  readonly loading: Loading;
  readonly door: Door;
  readonly shown: Shown;
  readonly onChoose: (piece: number | null) => void;
  /** The browser cannot draw it, or no longer. */
  readonly onFail: () => void;
};

const VIEWS: readonly (readonly [View, string])[] = [
  ["corner", "Corner"],
  ["door", "Door"],
  ["side", "Side"],
  ["top", "Top"],
];

/** In radians: a key press, and a pixel of a drag. */
const KEY_STEP = Math.PI / 24;
const PIXEL_STEP = Math.PI / 480;
const ZOOM_STEP = 1.2;

const KEYS: Readonly<Record<string, readonly [yaw: number, pitch: number, zoom: number]>> = {
  ArrowLeft: [KEY_STEP, 0, 1],
  ArrowRight: [-KEY_STEP, 0, 1],
  ArrowUp: [0, KEY_STEP, 1],
  ArrowDown: [0, -KEY_STEP, 1],
  "+": [0, 0, ZOOM_STEP],
  "=": [0, 0, ZOOM_STEP],
  "-": [0, 0, 1 / ZOOM_STEP],
};

let canvases = 0;

export function PlanView({ container, loading, door, shown, onChoose, onFail }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const scene = useRef<PlanScene | null>(null);
  const [made, setMade] = useState<PlanScene | null>(null);
  const colorOf = useColors();
  // A canvas whose scene was disposed of draws nothing any more.
  const canvasKey = useMemo(() => (canvases += 1), [container, loading]);
  useEffect(() => {
    const at = box.current!;
    let isWanted = true;
    let close = (): void => undefined;
    void import("./scene/scene.ts")
      .then(({ createScene }) => {
        if (!isWanted) return;
        const canvas = at.querySelector("canvas")!;
        const opened = createScene({
          canvas,
          container,
          loading,
          door,
          onDrawn: (labels) => label(at, labels),
        });
        close = follow(at, canvas, opened, onFail);
        scene.current = opened;
        setMade(opened);
      })
      .catch(onFail);
    return () => {
      isWanted = false;
      scene.current = null;
      setMade(null);
      close();
    };
  }, [container, loading]);
  useEffect(() => scene.current?.show(shown), [made, shown.from, shown.to, shown.chosen]);
  useEffect(() => scene.current?.tint(colorOf), [made, colorOf]);

  // Two fingers zoom and tilt.
  useGestures(box, {
    drag: (byX, byY) => scene.current?.turn(-byX * PIXEL_STEP, byY * PIXEL_STEP),
    zoom: (factor) => scene.current?.turn(0, 0, factor),
    click([x, y]) {
      const { clientWidth: width, clientHeight: height } = box.current!;
      onChoose(scene.current?.pieceAt((2 * x) / width - 1, 1 - (2 * y) / height) ?? null);
    },
  });
  const press = (event: KeyboardEvent): void => {
    const moved = KEYS[event.key];
    if (event.key === "Home") scene.current?.look("corner", isMoving());
    else if (moved !== undefined) scene.current?.turn(...moved);
    else return;
    event.preventDefault();
  };
  return (
    <div class="view">
      <div ref={box} class="stage">
        <canvas
          key={canvasKey}
          tabIndex={0}
          role="application"
          aria-label={`Container ${container.number} in three dimensions`}
          aria-describedby="view-keys"
          onKeyDown={press}
        />
        <div class="labels" aria-hidden="true">
          <span class="front">Front wall</span>
          <span class="door">Door</span>
          <span class="centre" title="Centre of gravity" />
        </div>
        {made === null && <p class="loading">Loading the view…</p>}
      </div>
      <ViewBar scene={scene} />
    </div>
  );
}

function isMoving(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function ViewBar({ scene }: { readonly scene: { readonly current: PlanScene | null } }) {
  return (
    <div class="view-bar" role="group" aria-label="View">
      {VIEWS.map(([view, name]) => (
        <button key={view} type="button" onClick={() => scene.current?.look(view, isMoving())}>
          {name}
        </button>
      ))}
      <button type="button" aria-label="Nearer" onClick={() => scene.current?.turn(0, 0, ZOOM_STEP)}>
        +
      </button>
      <button type="button" aria-label="Farther" onClick={() => scene.current?.turn(0, 0, 1 / ZOOM_STEP)}>
        −
      </button>
      <span id="view-keys" class="quiet">
        Drag to turn, or use the arrow keys; + and − zoom. Select a piece for its size and place.{" "}
        <span class="centre-mark" aria-hidden="true" /> is the centre of gravity.
      </span>
    </div>
  );
}

/** Keeps the scene in the size and the colours of the page; returns what ends it. */
function follow(
  at: HTMLElement,
  canvas: HTMLCanvasElement,
  scene: PlanScene,
  onFail: () => void,
): () => void {
  const colors = (): void => {
    const styles = getComputedStyle(at);
    const of = (name: string): string => styles.getPropertyValue(name);
    scene.paint({
      page: of("background-color"),
      line: of("border-top-color"),
      mark: of("outline-color"),
      accent: of("text-decoration-color"),
    });
  };
  const resize = (): void => scene.resize(at.clientWidth, at.clientHeight);
  const resized = new ResizeObserver(resize);
  const themed = new MutationObserver(colors);
  const system = matchMedia("(prefers-color-scheme: dark)");
  resized.observe(at);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  system.addEventListener("change", colors);
  canvas.addEventListener("webglcontextlost", onFail);
  resize();
  colors();
  return () => {
    resized.disconnect();
    themed.disconnect();
    system.removeEventListener("change", colors);
    canvas.removeEventListener("webglcontextlost", onFail);
    scene.dispose();
  };
}

function label(at: HTMLElement, labels: Labels): void {
  for (const [name, place] of Object.entries(labels)) {
    const { style } = at.querySelector<HTMLElement>(`.labels .${name}`)!;
    style.visibility = place === null ? "hidden" : "visible";
    if (place !== null) style.translate = `${place.left.toFixed(1)}px ${place.top.toFixed(1)}px`;
  }
}
