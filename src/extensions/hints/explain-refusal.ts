// Adds a remedy to an error of the database: a token, the missing GRANT, or a correct spelling of the request. A GRANT
// is suggested only if the API description is public.
import { isSchemeMissing } from '../../auth/authenticate.ts';
import { MAX_IDENTIFIER_BYTES, spellIdentifier, type QualifiedName } from '../../contract/identifiers.ts';
import { firstHeader, type HeaderList } from '../../contract/http.ts';
import { type VisibleNames, isColumnVisible } from '../../catalog/visible-names.ts';
import type { ApiError, ConstraintMessage, DatabaseReport } from '../../errors/api-error.ts';
import { findOrderHint } from '../../errors/query-hints.ts';
import { findFormat } from '../../request/payload/parse-payload.ts';
import { splitQuery } from '../../request/query/split-query.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import type { DescribeAction, PlannedRows } from '../../plan/actions/action-plan.ts';
import type { DeniedCall } from '../../plan/check-target.ts';
import type { AnsweredRequest } from '../../serve/request-context.ts';
import { describePrivilege } from './describe-privilege.ts';
import { findBadRow, VALUE_STATES } from './find-bad-row.ts';
import { findAggregateOrderHint, findValueHint } from './find-value-hint.ts';
import { constraintKey } from '../../catalog/constraint-comments.ts';
import type { ConstrainedRelation, SchemaCache } from '../../catalog/schema-cache.ts';

/** Longer queries come from programs, and reading them again would take long. */
const MAX_QUERY_LENGTH = 65_536;

export async function explainRefusal(
  error: ApiError,
  action: PlannedRows | DescribeAction,
  refused: AnsweredRequest,
): Promise<ApiError> {
  if (error.kind !== 'database') return error;
  const constraint = await findConstraintMessage(error.report, action, refused);
  if (constraint !== undefined) return { ...error, constraint };
  if (!refused.context.dialect.hasHints) return error;
  const { sqlstate, message, hint } = error.report;
  const role = findRoleHint(error.report, refused.identity);
  if (role !== undefined) return { ...error, remedy: role };
  if (action.kind === 'describe' || refused.request.rawQuery.length > MAX_QUERY_LENGTH) return error;
  if (sqlstate === '42501' && hint === undefined)
    return { ...error, remedy: await findPrivilegeRemedy(message, action, refused) };
  if (sqlstate === '42703') return { ...error, remedy: findOrderRemedy(message, refused) };
  if (VALUE_STATES.has(sqlstate) && hint === undefined)
    return { ...error, remedy: await findValueRemedy(error.report, action, refused) };
  return error;
}

/** Explains a refusal that is known before the call is planned. */
export async function explainDeniedCall(
  denied: Extract<ApiError, { kind: 'database' }>,
  call: DeniedCall,
  refused: AnsweredRequest,
): Promise<ApiError> {
  const { request, context } = refused;
  if (!context.dialect.hasHints || request.rawQuery.length > MAX_QUERY_LENGTH) return denied;
  return { ...denied, remedy: await findPrivilegeRemedy(denied.report.message, call, refused) };
}

async function findConstraintMessage(
  report: DatabaseReport,
  action: PlannedRows | DescribeAction,
  { identity, context: { config, cache, findVisibleNames } }: AnsweredRequest,
): Promise<ConstraintMessage | undefined> {
  if (report.constraint === undefined || identity === undefined || cache === undefined) return undefined;
  if (!config.extensions.messages) return undefined;
  return explainConstraint(report, action, cache, () => findVisibleNames(identity.role));
}

/** Suggests a token to clients without one before any GRANT, and never a GRANT to everybody for a write. */
async function findPrivilegeRemedy(
  message: string,
  action: PlannedRows | DeniedCall,
  { request, identity, context }: AnsweredRequest,
): Promise<string | undefined> {
  const { config, cache, findVisibleNames } = context;
  if (identity === undefined || cache === undefined) return undefined;
  const { role, isAnonymous } = identity;
  const findVisible = (): Promise<VisibleNames> => findVisibleNames(role);
  const missing = await describePrivilege(message, action, { request, cache, findVisible });
  if (missing === undefined) return undefined;
  if (missing.kind === 'everyColumn') {
    const names = missing.readable.map((column) => (/^\w+$/u.test(column) ? column : `"${column}"`));
    const example = names.length > MAX_READABLE ? '' : `: select=${names.join(',')}`;
    return `Select only columns that the role may read${example}`;
  }
  const isPublic = config.openapiMode !== 'disabled' && config.dbRootSpec === undefined;
  const grant = isPublic ? `GRANT ${missing.privilege} TO ${spellIdentifier(role)}` : undefined;
  if (!isAnonymous || request.mount?.session !== undefined) return grant;
  const isWrite = action.access === 'read write';
  const takesTokens = (config.jwtSecret ?? config.jwtJwksUri ?? config.jwtIssuer) !== undefined;
  const token = findTokenHint(request.headers, takesTokens, isWrite);
  if (isWrite || grant === undefined) return token;
  return token === undefined ? grant : `${token}. To allow this without a token: ${grant}`;
}

/** Longer lists are not repeated. */
const MAX_READABLE = 20;

async function findValueRemedy(
  report: DatabaseReport,
  action: PlannedRows,
  { request, identity, context }: AnsweredRequest,
): Promise<string | undefined> {
  const { cache, findVisibleNames, dialect } = context;
  if (identity === undefined || cache === undefined) return undefined;
  const findVisible = (): Promise<VisibleNames> => findVisibleNames(identity.role);
  const accepted = await findValueHint(report, action, { request, cache, findVisible });
  if (action.kind !== 'mutate') return accepted;
  const format = findFormat({ contentType: firstHeader(request.headers, 'content-type'), target: 'relation' }, dialect);
  const sent = { body: request.body, isCsv: format.ok && format.value === 'csv' };
  const row = await runSlicesWithPauses(findBadRow(report, action, sent), context.pause);
  return row === undefined ? accepted : [row, ...(accepted === undefined ? [] : [accepted])].join('. ');
}

/** A name may contain spaces, so `order=name desc` refers to a column named "name desc", which does not exist. */
function findOrderRemedy(message: string, { request: { rawQuery }, context }: AnsweredRequest): string | undefined {
  const column = /^column (?:[^.]+\.)?(.+) does not exist$/su.exec(message)?.[1];
  if (column === undefined) return undefined;
  const aggregate = findAggregateOrderHint(column, rawQuery, context.config.extensions.aggregates);
  if (aggregate !== undefined || !/ (?:asc|desc)/iu.test(column)) return aggregate;
  const order = splitQuery(rawQuery).find(({ name, value }) => /(?:^|\.)order$/u.test(name) && value?.includes(column));
  return order?.value && findOrderHint(order.name, order.value);
}

/** The name of the login role stays in the configuration: clients need not know it. */
const LOGIN = 'LOGIN_ROLE, the role in db-uri';

/**
 * Tells why the server cannot take the role of a request: the login role may not assume it. The error of a role that
 * does not exist has no hint (`writing.md` §19).
 *
 * @returns undefined for errors that a function raises about another role
 */
function findRoleHint(
  { sqlstate, message, hint }: DatabaseReport,
  identity: { readonly role: string; readonly isAnonymous: boolean } | undefined,
): string | undefined {
  if (identity === undefined || hint !== undefined || identity.role.length > MAX_IDENTIFIER_BYTES) return undefined;
  const { role, isAnonymous } = identity;
  const name = spellIdentifier(role);
  const origin = isAnonymous ? 'The option db-anon-role' : 'The token';
  if (sqlstate !== '42501' || message !== `permission denied to set role "${role}"`) return undefined;
  return `${origin} names a role that the server may not assume. Allow it: GRANT ${name} TO ${LOGIN}`;
}

const HEADER = 'Authorization: Bearer TOKEN';

/**
 * Tells a client that counts as anonymous how to send its token.
 *
 * @param takesTokens whether the server can verify tokens
 */
function findTokenHint(headers: HeaderList, takesTokens: boolean, isWrite: boolean): string | undefined {
  if (!takesTokens)
    return isWrite ? 'Writing needs a token. The operator sets the key for tokens with jwt-secret' : undefined;
  if (isSchemeMissing(headers)) return `Write Bearer before the token: ${HEADER}`;
  const credentials = firstHeader(headers, 'authorization');
  if (credentials === undefined) return `Send a token with the header ${HEADER}`;
  if (!/^bearer\b/iu.test(credentials)) return `The server reads tokens only from the header ${HEADER}`;
  return isWrite
    ? 'The role of this token is the one for requests without a token. Send a token with another role'
    : undefined;
}

/** @returns undefined unless the report names a constraint that has a comment */
async function explainConstraint(
  { sqlstate, constraint }: DatabaseReport,
  action: PlannedRows | DescribeAction,
  cache: SchemaCache,
  findVisible: () => Promise<VisibleNames>,
): Promise<ConstraintMessage | undefined> {
  // User code may name a constraint in any error it raises.
  if (constraint === undefined || !sqlstate.startsWith('23')) return undefined;
  const comment = cache.constraintComments.get(constraintKey(constraint));
  if (comment === undefined) return undefined;
  const relation = findShown(comment.relations, listWritten(action));
  if (relation === undefined || relation.columns.length === 0) return { message: comment.message, columns: [] };
  const visible = await findVisible();
  const columns = relation.columns.filter((column) => isColumnVisible(visible, relation.name, column));
  return { message: comment.message, columns };
}

/** Chooses the view that the request writes through, otherwise the table itself. */
function findShown(
  relations: readonly ConstrainedRelation[],
  written: readonly QualifiedName[],
): ConstrainedRelation | undefined {
  const isWritten = ({ name }: ConstrainedRelation): boolean =>
    written.some((other) => other.schema === name.schema && other.name === name.name);
  return relations.find(isWritten) ?? relations.find(({ isView }) => !isView);
}

function listWritten(action: PlannedRows | DescribeAction): readonly QualifiedName[] {
  if (action.kind !== 'mutate') return [];
  return action.parts?.listRelations() ?? [action.relation.name];
}
