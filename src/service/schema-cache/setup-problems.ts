// Finds setup problems that prevent some or all requests from being served. Reports each as a sentence with the SQL
// that fixes it. Pure.
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { AppConfig, FunctionReference } from '../../config/table/app-config.ts';
import { printFunctionReference, quoteFunctionReference } from '../../config/table/option-types.ts';
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { SetupFacts } from './setup-facts.ts';

export interface SetupConfig extends Pick<
  AppConfig,
  'dbAnonRole' | 'dbPreRequest' | 'dbRootSpec' | 'dbSchemas' | 'jwtIssuer' | 'jwtJwksUri' | 'jwtSecret'
> {
  /** Whether requests are authenticated by tokens; otherwise the host application authenticates them. */
  readonly takesTokens: boolean;
}
export type SetupCache = Pick<SchemaCache, 'relations' | 'routines'>;

/** @param facts undefined skips the problems that only the database can report */
export function findSetupProblems(
  config: SetupConfig,
  cache: SetupCache,
  facts: SetupFacts | undefined,
): readonly string[] {
  const problems = [
    ...(facts === undefined ? [] : findAccessProblems(config, facts)),
    ...(facts?.gaps ?? []),
    findRootProblem(config, cache),
    ...config.dbSchemas.map((schema) => findSchemaProblem(schema, config, cache)),
  ];
  return problems.filter((problem) => problem !== undefined);
}

const DEFAULT_NAME = 'web_anon';

function findAccessProblems(config: SetupConfig, facts: SetupFacts): readonly (string | undefined)[] {
  const { dbAnonRole = DEFAULT_NAME, dbPreRequest } = config;
  const login = quoteIdentifier(facts.loginRole);
  const grant = `GRANT ${quoteIdentifier(dbAnonRole)} TO ${login};`;
  const create = `CREATE ROLE ${quoteIdentifier(dbAnonRole)} NOLOGIN; ${grant}`;
  const preRequest = facts.hasPreRequest ? undefined : dbPreRequest && describeMissingFunction(dbPreRequest);
  switch (facts.anonymousRole) {
    case 'usable':
      return [preRequest];
    case 'missing':
      return [
        `Requests without a token fail: the role ${dbAnonRole} of db-anon-role does not exist. ${create}`,
        preRequest,
      ];
    case 'notGranted':
      return [
        `Requests without a token fail: the login role ${facts.loginRole} cannot switch to the role ${dbAnonRole} ` +
          `of db-anon-role. ${grant}`,
        preRequest,
      ];
    case 'unset':
      return [config.takesTokens && !hasKeys(config) ? describeMissingAccess(create) : undefined, preRequest];
  }
}

function hasKeys({ jwtIssuer, jwtJwksUri, jwtSecret }: SetupConfig): boolean {
  return [jwtIssuer, jwtJwksUri, jwtSecret].some((source) => source !== undefined);
}

function describeMissingAccess(create: string): string {
  return (
    'No request can be served: neither db-anon-role, for requests without a token, nor jwt-secret, for those with one, ' +
    `is set. ${create} and set db-anon-role = "${DEFAULT_NAME}"`
  );
}

function describeMissingFunction(reference: FunctionReference): string {
  return (
    `Every request fails: the function ${printFunctionReference(reference)}() of db-pre-request does not ` +
    `exist. CREATE FUNCTION ${quoteFunctionReference(reference)}() RETURNS void LANGUAGE sql AS '';`
  );
}

/** The function is resolved in the schema of the request. */
function findRootProblem({ dbRootSpec, dbSchemas }: SetupConfig, { routines }: SetupCache): string | undefined {
  if (dbRootSpec === undefined || dbSchemas.some((schema) => routines.get(schema)?.has(dbRootSpec.name)))
    return undefined;
  const place = quoteFunctionReference({ schema: dbSchemas[0], name: dbRootSpec.name });
  return (
    `The root path cannot be served: the function ${printFunctionReference(dbRootSpec)} of db-root-spec is in none of ` +
    `db-schemas. CREATE FUNCTION ${place}() RETURNS json LANGUAGE sql STABLE AS $$ SELECT '{}'::json $$;`
  );
}

function findSchemaProblem(schema: string, { dbAnonRole }: SetupConfig, cache: SetupCache): string | undefined {
  const count = (cache.relations.get(schema)?.size ?? 0) + (cache.routines.get(schema)?.size ?? 0);
  if (count > 0) return undefined;
  const home = quoteIdentifier(schema);
  const grants =
    dbAnonRole === undefined
      ? ''
      : ` GRANT USAGE ON SCHEMA ${home} TO ${quoteIdentifier(dbAnonRole)};` +
        ` GRANT SELECT ON ${home}.notes TO ${quoteIdentifier(dbAnonRole)};`;
  return (
    `The schema ${schema} of db-schemas has no tables, views or functions to serve. To create an example: CREATE TABLE ` +
    `${home}.notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text);${grants}`
  );
}
