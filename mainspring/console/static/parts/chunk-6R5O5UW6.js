// parts/blocks.ts
var BLOCKS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
function blocks(values, none = "▁") {
  const most = Math.max(...values, 1);
  return values.map((value) => value === 0 ? none : BLOCKS[Math.ceil(value / most * (BLOCKS.length - 1))] ?? "").join("");
}

export {
  blocks
};
