// The names of types as people write them.

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^character varying/u, 'varchar'],
  [/^character(?=\(|\[|$)/u, 'char'],
  [/^bit varying/u, 'varbit'],
  [/^(time|timestamp)(\(\d\))? with time zone/u, '$1tz$2'],
  [/^(time|timestamp)(\(\d\))? without time zone/u, '$1$2'],
];

/** `character varying(160)` → `varchar(160)`, `timestamp with time zone[]` → `timestamptz[]` */
export function shortTypeName(name: string): string {
  const [pattern, short] = SHORT.find(([each]) => each.test(name)) ?? [];
  return pattern === undefined || short === undefined ? name : name.replace(pattern, short);
}
