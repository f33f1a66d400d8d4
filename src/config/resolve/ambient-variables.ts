// Variables that are nobody's own, by which platforms tell every program where its database is and which port it shall
// serve. They count where none of ours, nor the file, says so.

/** By option. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['db-uri', 'DATABASE_URL'],
  ['server-port', 'PORT'],
]);

/** Of those that libpq knows. */
const DATABASE_VARIABLES: readonly string[] = ['PGHOST', 'PGHOSTADDR', 'PGPORT', 'PGDATABASE'];

/** Whether the `PG*` variables say which database is meant. */
export function isDatabaseNamed(lookUp: (variable: string) => string | undefined): boolean {
  return DATABASE_VARIABLES.some((name) => (lookUp(name) ?? '') !== '');
}

/** The variable that stands in for the option, if it is set. `PG*` variables go before `DATABASE_URL`. */
export function findAmbientVariable(option: string, environment: ReadonlyMap<string, string>): string | undefined {
  const variable = VARIABLES.get(option);
  if (variable === undefined || (environment.get(variable) ?? '') === '') return undefined;
  const isOutranked = option === 'db-uri' && isDatabaseNamed((name) => environment.get(name));
  return isOutranked ? undefined : variable;
}
