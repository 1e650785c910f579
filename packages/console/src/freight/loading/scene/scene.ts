/**
 * A container in three dimensions. It is drawn when something changed and never otherwise; `dispose` gives back what the
 * graphics card holds.
 *
 *     createScene ─▶ show, look, paint … ─(next frame)─▶ drawn ─▶ dispose
 */
import { Box3, Ray, Scene, Vector3, WebGLRenderer, type Camera } from "three";

import type { Container } from "../answers.ts";
import type { ColorOf } from "../palette.ts";
import type { Loading } from "../steps.ts";
import { createEye, type Extent, type View } from "./camera.ts";
import { createPieces, rawColor } from "./pieces.ts";
import { cornersOf, createRoom, type Door } from "./room.ts";

export type Shown = {
  /** Pieces of the last step, in loading order; those before `from` are there already. */
  readonly from: number;
  readonly to: number;
  readonly chosen: number | null;
};

type Colors = {
  readonly page: string;
  readonly line: string;
  readonly mark: string;
  readonly accent: string;
};

/** Where labels go, in pixels from the upper left of the canvas. */
export type Labels = Readonly<
  Record<"door" | "front" | "centre", { readonly left: number; readonly top: number } | null>
>;

export type PlanScene = {
  show(shown: Shown): void;
  /** The colours of the cargo; at first each line has its own. */
  tint(colorOf: ColorOf): void;
  /** At once, or turning there. */
  look(view: View, isMoving: boolean): void;
  turn(byYaw: number, byPitch: number, byZoom?: number): void;
  paint(colors: Colors): void;
  resize(width: number, height: number): void;
  /** The nearest piece at a place of the canvas, from -1 to 1 to the right and up. */
  pieceAt(right: number, up: number): number | null;
  dispose(): void;
};

const PIXEL_RATIO_MAX = 2;
const MM_PER_M = 1_000;

type Parts = {
  readonly canvas: HTMLCanvasElement;
  readonly container: Container;
  readonly loading: Loading;
  readonly door: Door;
  readonly onDrawn: (labels: Labels) => void;
};

/** Throws where the browser has no WebGL. */
export function createScene({ canvas, container, loading, door, onDrawn }: Parts): PlanScene {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const size = new Vector3(container.length_mm, container.width_mm, container.height_mm).divideScalar(
    MM_PER_M,
  );
  const scene = new Scene();
  const pieces = createPieces(loading.pieces);
  const room = createRoom(container, door, size);
  const eye = createEye(size, cornersOf(container, size, door));
  scene.add(room.group, pieces.group);
  let extent: Extent = { width: 1, height: 1 };
  let shown = loading.pieces.length;
  let frame = 0;

  const draw = (nowMs: number): void => {
    frame = 0;
    const isTurning = eye.step(nowMs, extent);
    renderer.render(scene, eye.camera);
    onDrawn(labelsOf(container, size, eye.camera, extent));
    if (isTurning) change();
  };
  const change = (): void => {
    frame ||= requestAnimationFrame(draw);
  };
  return {
    show({ from, to, chosen }) {
      shown = to;
      pieces.show(from, to, chosen);
      change();
    },
    tint(colorOf) {
      pieces.tint(colorOf);
      change();
    },
    look(view, isMoving) {
      eye.look(view, isMoving);
      change();
    },
    turn(byYaw, byPitch, byZoom) {
      eye.turn(byYaw, byPitch, byZoom);
      change();
    },
    paint({ page, line, mark, accent }) {
      pieces.paint(rawColor(page), rawColor(accent));
      room.paint(rawColor(line).convertSRGBToLinear(), rawColor(mark).convertSRGBToLinear());
      change();
    },
    resize(width, height) {
      extent = { width: Math.max(1, width), height: Math.max(1, height) };
      renderer.setPixelRatio(Math.min(PIXEL_RATIO_MAX, devicePixelRatio));
      renderer.setSize(extent.width, extent.height, false);
      change();
    },
    pieceAt(right, up) {
      eye.step(performance.now(), extent);
      const from = eye.camera.position;
      const way = new Vector3(right, up, 0.5).unproject(eye.camera).sub(from).normalize();
      return nearestOf(loading, shown, from.clone().multiplyScalar(MM_PER_M), way);
    },
    dispose() {
      cancelAnimationFrame(frame);
      pieces.dispose();
      room.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
}

/** How far beside the container a label of its end stands. */
const LABEL_M = 0.25;
/** Seen more from an end than this, the other end's label would lie on the cargo. */
const END_ON = 0.9;

function labelsOf(
  { centre_of_gravity_mm: centre }: Container,
  size: Vector3,
  camera: Camera,
  { width, height }: Extent,
): Labels {
  const placeOf = (x: number, y: number, z: number) => {
    const at = new Vector3(x, y, z).project(camera);
    return { left: ((at.x + 1) / 2) * width, top: ((1 - at.y) / 2) * height };
  };
  const isLeft = camera.position.y < size.y / 2;
  const towards = camera.position.clone().sub(size.clone().multiplyScalar(0.5)).normalize();
  const beside = isLeft ? -LABEL_M : size.y + LABEL_M;
  return {
    door: towards.x < -END_ON ? null : placeOf(size.x, beside, 0),
    front: towards.x > END_ON ? null : placeOf(0, beside, 0),
    centre: centre === null ? null : placeOf(centre.x / MM_PER_M, centre.y / MM_PER_M, centre.z / MM_PER_M),
  };
}

/** The first piece, of the first `shown`, on the way from a point. */
function nearestOf({ pieces }: Loading, shown: number, from: Vector3, way: Vector3): number | null {
  const ray = new Ray(from, way);
  const [box, entry] = [new Box3(), new Vector3()];
  let found: number | null = null;
  let least = Infinity;
  for (let at = 0; at < shown; at += 1) {
    const { x, y, z, dx, dy, dz } = pieces[at]!;
    box.min.set(x, y, z);
    box.max.set(x + dx, y + dy, z + dz);
    const far = ray.intersectBox(box, entry)?.distanceToSquared(from) ?? Infinity;
    if (far >= least) continue;
    found = at;
    least = far;
  }
  return found;
}
