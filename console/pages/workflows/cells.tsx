// The cells of a grid as one picture, drawn anew when another part of it comes into sight; the grid says in words which cell is chosen.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GridRun } from "../../api/schema.ts";
import { theme } from "../../live/preferences.ts";
import { colourOf, shapeOf } from "../../parts/shapes.ts";
import { CELL, NAMES, ROW, STATE_OF } from "./grid.ts";

const SHAPE = 14;

export interface CellsProps {
  runs: GridRun[];
  rows: number[];
  columns: number[];
  chosen: [row: number, column: number];
  onOpen: (row: number, column: number) => void;
}

export function CellPicture({ runs, rows, columns, chosen, onOpen }: CellsProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  const [top, left] = [rows[0] ?? 0, columns[0] ?? 0];
  const [width, height] = [columns.length * CELL, rows.length * ROW];
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, { runs, rows, columns, chosen, onOpen });
  }, [runs, top, left, width, height, chosen[0], chosen[1], isDark, theme.value]);
  const open = (event: MouseEvent) => onOpen(top + Math.floor(event.offsetY / ROW), left + Math.floor(event.offsetX / CELL));
  return <canvas ref={canvas} aria-hidden="true" onClick={open} style={{ left: `${NAMES + left * CELL}px`, top: `${(top + 1) * ROW}px`, width: `${width}px`, height: `${height}px` }} />;
}

function useDark(): boolean {
  const dark = useSignal(matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const hear = () => (dark.value = query.matches);
    query.addEventListener("change", hear);
    return () => query.removeEventListener("change", hear);
  }, []);
  return dark.value;
}

function draw(canvas: HTMLCanvasElement, { runs, rows, columns, chosen }: CellsProps): void {
  const scale = devicePixelRatio;
  canvas.width = columns.length * CELL * scale;
  canvas.height = rows.length * ROW * scale;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  const surface = colourOf(canvas, "surface");
  const shapes = new Map(Object.entries(STATE_OF).map(([letter, state]) => [letter, shapeOf(state, SHAPE * scale, { currentColor: colourOf(canvas, state), surface })]));
  const none = colourOf(canvas, "line-strong");
  const [tint, accent] = [colourOf(canvas, "accent-tint"), colourOf(canvas, "accent")];
  rows.forEach((row, down) => columns.forEach((column, along) => {
    const [x, y] = [along * CELL, down * ROW];
    if (row === chosen[0] && column === chosen[1]) mark(pen, x, y, tint, accent);
    const shape = shapes.get(runs[column]?.cells[row] ?? "-");
    if (shape) pen.drawImage(shape, x + (CELL - SHAPE) / 2, y + (ROW - SHAPE) / 2, SHAPE, SHAPE);
    else dash(pen, x, y, none);
  }));
}

function mark(pen: CanvasRenderingContext2D, x: number, y: number, tint: string, accent: string): void {
  pen.fillStyle = tint;
  pen.strokeStyle = accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(x + 1, y + 2, CELL - 2, ROW - 4, 3);
  pen.fill();
  pen.stroke();
}

function dash(pen: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  pen.fillStyle = colour;
  pen.fillRect(x + CELL / 2 - 3, y + ROW / 2 - 0.5, 6, 1);
}
