// Shapes of the sprite on a canvas: where thousands stand together, nodes would cost more than they say.

const SIDE = 16;
const PAINTS = ["fill", "stroke"] as const;

/** The colour that a token has under the theme in use. */
export function colourOf(on: HTMLElement, token: string): string {
  on.style.color = `var(--${token})`;
  return getComputedStyle(on).color;
}

/** A state's shape, `size` pixels wide, as an image to be drawn many times. */
export function shapeOf(state: string, size: number, colours: { currentColor: string; surface: string }): HTMLCanvasElement {
  const image = document.createElement("canvas");
  image.width = image.height = size;
  const pen = image.getContext("2d");
  const symbol = document.getElementById(`s-${state}`);
  if (!pen || !symbol) return image;
  pen.scale(size / SIDE, size / SIDE);
  for (const child of symbol.children) paint(pen, child, colours);
  return image;
}

function paint(pen: CanvasRenderingContext2D, shape: Element, colours: { currentColor: string; surface: string }): void {
  const said = (name: string) => shape.getAttribute(name);
  const path = pathOf(shape);
  pen.globalAlpha = Number(said("opacity") ?? 1);
  pen.lineWidth = Number(said("stroke-width") ?? 1);
  pen.lineCap = (said("stroke-linecap") ?? "butt") as CanvasLineCap;
  pen.lineJoin = (said("stroke-linejoin") ?? "miter") as CanvasLineJoin;
  pen.setLineDash((said("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number));
  for (const kind of PAINTS) {
    const wanted = said(kind);
    if (!wanted || wanted === "none") continue;
    pen[`${kind}Style`] = wanted === "currentColor" ? colours.currentColor : colours.surface;
    pen[kind](path);
  }
}

function pathOf(shape: Element): Path2D {
  if (shape.tagName !== "circle") return new Path2D(shape.getAttribute("d") ?? "");
  const path = new Path2D();
  const [x, y, radius] = ["cx", "cy", "r"].map((name) => Number(shape.getAttribute(name)));
  path.arc(x ?? 0, y ?? 0, radius ?? 0, 0, 2 * Math.PI);
  return path;
}
