// What the editor of a definition says.
import { both } from "../../words/index.ts";

export const written = both(
  {
    form: "written as",
    add: "Add a step",
    note: "The server checks the text while it is typed. Comments are not kept.",
    at: (line: string, column: string) => `line ${line}, column ${column}`,
  },
  {
    form: "写法",
    add: "添加步骤",
    note: "输入时由服务器检查。注释不会保存。",
    at: (line: string, column: string) => `第 ${line} 行第 ${column} 列`,
  },
);
