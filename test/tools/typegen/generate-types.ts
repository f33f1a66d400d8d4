// Generates the types of a database like the command line, and extracts single entries from the text.
import { PRODUCT } from '../../../src/contract/product.ts';
import { connect } from '../../../src/postgres/session/open-session.ts';
import { loadTypes, type TypesOptions } from '../../../tools/typegen/load-types.ts';
import { createConfigReader } from '../../../src/service/configuration/read-config.ts';
import { createDatabase, runSql } from '../../support/database.ts';

export async function generateTypes(
  uri: string,
  schemas: string,
  options: TypesOptions = { areFunctionsExact: false },
): Promise<string> {
  const environment = { SVC_DB_URI: uri, SVC_DB_SCHEMAS: schemas, SVC_DB_CONFIG: 'false' };
  const config = createConfigReader({ file: undefined, environment })(new Map(), undefined);
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const connection = { connectionString: uri, environment: {}, product: PRODUCT, isPreparing: false };
  const session = await connect(connection);
  if (!session.ok) throw new Error(JSON.stringify(session.error));
  const text = await loadTypes({ use: (work) => work(session.value) }, config.value, options);
  await session.value.close();
  if (!text.ok) throw new Error(JSON.stringify(text.error));
  return text.value;
}

/** Generates the types of a temporary database that the SQL creates. */
export async function generateTypesOf(sql: string, schemas = 'api', options?: TypesOptions): Promise<string> {
  const database = await createDatabase();
  try {
    await runSql(database.uri, sql);
    return await generateTypes(database.uri, schemas, options);
  } finally {
    await database.drop();
  }
}

/** Returns the type at the path below `Database`, with white space collapsed; comments are kept. */
export function typeAt(text: string, ...path: readonly string[]): string | undefined {
  let lines: readonly string[] = text.slice(text.indexOf('export type Database')).split('\n');
  for (const [depth, name] of path.entries()) {
    const indent = '  '.repeat(depth + 1);
    const start = lines.findIndex(
      (line) => line.startsWith(`${indent}${name}:`) || line.startsWith(`${indent}${name}?:`),
    );
    if (start === -1) return undefined;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => !line.startsWith(`${indent} `) && !/^[}\]]/.test(line.slice(indent.length)));
    lines = [lines[start] ?? '', ...rest.slice(0, end)];
  }
  const [first = '', ...others] = lines;
  const type = [first.replace(/^ *(?:"(?:[^"\\]|\\.)*"|[^:?]+)\??:/, ''), ...others].join(' ');
  return type.replaceAll(/\s+/g, ' ').trim().replace(/;$/, '');
}
