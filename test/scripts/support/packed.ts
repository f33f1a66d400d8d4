// What `npm pack --dry-run --json` reports.

export interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

export function readPacked(output: string): Packed {
  // npm 11 prints a list, npm 12 a record by name.
  const [first] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/mu))) as Record<string, Packed>);
  return first!;
}
