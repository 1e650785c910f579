/**
 * Dragging and zooming with mouse and fingers. A wheel zooms what the reader has turned to, or with Ctrl: otherwise the
 * page scrolls over it.
 */
import { useEffect, useRef } from "preact/hooks";

/** In pixels from the upper left. */
type Point = readonly [x: number, y: number];

export type Gestures = {
  /** Of one of so many fingers. */
  readonly drag: (byX: number, byY: number, fingers: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
  /** A press that did not move; without it, two of them zoom. */
  readonly click?: (at: Point) => void;
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
    const { drag, zoom } = gestures();
    drag(to[0] - from[0], to[1] - from[1], fingers.size);
    if (other !== undefined)
      zoom(distance(other, to) / Math.max(1, distance(other, from)), middle(other, to));
  };
  const up = (event: PointerEvent): void => void fingers.delete(event.pointerId);
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !box.contains(document.activeElement)) return;
    event.preventDefault();
    gestures().zoom(Math.exp(-event.deltaY * WHEEL_SPEED), inside(event));
  };
  const doubled = (event: MouseEvent): void => {
    const { click, zoom } = gestures();
    if (click === undefined && !isKey(event.target)) zoom(DOUBLE_CLICK_ZOOM, inside(event));
  };
  const clicked = (event: MouseEvent): void => {
    if (isKey(event.target)) return;
    // A drag that ends on a mark does not open it.
    if (movedPx >= CLICK_PX_MAX) event.stopPropagation();
    else gestures().click?.(inside(event));
  };
  box.addEventListener("pointerdown", down, { signal });
  box.addEventListener("pointermove", move, { signal });
  box.addEventListener("wheel", wheel, { signal, passive: false });
  box.addEventListener("dblclick", doubled, { signal });
  box.addEventListener("click", clicked, { signal, capture: true });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
    box.addEventListener(end, up, { signal });
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
