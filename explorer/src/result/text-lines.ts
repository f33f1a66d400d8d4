// Splits a text into lines that are extracted only when shown.
import { NumberList } from '../rows/number-list.ts';

export interface TextLines {
  readonly count: number;
  textAt(line: number): string;
}

export function splitLines(text: string): TextLines {
  const breaks = new NumberList();
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at);
  const hasRest = breaks.length === 0 || breaks.at(breaks.length - 1) < text.length - 1;
  return {
    count: breaks.length + (hasRest ? 1 : 0),
    textAt(line) {
      const start = line === 0 ? 0 : breaks.at(line - 1) + 1;
      return text.slice(start, line < breaks.length ? breaks.at(line) : text.length);
    },
  };
}
