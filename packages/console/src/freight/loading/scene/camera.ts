/** Where the reader looks from: around the middle of the container, at a distance that shows all of it. */
import { PerspectiveCamera, Vector3 } from "three";

export type View = "corner" | "door" | "side" | "top";

type Orbit = {
  /** About the vertical, in radians from the side of the left wall, towards the door. */
  readonly yaw: number;
  /** Above the floor, in radians. */
  readonly pitch: number;
  /** Greater is nearer; 1 shows the whole container. */
  readonly zoom: number;
};

const QUARTER = Math.PI / 2;
const FIELD_OF_VIEW_DEGREES = 26;
const ZOOM_MIN = 0.6;
const ZOOM_MAX = 6;
/** Straight down would leave no side that is up. */
const PITCH_MAX = QUARTER - 0.001;
const MARGIN = 1.06;

const VIEWS: Readonly<Record<View, Orbit>> = {
  corner: { yaw: 0.72, pitch: 0.42, zoom: 1 },
  door: { yaw: QUARTER, pitch: 0.06, zoom: 1 },
  side: { yaw: 0, pitch: 0.06, zoom: 1 },
  top: { yaw: 0, pitch: PITCH_MAX, zoom: 1 },
};

function turned({ yaw, pitch, zoom }: Orbit, byYaw: number, byPitch: number, byZoom = 1): Orbit {
  return {
    yaw: yaw + byYaw,
    pitch: Math.max(-0.2, Math.min(PITCH_MAX, pitch + byPitch)),
    zoom: Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, zoom * byZoom)),
  };
}

/** `part`: 0 at the start, 1 at the end, the shorter way round. */
function between(start: Orbit, end: Orbit, part: number): Orbit {
  const eased = 1 - (1 - part) ** 3;
  const full = 2 * Math.PI;
  const way = ((((end.yaw - start.yaw) % full) + 3 * Math.PI) % full) - Math.PI;
  return {
    yaw: start.yaw + way * eased,
    pitch: start.pitch + (end.pitch - start.pitch) * eased,
    zoom: start.zoom + (end.zoom - start.zoom) * eased,
  };
}

export type Extent = { readonly width: number; readonly height: number };

const TURN_MS = 280;

/** `around`: the points that the reader must see. */
export function createEye(size: Vector3, around: readonly Vector3[]) {
  const camera = new PerspectiveCamera(FIELD_OF_VIEW_DEGREES);
  camera.up.set(0, 0, 1);
  const middle = size.clone().multiplyScalar(0.5);
  let orbit: Orbit = VIEWS.corner;
  let turning: { readonly start: Orbit; readonly end: Orbit; readonly sinceMs: number } | null = null;

  function place({ yaw, pitch, zoom }: Orbit, aspect: number): void {
    const flat = Math.cos(pitch);
    const towards = new Vector3(Math.sin(yaw) * flat, -Math.cos(yaw) * flat, Math.sin(pitch));
    const distance = distanceFrom(towards, aspect, middle, around) / zoom;
    camera.aspect = aspect;
    camera.near = Math.max(0.05, distance - size.length());
    camera.far = distance + size.length();
    camera.position.copy(middle).addScaledVector(towards, distance);
    camera.lookAt(middle);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  return {
    camera,
    look(view: View, isMoving: boolean): void {
      turning = isMoving ? { start: orbit, end: VIEWS[view], sinceMs: performance.now() } : null;
      if (!isMoving) orbit = VIEWS[view];
    },
    turn(byYaw: number, byPitch: number, byZoom?: number): void {
      turning = null;
      orbit = turned(orbit, byYaw, byPitch, byZoom);
    },
    /** Places the camera for this moment; true while it turns to another view. */
    step(nowMs: number, { width, height }: Extent): boolean {
      if (turning !== null) {
        const part = Math.min(1, Math.max(0, (nowMs - turning.sinceMs) / TURN_MS));
        orbit = between(turning.start, turning.end, part);
        if (part === 1) turning = null;
      }
      place(orbit, width / height);
      return turning !== null;
    },
  };
}

const TANGENT = Math.tan((FIELD_OF_VIEW_DEGREES * Math.PI) / 360);

/** From where all points are in sight. */
function distanceFrom(towards: Vector3, aspect: number, middle: Vector3, around: readonly Vector3[]): number {
  const right = new Vector3(0, 0, 1).cross(towards).normalize();
  const up = new Vector3().crossVectors(towards, right);
  return Math.max(
    ...around.map((point) => {
      const from = point.clone().sub(middle);
      const across = Math.abs(from.dot(right)) / (TANGENT * aspect);
      return Math.max(across, Math.abs(from.dot(up)) / TANGENT) * MARGIN + from.dot(towards);
    }),
  );
}
