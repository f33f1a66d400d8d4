// What a recorded request uses of an API: the routes it reads, with their columns, values and embeds; what it writes; the
// function it calls.
import { findRelation, findRelationships, findRoutines, type Relation } from '../../src/catalog/schema-cache.ts';
import { allHeaders } from '../../src/contract/http.ts';
import type { Action, ApiRequest } from '../../src/request/api-request.ts';
import { parseHead, type RequestSettings } from '../../src/request/parse-request.ts';
import type { Field, LogicNode, Operation } from '../../src/request/query/query-params.ts';
import { matchesEmbed } from '../../src/plan/levels/resolve-relationship.ts';
import { resolveSelectTree, type SelectLevel } from '../../src/plan/levels/select-tree.ts';
import { isJsonObject } from '../../src/util/json-object.ts';
import type { RecordedRequest } from '../compare/requests/recorded-request.ts';
import { tryOr } from '../support/thrown.ts';
import type { Api } from './api.ts';

export interface RequestUse {
  readonly schema: string;
  readonly levels: readonly LevelUse[];
  readonly write: WriteUse | undefined;
  readonly call: CallUse | undefined;
  /** Media types that the request accepts, in lower case. */
  readonly accepted: readonly string[];
}

/** A relation that is read, at the top or as an embed. */
export interface LevelUse {
  readonly relation: string;
  /** Whether the whole row is returned. */
  readonly isWhole: boolean;
  readonly columns: ReadonlySet<string>;
  /** The values of its filters. */
  readonly values: ReadonlySet<string>;
  readonly embeds: readonly { readonly target: string; readonly hint: string | undefined }[];
}

/** What a body or a query string sends; undefined if it is not known. */
export interface Sent {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

export interface WriteUse {
  readonly relation: string;
  /** Letters of the commands. */
  readonly letters: string;
  readonly sent: Sent | undefined;
  /** `on_conflict` as sent: columns, or an index as `!name`. */
  readonly conflictTarget: readonly string[] | undefined;
  /** Whether it finds rows by their key. */
  readonly isByKey: boolean;
}

export interface CallUse {
  readonly name: string;
  readonly isGet: boolean;
  readonly sent: Sent | undefined;
}

/** @returns undefined for requests that the API would not have accepted */
export function readRequestUse(
  request: RecordedRequest,
  { cache }: Pick<Api, 'cache'>,
  settings: RequestSettings,
): RequestUse | undefined {
  const [path = '', ...queries] = request.target.split('?');
  const { method, headers } = request;
  const head = parseHead({ method, path, rawQuery: queries.join('?'), headers, body: new Uint8Array() }, settings);
  if (!head.ok) return undefined;
  const { action, profile, query } = head.value;
  const { schema } = profile;
  const tree = resolveSelectTree(query, true);
  const relation = findTopRelation(action, schema, cache);
  if (!tree.ok) return undefined;
  const isReturned = action.kind !== 'mutateRelation' || query.select.some(({ kind }) => kind !== 'all');
  const levels = relation === undefined ? [] : listLevels(tree.value.root, { relation, schema, cache, isReturned });
  const sent = readBody(request);
  return {
    schema,
    levels,
    accepted: listAccepted(request),
    write: action.kind === 'mutateRelation' ? describeWrite(action, head.value, sent) : undefined,
    call: action.kind === 'callRoutine' ? describeCall(action, query, sent) : undefined,
  };
}

type Parsed = Pick<ApiRequest, 'query' | 'preferences'>;
type ActionOf<K extends Action['kind']> = Extract<Action, { readonly kind: K }>;

function describeWrite(
  { relation, mutation }: ActionOf<'mutateRelation'>,
  { query, preferences }: Parsed,
  sent: Sent | undefined,
): WriteUse {
  const isUpsert = preferences.resolution !== undefined;
  const { columns, conflictIndex, onConflict } = query;
  return {
    relation,
    letters: { insert: isUpsert ? 'iu' : 'i', update: 'u', delete: 'd', put: 'iu' }[mutation],
    sent: columns === undefined ? sent : { names: new Set(columns), values: sent?.values ?? new Set() },
    conflictTarget: conflictIndex === undefined ? onConflict : [`!${conflictIndex}`],
    isByKey: mutation === 'put' || (isUpsert && onConflict === undefined),
  };
}

function describeCall(
  { routine, method }: ActionOf<'callRoutine'>,
  { args }: Parsed['query'],
  sent: Sent | undefined,
): CallUse {
  const isGet = method !== 'post';
  const given = { names: new Set(args.map(([name]) => name)), values: new Set(args.map(([, value]) => value)) };
  return { name: routine, isGet, sent: isGet ? given : sent };
}

function listAccepted({ headers }: RecordedRequest): readonly string[] {
  const types = allHeaders(headers, 'accept').flatMap((value) => value.split(','));
  return types.map((type) => type.replace(/;.*$/u, '').trim().toLowerCase());
}

function findTopRelation(action: Action, schema: string, cache: Api['cache']): Relation | undefined {
  if (action.kind === 'readRelation' || action.kind === 'mutateRelation')
    return findRelation(cache, { schema, name: action.relation });
  if (action.kind !== 'callRoutine') return undefined;
  const rowTypes = findRoutines(cache, { schema, name: action.routine }).map(({ result }) =>
    result.kind === 'composite' ? result.rowType : undefined,
  );
  return rowTypes[0] && findRelation(cache, rowTypes[0]);
}

interface LevelOptions {
  readonly relation: Relation;
  readonly schema: string;
  readonly cache: Api['cache'];
  /** Whether the rows are part of the response. */
  readonly isReturned: boolean;
}

function listLevels(level: SelectLevel, options: LevelOptions): readonly LevelUse[] {
  const { relation, schema, cache, isReturned } = options;
  const columns = new Set<string>();
  const values = new Set<string>();
  const take = ({ column }: Field): void => void columns.add(column);
  for (const item of level.items) if (item.kind === 'column') take(item.field);
  for (const { field } of level.order) take(field);
  for (const node of [...level.filters, ...level.logic]) takeNode(node, take, values);
  const inner = level.embeds.flatMap(({ item, level: below }) => {
    const found = findRelationships(cache, relation.name).find(
      (one) =>
        (one.kind === 'computed' ? one.routine : one.target).schema === schema &&
        matchesEmbed(one, item.target, item.hint),
    );
    const target = found && findRelation(cache, found.target);
    return target === undefined ? [] : listLevels(below, { ...options, relation: target });
  });
  const isWhole = isReturned && level.items.some(({ kind }) => kind === 'all');
  const embeds = level.embeds.map(({ item }) => ({ target: item.target, hint: item.hint }));
  return [{ relation: relation.name.name, isWhole, columns, values, embeds }, ...inner];
}

function takeNode(node: LogicNode, take: (field: Field) => void, values: Set<string>): void {
  switch (node.kind) {
    case 'filter':
      take(node.field);
      for (const value of valuesOf(node.operation)) values.add(value);
      return;
    case 'having':
      if (node.term.field !== undefined) take(node.term.field);
      return;
    case 'group':
      for (const member of node.members) takeNode(member, take, values);
      return;
    case 'related':
      // Its columns are those of another relation.
      return;
  }
}

function valuesOf(operation: Operation): readonly string[] {
  if (operation.kind === 'in') return operation.values;
  return 'value' in operation ? [operation.value] : [];
}

/** Reads the members of a JSON body: an object, or an array of objects. */
function readBody({ body }: RecordedRequest): Sent | undefined {
  if (body === undefined) return undefined;
  const parsed = tryOr(() => JSON.parse(body) as unknown, undefined);
  const rows = (Array.isArray(parsed) ? parsed : [parsed]).filter((row: unknown) => isJsonObject(row));
  if (rows.length === 0) return undefined;
  const entries = rows.flatMap((row) => Object.entries(row));
  const values = entries.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return { names: new Set(entries.map(([name]) => name)), values: new Set(values) };
}
