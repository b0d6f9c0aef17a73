// Reads server-sent events from pieces of text, cut anywhere.

export interface ServerEvent {
  kind: string;
  data: string;
  id: string;
}

export class EventReader {
  private rest = "";
  lastId = "";

  /** The events that are whole now. */
  feed(piece: string): ServerEvent[] {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => this.read(block));
  }

  private read(block: string): ServerEvent[] {
    let kind = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const [name, value] = cut(line);
      if (name === "event") kind = value;
      else if (name === "data") data.push(value);
      else if (name === "id") this.lastId = value;
    }
    return data.length === 0 ? [] : [{ kind, data: data.join("\n"), id: this.lastId }];
  }
}

function cut(line: string): [string, string] {
  const at = line.indexOf(":");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}
