// Finds out why a role sees a row or not: reads the row as the login role, then evaluates each policy for it as the role,
// with the settings of a request. Only the results of the policies leave this module, never the row.
import type {
  AccessDocument,
  AccessPolicy,
  AccessRelation,
  AccessRights,
  AccessRole,
  EvaluatedPolicy,
  RowExplanation,
  RowQuestion,
} from '../../src/contract/access-document.ts';
import { renderClaims } from '../../src/auth/claims.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { TransactionQuery } from '../../src/postgres/session/query.ts';
import { renderSettings, type SenderSettings } from '../../src/sql/text/settings.ts';
import { failed, RowSteps } from './row-steps.ts';

/** Settings of every request, which policies may depend on. */
export type RequestSettings = Pick<SenderSettings, 'extraSearchPath' | 'appSettings'> & {
  /** Runs before each request. */
  readonly preRequest: Statement | undefined;
};

/** @param document describes only the relation in question */
export async function explainRow(
  question: RowQuestion,
  { document, settings }: { readonly document: AccessDocument; readonly settings: RequestSettings },
  run: TransactionQuery,
): Promise<Result<RowExplanation, ApiError>> {
  const subject = findSubject(question, document);
  if (!subject.ok) return subject;
  const { role, relation, rights, policies } = subject.value;
  const name: QualifiedName = { schema: question.schema, name: relation.name };
  const key = Object.entries(question.key);
  const steps = new RowSteps(name, run);
  const row = await steps.findRow(key);
  const path = [question.schema, ...settings.extraSearchPath];
  // Without USAGE, the role cannot even name the type of the row.
  const prepared = row.kind === 'found' && role.hasUsage ? await steps.prepare(policies, path) : [];
  const started = await steps.become(renderRequest(question, settings), settings.preRequest);
  const outcome = started.ok ? await steps.look(key) : failed(started.error);
  const evaluated: EvaluatedPolicy[] = [];
  for (const [index, policy] of policies.entries())
    evaluated.push({ ...pickPolicy(policy), result: await steps.evaluate(prepared[index]) });
  const { columns, rights: _rights, policies: _policies, ...facts } = relation;
  const { select } = rights;
  const hiddenColumns = select === true ? [] : columns.filter((column) => select === false || !select.includes(column));
  return ok({ role, relation: facts, rights, hiddenColumns, row, policies: evaluated, outcome });
}

interface Subject {
  readonly role: AccessRole;
  readonly relation: AccessRelation;
  readonly rights: AccessRights;
  /** Those that restrict what the role reads. */
  readonly policies: readonly AccessPolicy[];
}

function findSubject({ schema, relation: name, key, role: roleName }: RowQuestion, document: AccessDocument) {
  const [relation] = document.relations;
  if (relation === undefined)
    return fail<ApiError>({ kind: 'relationNotFound', relation: { schema, name }, suggestion: undefined });
  const unknown = Object.keys(key).find((column) => !relation.columns.includes(column));
  if (unknown !== undefined)
    return fail<ApiError>({ kind: 'columnNotFound', column: unknown, relation: name, suggestion: undefined });
  const index = document.roles.findIndex((one) => one.name === roleName);
  const role = document.roles[index];
  const rights = relation.rights[index];
  if (role === undefined || rights === undefined)
    return fail<ApiError>({ kind: 'invalidBody', message: `The server cannot assume the role "${roleName}"` });
  return ok<Subject>({ role, relation, rights, policies: listPolicies(relation, role, rights) });
}

/** Returns none if row security does not restrict the role. */
function listPolicies(relation: AccessRelation, role: AccessRole, { isOwner }: AccessRights): readonly AccessPolicy[] {
  const { rowSecurity, policies } = relation;
  if (rowSecurity === 'off' || role.isSuperuser || role.bypassesRowSecurity) return [];
  if (isOwner && rowSecurity === 'on') return [];
  return policies.filter(
    ({ command, appliesTo }) => (command === 'all' || command === 'select') && appliesTo.includes(role.name),
  );
}

function pickPolicy({ name, command, isPermissive, roles, using }: AccessPolicy): Omit<EvaluatedPolicy, 'result'> {
  return { name, command, isPermissive, roles, using: using ?? 'true' };
}

/** Returns the settings of a request of the role with the claims. */
function renderRequest({ schema, relation, role, claims }: RowQuestion, settings: RequestSettings): Statement {
  return renderSettings(
    { schema, timezone: undefined, ownSettings: [], access: 'read only' },
    {
      ...settings,
      role,
      claims: renderClaims({ claims, text: JSON.stringify(claims) }, role),
      method: 'GET',
      path: `/${relation}`,
      headers: '{}',
      cookies: '{}',
      roleSettings: [],
    },
  );
}
