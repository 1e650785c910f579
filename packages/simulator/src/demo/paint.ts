/** How the demo looks: a live table where there is a terminal, one line an attempt where there is none. */
import { styleText } from "node:util";

import type { Clock } from "../../../../src/runtime/clock.ts";
import type { Surroundings } from "../../../../src/runtime/surroundings.ts";
import { isDelivered, type Board, type Row } from "./board.ts";

export type Painter = {
  /** One line of what the demo does. */
  say(text: string): void;
  /** Something has arrived. */
  arrived(row: Row): void;
  /** Shows the board as it is now; does nothing without a terminal. */
  repaint(): void;
  /** Gives the terminal back. */
  end(): void;
};

const FRAME_MS = 100;

const HEADINGS = [
  "PRODUCT",
  "EVENT",
  "ENDPOINT",
  "ABOUT",
  "SIGNATURE",
  "ATTEMPTS",
  "LATENCY",
  "ANSWER",
] as const;
const WIDTHS = [9, 19, 12, 16, 9, 8, 7, 6] as const;

/** What lies around the table: title, shipments' heading, its own heading, blank lines. */
const OTHER_LINES = 8;
const ROWS_MIN = 3;

const ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l";
const ORDINARY_SCREEN = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";

export function createPainter(title: string, board: Board, at: Surroundings, clock: Clock): Painter {
  return at.screen === null ? plainPainter(title, at, clock) : livePainter(title, board, at, clock);
}

function plainPainter(title: string, at: Surroundings, clock: Clock): Painter {
  const startedMs = clock.monotonicMs();
  const line = (text: string) => {
    at.out(`${`${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`.padStart(7)}  ${text}\n`);
  };
  at.out(`${title}\n`);
  return {
    say: line,
    arrived(row) {
      const signature = row.verified ? "signature verified" : "SIGNATURE WRONG";
      line(
        `${row.product.padEnd(9)}  ${row.type.padEnd(19)}  ${row.endpoint.padEnd(12)}  ${row.subject.padEnd(16)}  ` +
          `${signature}  attempt ${row.attempts}  ${latencyText(row).padStart(7)}  answered ${row.answered}`,
      );
    },
    repaint: () => {},
    end: () => {},
  };
}

function livePainter(title: string, board: Board, at: Surroundings, clock: Clock): Painter {
  const screen = at.screen!;
  const line = (text: string, format?: "bold" | "dim" | "cyan" | "green" | "yellow") => {
    const shown = text.slice(0, screen.columns());
    return format !== undefined && screen.colours
      ? styleText(format, shown, { validateStream: false })
      : shown;
  };
  let said = "";
  let paintedMs = Number.NEGATIVE_INFINITY;
  let isOver = false;
  at.out(ALTERNATE_SCREEN);

  function paint(): void {
    paintedMs = clock.monotonicMs();
    const rows = board.rows();
    const room = Math.max(ROWS_MIN, screen.lines() - OTHER_LINES - board.shipments.length);
    const delivered = rows.filter(isDelivered).length;
    const lines = [
      line(title, "bold"),
      line(said, "dim"),
      "",
      ...board.shipments.map(({ reference, status }) => line(`  ${reference.padEnd(16)} ${status}`, "cyan")),
      "",
      line(`${rows.length} deliveries; ${delivered} delivered and verified`, "bold"),
      line(lineOf(HEADINGS), "dim"),
      ...rows.slice(-room).map((row) => line(rowText(row), isDelivered(row) ? "green" : "yellow")),
    ];
    at.out(HOME + lines.map((text) => text + REST_OF_LINE).join("\n") + REST_OF_SCREEN);
  }

  return {
    say(text) {
      said = text;
      paint();
    },
    arrived() {
      if (clock.monotonicMs() - paintedMs >= FRAME_MS) paint();
    },
    repaint: () => paint(),
    end() {
      if (isOver) return;
      isOver = true;
      at.out(ORDINARY_SCREEN);
    },
  };
}

/** The whole table, for the end. */
export function tableOf(rows: readonly Row[]): string {
  return `${[lineOf(HEADINGS), ...rows.map(rowText)].join("\n")}\n`;
}

function rowText(row: Row): string {
  return lineOf([
    row.product,
    row.type,
    row.endpoint,
    row.subject,
    row.verified ? "verified" : "WRONG",
    String(row.attempts),
    latencyText(row),
    String(row.answered),
  ]);
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.slice(0, WIDTHS[column]).padEnd(WIDTHS[column]!))
    .join("  ")
    .trimEnd();
}

function latencyText({ latencyMs }: Row): string {
  return `${latencyMs} ms`;
}
