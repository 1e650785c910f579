/** A container with its cargo, drawn flat: each step is one shape with the borders of its pieces. */
import type { Container } from "./answers.ts";
import { useColors } from "./colors.tsx";
import { DECK_LINE, INK } from "./palette.ts";
import type { Axle, Box, Piece, Step } from "./steps.ts";

export type Side = "side" | "top" | "door";

const CAPTIONS: Readonly<Record<Side, string>> = {
  side: "From the left side",
  top: "From above",
  door: "From the door",
};

/** Where a box is drawn, in millimetres from the upper left. */
type Flat = { readonly u: number; readonly v: number; readonly du: number; readonly dv: number };

function flatOf({ x, y, z, dx, dy, dz }: Box, side: Side, room: Container): Flat {
  if (side === "top") return { u: x, v: room.width_mm - y - dy, du: dx, dv: dy };
  const v = room.height_mm - z - dz;
  return side === "side" ? { u: x, v, du: dx, dv: dz } : { u: y, v, du: dy, dv: dz };
}

/** Greater is nearer to the reader. */
function nearnessOf({ x, y, z, dx, dz }: Box, side: Side): number {
  return side === "side" ? -y : side === "top" ? z + dz : x + dx;
}

function gridOf({ deep, wide, high }: Step, side: Side): readonly [number, number] {
  return side === "side" ? [deep, high] : side === "top" ? [deep, wide] : [wide, high];
}

/** A cylinder whose axis lies along this is seen as a circle. */
const SEEN_ALONG: Readonly<Record<Side, Axle>> = { side: "width", top: "height", door: "length" };

type DrawingProps = {
  readonly room: Container;
  readonly steps: readonly Step[];
  readonly side: Side;
  readonly label: (step: Step) => string;
  readonly title?: string;
  /** The step that was placed last stands out. */
  readonly current?: Step | undefined;
  readonly selected?: Piece | undefined;
  readonly onPoint?: (pieceAt: (piece: Piece) => boolean, nearnessOf: (piece: Piece) => number) => void;
};

const IN_GAUGE = { over_height_mm: 0, over_width_left_mm: 0, over_width_right_mm: 0 };
const MARK_MM_MAX = 320;
const MARK_MM_MIN = 70;

export function Drawing({ room, steps, side, label, title, current, selected, onPoint }: DrawingProps) {
  const width = side === "door" ? room.width_mm : room.length_mm;
  const height = side === "top" ? room.width_mm : room.height_mm;
  const rim = width / 160;
  const drawn = steps.toSorted((one, other) => nearnessOf(one, side) - nearnessOf(other, side));
  const point = (event: MouseEvent): void => {
    const svg = event.currentTarget as SVGSVGElement;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
    const isAt = (piece: Piece): boolean => {
      const { u, v, du, dv } = flatOf(piece, side, room);
      return at.x >= u && at.x < u + du && at.y >= v && at.y < v + dv;
    };
    onPoint?.(isAt, (piece) => nearnessOf(piece, side));
  };
  const caption = title ?? CAPTIONS[side];
  const colorOf = useColors();
  const ends = side === "door" ? ["Left", "Right"] : ["Front wall", "Door"];
  return (
    <figure class={`drawing from-${side}`}>
      <svg
        viewBox={viewBoxOf([width, height], side, room, rim)}
        role="img"
        aria-label={`Container ${room.number}, ${caption.toLowerCase()}`}
        {...(onPoint === undefined ? {} : { onClick: point })}
      >
        <rect class="room" width={width} height={height} stroke-width={rim} />
        {drawn.flatMap((step) =>
          shapesOf(step, side).map((part, at) => (
            <StepShape
              key={`${step.from} ${at}`}
              flat={flatOf(part, side, room)}
              grid={part === step ? gridOf(step, side) : [1, 1]}
              isRound={(part === step ? step.piece : part).axis === SEEN_ALONG[side]}
              fill={colorOf(part.line)}
              mark={part === step || part.line === DECK_LINE ? label(step) : ""}
              isQuiet={current !== undefined && step !== current}
              rim={rim}
            />
          )),
        )}
        {selected !== undefined && <Outline {...flatOf(selected, side, room)} rim={rim} />}
        <Centre room={room} side={side} size={Math.min(height, width) / 14} rim={rim} />
      </svg>
      <figcaption>
        <span>{ends[0]}</span>
        <strong>{caption}</strong>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}

/** What is seen of the room, and what stands out of it. */
function viewBoxOf(
  [width, height]: readonly [number, number],
  side: Side,
  { out_of_gauge: gauge }: Container,
  rim: number,
): string {
  const { over_height_mm: above, over_width_left_mm: left, over_width_right_mm: right } = gauge ?? IN_GAUGE;
  const top = side === "top" ? right : above;
  const [before, across] = side === "door" ? [left, left + right] : [0, 0];
  const up = side === "top" ? left + right : above;
  return `${-before - rim} ${-top - rim} ${width + across + 2 * rim} ${height + up + 2 * rim}`;
}

/** A pallet is drawn piece by piece. */
function shapesOf(step: Step, side: Side): readonly Piece[] {
  if (step.parts.length === 0) return [step];
  return step.parts.toSorted((one, other) => nearnessOf(one, side) - nearnessOf(other, side));
}

type ShapeProps = {
  readonly flat: Flat;
  readonly grid: readonly [number, number];
  readonly isRound: boolean;
  readonly fill: string;
  readonly mark: string;
  readonly isQuiet: boolean;
  readonly rim: number;
};

/** Of a grid, one circle for each cell. */
function circlesOf({ u, v, du, dv }: Flat, [across, up]: ShapeProps["grid"]): string {
  const r = du / across / 2;
  return Array.from({ length: across * up }, (_, at) => {
    const middle = v + ((Math.floor(at / across) + 0.5) * dv) / up;
    return `M${u + 2 * r * (at % across)} ${middle}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }).join("");
}

function StepShape({ flat, grid, isRound, fill, mark, isQuiet, rim }: ShapeProps) {
  const { u, v, du, dv } = flat;
  const [across, up] = grid;
  const outline = { fill, stroke: INK, "stroke-width": rim / 3 };
  const borders = [
    ...Array.from({ length: across - 1 }, (_, at) => `M${u + ((at + 1) * du) / across} ${v}v${dv}`),
    ...Array.from({ length: up - 1 }, (_, at) => `M${u} ${v + ((at + 1) * dv) / up}h${du}`),
  ].join("");
  const size = Math.min(MARK_MM_MAX, dv * 0.7, (du * 1.1) / Math.max(1, mark.length));
  return (
    <g class={isQuiet ? "quiet-step" : ""}>
      {isRound ? (
        <path class="round" d={circlesOf(flat, grid)} {...outline} />
      ) : (
        <rect x={u} y={v} width={du} height={dv} {...outline} />
      )}
      {borders !== "" && !isRound && (
        <path d={borders} stroke={INK} stroke-width={rim / 6} stroke-opacity="0.45" />
      )}
      {size >= MARK_MM_MIN && (
        <text
          x={u + du / 2}
          y={v + dv / 2}
          font-size={size}
          fill={INK}
          stroke={fill}
          stroke-width={size / 4}
          paint-order="stroke"
          text-anchor="middle"
          dominant-baseline="central"
        >
          {mark}
        </text>
      )}
    </g>
  );
}

function Outline({ u, v, du, dv, rim }: Flat & { readonly rim: number }) {
  return <rect class="chosen" x={u} y={v} width={du} height={dv} stroke-width={rim} />;
}

type CentreProps = {
  readonly room: Container;
  readonly side: Side;
  readonly size: number;
  readonly rim: number;
};

/** The centre of gravity, and the middle that it should be near to. */
function Centre({ room, side, size, rim }: CentreProps) {
  const centre = room.centre_of_gravity_mm;
  if (centre === null) return null;
  const at = flatOf({ ...centre, dx: 0, dy: 0, dz: 0 }, side, room);
  const middle = (side === "door" ? room.width_mm : room.length_mm) / 2;
  const height = side === "top" ? room.width_mm : room.height_mm;
  return (
    <g class="centre" stroke-width={rim * 0.6}>
      <path class="middle" d={`M${middle} 0v${height}`} stroke-dasharray={`${rim * 2} ${rim * 2}`} />
      <circle cx={at.u} cy={at.v} r={size} />
      <path d={`M${at.u - size * 1.6} ${at.v}h${size * 3.2}M${at.u} ${at.v - size * 1.6}v${size * 3.2}`} />
    </g>
  );
}
