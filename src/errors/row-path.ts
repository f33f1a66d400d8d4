// Recognizes a path that other APIs use for one row: `/berth/1`.

/** The table and the key column that a path such as `/berth/1` seems to mean. */
export interface MeantRow {
  readonly relation: string;
  readonly column: string;
}

/** Names in a path are repeated only if they are plain. */
const ROW_PATH = /^\/(?!rpc\/)(?<name>[\w-]{1,63})\/(?<key>[\w-]{1,63})\/?$/u;

export function parseRowPath(path: string): { readonly name: string; readonly key: string } | undefined {
  const { name, key } = ROW_PATH.exec(path)?.groups ?? {};
  return name === undefined || key === undefined ? undefined : { name, key };
}
