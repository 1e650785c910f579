/** All pieces of a container as one drawing of one box: thousands cost as much as one. */
import {
  BoxGeometry,
  CanvasTexture,
  Color,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearMipmapLinearFilter,
  Mesh,
  ShaderMaterial,
  SRGBColorSpace,
} from "three";

import { colorOfLine, INK, type ColorOf } from "../palette.ts";
import type { Piece } from "../steps.ts";
import { markOf } from "../words.ts";

const CELL_PX = 64;
const MM_PER_M = 1_000;

const VERTEX = `
attribute vec3 offset;
attribute vec3 size;
attribute vec3 tint;
attribute float cell;
attribute float order;
varying vec2 face;
varying vec2 extent;
varying vec3 color;
varying float shade;
flat varying float at;
flat varying float mark;
void main() {
  vec3 p = position + 0.5;
  if (abs(normal.x) > 0.5) {
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
void main() {
  vec2 px = fwidth(face);
  vec2 edge = min(face, extent - face) / px;
  float nearest = min(edge.x, edge.y);
  float seen = smoothstep(4.0, 12.0, min(extent.x / px.x, extent.y / px.y));
  bool isChosen = at == chosen;
  vec3 shown = color * shade;
  float side = 0.55 * min(min(extent.x, extent.y), 0.9);
  vec2 q = (face - extent * 0.5) / side + 0.5;
  vec2 cell = vec2(mod(mark, cells), floor(mark / cells));
  float letter = texture(marks, vec2(cell.x + q.x, cells - 1.0 - cell.y + q.y) / cells).a;
  if (q.x > 0.0 && q.x < 1.0 && q.y > 0.0 && q.y < 1.0) shown = mix(shown, ink, letter * seen * 0.9);
  shown = mix(shown, ink, (1.0 - smoothstep(0.6, 1.4, nearest)) * seen * 0.75);
  if (at < current.x) shown = mix(shown, back, 0.5);
  if (isChosen) shown = mix(shown, accent, nearest < 4.0 ? 1.0 : 0.25);
  gl_FragColor = vec4(shown, 1.0);
}`;

export type Pieces = {
  readonly mesh: Mesh;
  /** Shows the first `to` pieces; those before `from` stand back. */
  show(from: number, to: number, chosen: number | null): void;
  tint(colorOf: ColorOf): void;
  paint(back: Color, accent: Color): void;
  dispose(): void;
};

export function createPieces(pieces: readonly Piece[]): Pieces {
  const box = new BoxGeometry(1, 1, 1);
  const geometry = new InstancedBufferGeometry();
  geometry.index = box.index;
  geometry.setAttribute("position", box.getAttribute("position"));
  geometry.setAttribute("normal", box.getAttribute("normal"));
  const lines = [...new Set(pieces.map(({ line }) => line))];
  const cellOf = new Map(lines.map((line, cell) => [line, cell]));
  const tintsBy = (colorOf: ColorOf): readonly number[] => {
    const tints = new Map(lines.map((line) => [line, rawColor(colorOf(line)).toArray()]));
    return pieces.flatMap(({ line }) => tints.get(line)!);
  };
  const of = (width: number, values: (piece: Piece, at: number) => readonly number[]) =>
    new InstancedBufferAttribute(Float32Array.from(pieces.flatMap(values)), width);
  geometry.setAttribute(
    "offset",
    of(3, ({ x, y, z }) => [x / MM_PER_M, y / MM_PER_M, z / MM_PER_M]),
  );
  geometry.setAttribute(
    "size",
    of(3, ({ dx, dy, dz }) => [dx / MM_PER_M, dy / MM_PER_M, dz / MM_PER_M]),
  );
  const tint = new InstancedBufferAttribute(Float32Array.from(tintsBy(colorOfLine)), 3);
  geometry.setAttribute("tint", tint);
  geometry.setAttribute(
    "cell",
    of(1, ({ line }) => [cellOf.get(line)!]),
  );
  geometry.setAttribute(
    "order",
    of(1, (_piece, at) => [at]),
  );
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
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  return {
    mesh,
    show(from, to, chosen) {
      geometry.instanceCount = to;
      mesh.visible = to > 0;
      uniforms.current.value = [from, to];
      uniforms.chosen.value = chosen ?? -1;
    },
    tint(colorOf) {
      tint.copyArray(tintsBy(colorOf));
      tint.needsUpdate = true;
    },
    paint(back, accent) {
      uniforms.back.value = back;
      uniforms.accent.value = accent;
    },
    dispose() {
      box.dispose();
      geometry.dispose();
      material.dispose();
      marks.dispose();
    },
  };
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
