/** How the demo looks: a live table where there is a terminal, one line an attempt where there is none. */
import { styleText } from "node:util";

import type { DemoHost, Terminal } from "./host.ts";
import { isDelivered, type DemoState, type DeliveryRow } from "./state.ts";

export type Display = {
  /** One line of what the demo does. */
  showStatus(text: string): void;
  /** Something has arrived. */
  showArrival(row: DeliveryRow): void;
  /** Shows the board as it is now; does nothing without a terminal. */
  refresh(): void;
  /** Gives the terminal back. */
  close(): void;
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

export function createDisplay(title: string, board: DemoState, host: DemoHost): Display {
  const { terminal } = host;
  return terminal === null ? plainDisplay(title, host) : terminalDisplay(title, board, host, terminal);
}

function plainDisplay(title: string, { out, clock }: DemoHost): Display {
  const startedMs = clock.monotonicMs();
  const line = (text: string) => {
    out(`${`${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`.padStart(7)}  ${text}\n`);
  };
  out(`${title}\n`);
  return {
    showStatus: line,
    showArrival: (row) => line(arrivalText(row)),
    refresh: () => {},
    close: () => {},
  };
}

/** One attempt in one line. */
export function arrivalText(row: DeliveryRow): string {
  const signature = row.verified ? "signature verified" : "SIGNATURE WRONG";
  return (
    `${row.product.padEnd(9)}  ${row.type.padEnd(19)}  ${row.endpoint.padEnd(12)}  ${row.subject.padEnd(16)}  ` +
    `${signature}  attempt ${row.attempts}  ${latencyText(row).padStart(7)}  answered ${row.answeredStatus}`
  );
}

function terminalDisplay(
  title: string,
  board: DemoState,
  { out, clock }: DemoHost,
  screen: Terminal,
): Display {
  const line = (text: string, format?: "bold" | "dim" | "cyan" | "green" | "yellow") => {
    const shown = text.slice(0, screen.columns());
    return format !== undefined && screen.colours
      ? styleText(format, shown, { validateStream: false })
      : shown;
  };
  let statusLine = "";
  let paintedMs = Number.NEGATIVE_INFINITY;
  let isOver = false;
  out(ALTERNATE_SCREEN);

  function paint(): void {
    paintedMs = clock.monotonicMs();
    const rows = board.rows();
    const room = Math.max(ROWS_MIN, screen.lines() - OTHER_LINES - board.shipments.length);
    const delivered = rows.filter(isDelivered).length;
    const lines = [
      line(title, "bold"),
      line(statusLine, "dim"),
      "",
      ...board.shipments.map(({ reference, status }) => line(`  ${reference.padEnd(16)} ${status}`, "cyan")),
      "",
      line(`${rows.length} deliveries; ${delivered} delivered and verified`, "bold"),
      line(lineOf(HEADINGS), "dim"),
      ...rows.slice(-room).map((row) => line(rowText(row), isDelivered(row) ? "green" : "yellow")),
    ];
    out(HOME + lines.map((text) => text + REST_OF_LINE).join("\n") + REST_OF_SCREEN);
  }

  return {
    showStatus(text) {
      statusLine = text;
      paint();
    },
    showArrival() {
      if (clock.monotonicMs() - paintedMs >= FRAME_MS) paint();
    },
    refresh: () => paint(),
    close() {
      if (isOver) return;
      isOver = true;
      out(ORDINARY_SCREEN);
    },
  };
}

/** The whole table, for the end. */
export function tableOf(rows: readonly DeliveryRow[]): string {
  return `${[lineOf(HEADINGS), ...rows.map(rowText)].join("\n")}\n`;
}

function rowText(row: DeliveryRow): string {
  return lineOf([
    row.product,
    row.type,
    row.endpoint,
    row.subject,
    row.verified ? "verified" : "WRONG",
    String(row.attempts),
    latencyText(row),
    String(row.answeredStatus),
  ]);
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.slice(0, WIDTHS[column]).padEnd(WIDTHS[column]!))
    .join("  ")
    .trimEnd();
}

function latencyText({ latencyMs }: DeliveryRow): string {
  return `${latencyMs} ms`;
}
