/**
 * Dragging and zooming with mouse and fingers. A wheel zooms a map that the reader has turned to, or with Ctrl: otherwise
 * the page scrolls over it.
 */
import { useEffect, useRef } from "preact/hooks";

import type { Point } from "./geometry.ts";

export type Gestures = {
  readonly pan: (byX: number, byY: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
};

/** A press that moves less is a click. */
const CLICK_PX_MAX = 4;
const WHEEL_SPEED = 0.0018;
const DOUBLE_CLICK_ZOOM = 2;

export function useGestures(box: { readonly current: HTMLElement | null }, gestures: Gestures): void {
  const now = useRef(gestures);
  now.current = gestures;
  useEffect(() => {
    const at = box.current;
    return at === null ? undefined : listen(at, () => now.current);
  }, []);
}

function listen(box: HTMLElement, gestures: () => Gestures): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const fingers = new Map<number, Point>();
  let movedPx = 0;
  const inside = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = box.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || isKey(event.target)) return;
    if (fingers.size === 0) movedPx = 0;
    fingers.set(event.pointerId, inside(event));
  };
  const move = (event: PointerEvent): void => {
    const from = fingers.get(event.pointerId);
    if (from === undefined) return;
    const to = inside(event);
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    fingers.set(event.pointerId, to);
    movedPx += distance(from, to);
    if (movedPx < CLICK_PX_MAX) return;
    box.setPointerCapture(event.pointerId);
    const { pan, zoom } = gestures();
    if (other === undefined) return pan(to[0] - from[0], to[1] - from[1]);
    zoom(distance(other, to) / Math.max(1, distance(other, from)), middle(other, to));
  };
  const up = (event: PointerEvent): void => void fingers.delete(event.pointerId);
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !box.contains(document.activeElement)) return;
    event.preventDefault();
    gestures().zoom(Math.exp(-event.deltaY * WHEEL_SPEED), inside(event));
  };
  box.addEventListener("pointerdown", down, { signal });
  box.addEventListener("pointermove", move, { signal });
  box.addEventListener("pointerup", up, { signal });
  box.addEventListener("pointercancel", up, { signal });
  box.addEventListener("lostpointercapture", up, { signal });
  box.addEventListener("wheel", wheel, { signal, passive: false });
  box.addEventListener(
    "dblclick",
    (event) => !isKey(event.target) && gestures().zoom(DOUBLE_CLICK_ZOOM, inside(event)),
    {
      signal,
    },
  );
  // A drag that ends on a mark does not open it.
  box.addEventListener(
    "click",
    (event) => movedPx >= CLICK_PX_MAX && !isKey(event.target) && event.stopPropagation(),
    {
      signal,
      capture: true,
    },
  );
  return () => ended.abort();
}

function isKey(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

function middle(one: Point, other: Point): Point {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}
