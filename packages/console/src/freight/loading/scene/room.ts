/** What stands around the cargo, drawn lightly: walls, the open door, and the centre of gravity. */
import {
  BackSide,
  BoxGeometry,
  BufferGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
  type Color,
} from "three";

import type { Container } from "../answers.ts";

/** The opening. */
export type Door = { readonly widthM: number; readonly heightM: number };

type Point = readonly [number, number, number];

export type Room = {
  readonly group: Group;
  paint(line: Color, mark: Color): void;
  dispose(): void;
};

export function createRoom(container: Container, door: Door, size: Vector3): Room {
  const box = new BoxGeometry(size.x, size.y, size.z).translate(size.x / 2, size.y / 2, size.z / 2);
  const wall = new MeshBasicMaterial({ side: BackSide, transparent: true, opacity: 0.1, depthWrite: false });
  const line = new LineBasicMaterial();
  const mark = new LineBasicMaterial({ depthTest: false, transparent: true });
  const edges = new EdgesGeometry(box);
  const doors = segments(doorOf(size, door));
  const centre = segments(centreOf(container, size));
  const marked = new LineSegments(centre, mark);
  marked.renderOrder = 2;
  const group = new Group();
  group.add(new Mesh(box, wall), new LineSegments(edges, line), new LineSegments(doors, line), marked);
  return {
    group,
    paint(lines, marks) {
      wall.color.copy(lines);
      line.color.copy(lines);
      mark.color.copy(marks);
    },
    dispose() {
      for (const one of [box, edges, doors, centre, wall, line, mark]) one.dispose();
    },
  };
}

function segments(points: readonly Point[]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
}

/** Of the container with what stands out of it, and of the open doors. */
export function cornersOf({ out_of_gauge: gauge }: Container, size: Vector3, door: Door): readonly Vector3[] {
  const [left, right] = [gauge?.over_width_left_mm ?? 0, gauge?.over_width_right_mm ?? 0];
  const [from, to] = [-left / 1_000, size.y + right / 1_000];
  const top = size.z + (gauge?.over_height_mm ?? 0) / 1_000;
  const corners = Array.from(
    { length: 8 },
    (_, at) => new Vector3((at & 1) * size.x, ((at >> 1) & 1) === 0 ? from : to, (at >> 2) * top),
  );
  return [...corners, ...doorOf(size, door).map((point) => new Vector3(...point))];
}

/** The opening, and its two leaves, which stand open. */
function doorOf(size: Vector3, { widthM, heightM }: Door): readonly Point[] {
  const [left, right] = [(size.y - widthM) / 2, (size.y + widthM) / 2];
  const out = widthM / 2;
  const frame = (a: Point, b: Point, c: Point, d: Point): readonly Point[] => [a, b, b, c, c, d, d, a];
  const leaf = (hinge: number, way: number): readonly Point[] => {
    const [x, y] = [size.x + out * 0.5, hinge + way * out * 0.5];
    return frame([size.x, hinge, 0], [x, y, 0], [x, y, heightM], [size.x, hinge, heightM]);
  };
  return [
    ...frame([size.x, left, 0], [size.x, right, 0], [size.x, right, heightM], [size.x, left, heightM]),
    ...leaf(left, -1),
    ...leaf(right, 1),
  ];
}

/** A star, and where it stands above the floor; a cross of the middle lies there. */
function centreOf({ centre_of_gravity_mm: centre }: Container, size: Vector3): readonly Point[] {
  if (centre === null) return [];
  const [x, y, z] = [centre.x / 1_000, centre.y / 1_000, centre.z / 1_000];
  const arm = size.z / 9;
  const [middleX, middleY] = [size.x / 2, size.y / 2];
  const points: readonly Point[] = [
    ...([
      [x - arm, y, z],
      [x + arm, y, z],
      [x, y - arm, z],
      [x, y + arm, z],
      [x, y, 0],
      [x, y, z + arm],
    ] as const),
    ...([
      [middleX - arm, middleY, 0],
      [middleX + arm, middleY, 0],
      [middleX, middleY - arm, 0],
      [middleX, middleY + arm, 0],
    ] as const),
  ];
  return points;
}
