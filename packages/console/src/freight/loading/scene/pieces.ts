/** All pieces of a container as one drawing of one box and one of one cylinder: thousands cost as much as one. */
import {
  BoxGeometry,
  type BufferGeometry,
  CanvasTexture,
  Color,
  CylinderGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearMipmapLinearFilter,
  Mesh,
  ShaderMaterial,
  SRGBColorSpace,
} from "three";

import { colorOfLine, INK, type ColorOf } from "../palette.ts";
import type { Axle, Piece } from "../steps.ts";
import { markOf } from "../words.ts";

const CELL_PX = 64;
const MM_PER_M = 1_000;

const VERTEX = `
attribute vec3 offset;
attribute vec3 size;
attribute vec3 tint;
attribute float cell;
attribute float order;
/** 0, 1 or 2: of a cylinder; below 0: a box. */
attribute float axis;
varying vec2 face;
varying vec2 extent;
varying vec3 color;
varying float shade;
flat varying float at;
flat varying float mark;
/** 0: a face of a box, 1: the round side of a cylinder, 2: one of its ends. */
flat varying float surface;
vec3 turned(vec3 v) {
  return axis > 1.5 ? v : axis > 0.5 ? v.yzx : v.zxy;
}
void main() {
  vec3 p = position + 0.5;
  surface = axis < 0.0 ? 0.0 : abs(normal.z) > 0.5 ? 2.0 : 1.0;
  if (surface > 0.5) {
    float around = axis > 1.5 ? size.x : size.z;
    float along = axis > 1.5 ? size.z : axis > 0.5 ? size.y : size.x;
    extent = surface > 1.5 ? vec2(around) : vec2(${Math.PI / 4} * around, along);
    face = surface > 1.5 ? uv * extent : vec2(uv.x * 4.0, uv.y) * extent;
    p = turned(position) + 0.5;
    shade = 0.8 + 0.2 * abs(dot(turned(normal), vec3(0.27, 0.53, 0.8)));
  } else if (abs(normal.x) > 0.5) {
    extent = size.yz;
    face = vec2(normal.x > 0.0 ? p.y : 1.0 - p.y, p.z) * extent;
    shade = 0.86;
  } else if (abs(normal.y) > 0.5) {
    extent = size.xz;
    face = vec2(normal.y < 0.0 ? p.x : 1.0 - p.x, p.z) * extent;
    shade = 0.93;
  } else {
    extent = size.xy;
    face = vec2(p.x, normal.z > 0.0 ? p.y : 1.0 - p.y) * extent;
    shade = 1.0;
  }
  color = tint;
  at = order;
  mark = cell;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(offset + p * size, 1.0);
}`;

const FRAGMENT = `
uniform sampler2D marks;
uniform float cells;
uniform vec3 ink;
uniform vec3 back;
uniform vec3 accent;
uniform vec2 current;
uniform float chosen;
varying vec2 face;
varying vec2 extent;
varying vec3 color;
varying float shade;
flat varying float at;
flat varying float mark;
flat varying float surface;
void main() {
  vec2 px = fwidth(face);
  vec2 at2 = surface > 0.5 && surface < 1.5 ? vec2(mod(face.x, extent.x), face.y) : face;
  vec2 edge = min(at2, extent - at2) / px;
  float nearest = min(edge.x, edge.y);
  if (surface > 1.5) nearest = (0.5 * extent.x - length(face - 0.5 * extent)) / max(px.x, px.y);
  else if (surface > 0.5) nearest = edge.y;
  float seen = smoothstep(4.0, 12.0, min(extent.x / px.x, extent.y / px.y));
  bool isChosen = at == chosen;
  vec3 shown = color * shade;
  float side = 0.55 * min(min(extent.x, extent.y), 0.9);
  vec2 q = (at2 - extent * 0.5) / side + 0.5;
  vec2 cell = vec2(mod(mark, cells), floor(mark / cells));
  float letter = texture(marks, vec2(cell.x + q.x, cells - 1.0 - cell.y + q.y) / cells).a;
  if (q.x > 0.0 && q.x < 1.0 && q.y > 0.0 && q.y < 1.0) shown = mix(shown, ink, letter * seen * 0.9);
  shown = mix(shown, ink, (1.0 - smoothstep(0.6, 1.4, nearest)) * seen * 0.75);
  if (at < current.x) shown = mix(shown, back, 0.5);
  if (isChosen) shown = mix(shown, accent, nearest < 4.0 ? 1.0 : 0.25);
  gl_FragColor = vec4(shown, 1.0);
}`;

export type Pieces = {
  readonly group: Group;
  /** Shows the first `to` pieces; those before `from` stand back. */
  show(from: number, to: number, chosen: number | null): void;
  tint(colorOf: ColorOf): void;
  paint(back: Color, accent: Color): void;
  dispose(): void;
};

export function createPieces(pieces: readonly Piece[]): Pieces {
  const lines = [...new Set(pieces.map(({ line }) => line))];
  const cellOf = new Map(lines.map((line, cell) => [line, cell]));
  const cells = Math.ceil(Math.sqrt(lines.length));
  const marks = marksOf(lines, cells);
  const uniforms = {
    marks: { value: marks },
    cells: { value: cells },
    ink: { value: rawColor(INK) },
    back: { value: rawColor("#ffffff") },
    accent: { value: rawColor("#000000") },
    current: { value: [0, 0] },
    chosen: { value: -1 },
  };
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms });
  const kinds = kindsOf(pieces, cellOf);
  const group = new Group();
  for (const { geometry, shown } of kinds) {
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    group.add(mesh);
    geometry.instanceCount = shown.length;
  }
  return {
    group,
    show(from, to, chosen) {
      for (const [at, { geometry, shown }] of kinds.entries()) {
        const later = shown.findIndex(({ order }) => order >= to);
        geometry.instanceCount = later === -1 ? shown.length : later;
        group.children[at]!.visible = geometry.instanceCount > 0;
      }
      uniforms.current.value = [from, to];
      uniforms.chosen.value = chosen ?? -1;
    },
    tint(colorOf) {
      for (const { tint, shown } of kinds) {
        tint.copyArray(tintsOf(shown, colorOf));
        tint.needsUpdate = true;
      }
    },
    paint(back, accent) {
      uniforms.back.value = back;
      uniforms.accent.value = accent;
    },
    dispose() {
      for (const { shape, geometry } of kinds) {
        shape.dispose();
        geometry.dispose();
      }
      material.dispose();
      marks.dispose();
    },
  };
}

/** Pieces of one shape, in loading order. */
type Kind = {
  readonly shape: BufferGeometry;
  readonly geometry: InstancedBufferGeometry;
  readonly tint: InstancedBufferAttribute;
  readonly shown: readonly Ordered[];
};

type Ordered = { readonly piece: Piece; readonly order: number };

/** Straight parts of the round side. */
const ROUND_PARTS = 40;

function kindsOf(pieces: readonly Piece[], cellOf: ReadonlyMap<number, number>): readonly Kind[] {
  const ordered = pieces.map((piece, order) => ({ piece, order }));
  const boxes = ordered.filter(({ piece }) => piece.axis === undefined);
  const round = ordered.filter(({ piece }) => piece.axis !== undefined);
  const cylinder = () => new CylinderGeometry(0.5, 0.5, 1, ROUND_PARTS).rotateX(Math.PI / 2);
  return [
    ...(boxes.length === 0 ? [] : [kindOf(new BoxGeometry(1, 1, 1), boxes, cellOf)]),
    ...(round.length === 0 ? [] : [kindOf(cylinder(), round, cellOf)]),
  ];
}

const AXES: Readonly<Record<Axle, number>> = { length: 0, width: 1, height: 2 };

function kindOf(shape: BufferGeometry, shown: readonly Ordered[], cellOf: ReadonlyMap<number, number>): Kind {
  const geometry = new InstancedBufferGeometry();
  geometry.index = shape.index;
  for (const name of ["position", "normal", "uv"]) geometry.setAttribute(name, shape.getAttribute(name));
  const set = (name: string, width: number, values: (one: Ordered) => readonly number[]) =>
    geometry.setAttribute(
      name,
      new InstancedBufferAttribute(Float32Array.from(shown.flatMap(values)), width),
    );
  set("offset", 3, ({ piece: { x, y, z } }) => [x / MM_PER_M, y / MM_PER_M, z / MM_PER_M]);
  set("size", 3, ({ piece: { dx, dy, dz } }) => [dx / MM_PER_M, dy / MM_PER_M, dz / MM_PER_M]);
  set("cell", 1, ({ piece }) => [cellOf.get(piece.line)!]);
  set("order", 1, ({ order }) => [order]);
  set("axis", 1, ({ piece: { axis } }) => [axis === undefined ? -1 : AXES[axis]]);
  const tint = new InstancedBufferAttribute(Float32Array.from(tintsOf(shown, colorOfLine)), 3);
  geometry.setAttribute("tint", tint);
  return { shape, geometry, tint, shown };
}

function tintsOf(shown: readonly Ordered[], colorOf: ColorOf): readonly number[] {
  const lines = [...new Set(shown.map(({ piece }) => piece.line))];
  const tints = new Map(lines.map((line) => [line, rawColor(colorOf(line)).toArray()]));
  return shown.flatMap(({ piece }) => tints.get(piece.line)!);
}

/** As the screen shows it: the shader converts nothing. */
export function rawColor(css: string): Color {
  return new Color().setStyle(css).convertLinearToSRGB();
}

/** The mark of each line in a cell of its own. */
function marksOf(lines: readonly number[], cells: number): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = cells * CELL_PX;
  canvas.height = cells * CELL_PX;
  const pen = canvas.getContext("2d")!;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const [at, line] of lines.entries()) {
    const mark = markOf(line);
    pen.font = `600 ${Math.round((CELL_PX * 0.8) / Math.max(1, mark.length * 0.7))}px system-ui, sans-serif`;
    pen.fillText(mark, ((at % cells) + 0.5) * CELL_PX, (Math.floor(at / cells) + 0.55) * CELL_PX);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 4;
  return texture;
}
