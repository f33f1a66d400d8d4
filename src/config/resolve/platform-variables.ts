// Standard variables by which hosting platforms specify the database and the port. They apply only if neither a
// variable of our own nor the file sets the option.

/** Variable by option name. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['db-uri', 'DATABASE_URL'],
  ['server-port', 'PORT'],
]);

/** The libpq variables that select a database. */
const DATABASE_VARIABLES: readonly string[] = ['PGHOST', 'PGHOSTADDR', 'PGPORT', 'PGDATABASE'];

/** Returns whether the `PG*` variables select a database. */
export function isDatabaseNamed(lookUp: (variable: string) => string | undefined): boolean {
  return DATABASE_VARIABLES.some((name) => (lookUp(name) ?? '') !== '');
}

/** Returns the fallback variable of the option, if it is set. `PG*` variables take precedence over `DATABASE_URL`. */
export function findPlatformVariable(option: string, environment: ReadonlyMap<string, string>): string | undefined {
  const variable = VARIABLES.get(option);
  if (variable === undefined || (environment.get(variable) ?? '') === '') return undefined;
  const isOverridden = option === 'db-uri' && isDatabaseNamed((name) => environment.get(name));
  return isOverridden ? undefined : variable;
}
