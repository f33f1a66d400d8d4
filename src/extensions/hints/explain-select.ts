// Adds what a part of `select` that cannot be parsed, such as `residents.name`, seems to mean: an embed of a relation that
// the role may use, or a member of a JSON column. Queries the visible names, for errors only.
import { findRelation, type Relationship } from '../../catalog/schema-cache.ts';
import { isColumnVisible, isRelationshipVisible } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { HttpRequest } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { spellParameter } from '../../errors/query-hints.ts';
import { resolveProfile } from '../../request/profile.ts';
import { parseTarget } from '../../request/target.ts';
import { type EmbedRequest, relationshipsFrom, resolveRelationship } from '../../plan/levels/resolve-relationship.ts';
import type { ParseErrorContext } from './explain-path.ts';

export async function explainSelect(
  error: ApiError,
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  { schemas, cache, findVisible }: ParseErrorContext,
): Promise<ApiError> {
  if (error.kind !== 'queryParse' || error.context !== 'select parameter') return error;
  const part = readPart(error.text, error.column);
  const target = parseTarget(path);
  const profile = resolveProfile(method, headers, schemas);
  if (part === undefined || !target.ok || target.value.kind !== 'relation' || !profile.ok) return error;
  const { schema } = profile.value;
  const visible = await findVisible();
  const base = { cache, visible, schema, hint: undefined };
  const origin = findOrigin({ schema, name: target.value.name }, openEmbeds(part.before), base);
  const remedy = origin && findRemedy(part, { ...base, origin, requested: origin.name, target: part.name });
  return remedy === undefined ? error : { ...error, remedy };
}

interface Part {
  readonly before: string;
  readonly after: string;
  readonly name: string;
  /** What seems to be selected of `name`. */
  readonly list: string;
  /** `name.list` */
  readonly isDotted: boolean;
}

/** Longer texts come from programs. */
const MAX_LENGTH = 1000;

/** `name.column`, `name/column`, `name[column,column]` or `name{column,column}`. */
const PART = /([\w$]{1,63})(?:([./])([\w$]{1,63}|\*)|:?[[{]([a-z_*][\w$*, ]{0,99})[\]}])\s*(?=[,)]|$)/iuy;

/** @param column where the text cannot be parsed, counted from 1 */
function readPart(text: string, column: number): Part | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  PART.lastIndex = Math.max(...[',', '('].map((opening) => text.lastIndexOf(opening, column - 2))) + 1;
  const before = text.slice(0, PART.lastIndex);
  const [whole = '', name, mark, member, list = member] = PART.exec(text) ?? [];
  if (name === undefined || list === undefined) return undefined;
  return { before, after: text.slice(before.length + whole.length), name, list, isDotted: mark === '.' };
}

/** Lists the embeds that contain what follows the text. */
function openEmbeds(text: string): readonly string[] {
  const open: string[] = [];
  for (const [, name] of text.matchAll(/([\w$]*)(?:![\w$]+)*\(|\)/gu)) {
    if (name === undefined) open.pop();
    else open.push(name);
  }
  return open;
}

type Context = Omit<EmbedRequest, 'origin' | 'requested' | 'target'>;

function findOrigin(start: QualifiedName, path: readonly string[], context: Context): QualifiedName | undefined {
  let origin = start;
  for (const target of path) {
    const found = resolveRelationship({ ...context, origin, requested: origin.name, target });
    if (!found.ok) return undefined;
    origin = found.value.target;
  }
  return origin;
}

/** Longer lists are not repeated. */
const MAX_NAMES = 20;

function findRemedy({ before, after, name, list, isDotted }: Part, request: EmbedRequest): string | undefined {
  const write = (part: string): string => spellParameter('select', `${before}${part}${after}`) ?? `write ${part}`;
  const found = resolveRelationship(request);
  if (found.ok || found.error.kind === 'relationshipAmbiguous')
    return `To embed '${name}', ${write(`${name}(${list})`)}`;
  const columns = findRelation(request.cache, request.origin)?.columns;
  const isColumn = (column: string): boolean =>
    columns?.has(column) === true && isColumnVisible(request.visible, request.origin, column);
  if (isColumn(`${name}.${list}`)) return undefined;
  const type = isColumn(name) ? columns?.get(name)?.type : undefined;
  if (isDotted && (type === 'json' || type === 'jsonb'))
    return `To select a member of JSON, ${write(`${name}->${list}`)}`;
  const similar = found.error.kind === 'relationshipNotFound' ? found.error.suggestion : undefined;
  if (similar?.of === name)
    return `Perhaps you meant '${similar.instead}'. To embed it, ${write(`${similar.instead}(${list})`)}`;
  const usable = relationshipsFrom(request).filter((each) => isRelationshipVisible(request.visible, each));
  const names = [...new Set(usable.map(nameOf))];
  if (names.length === 0 || names.length > MAX_NAMES) return undefined;
  return `'${request.origin.name}' has no relationship '${name}'. It can embed: ${names.join(', ')}`;
}

/** The name under which `select` embeds it. */
function nameOf(relationship: Relationship): string {
  return relationship.kind === 'computed' ? relationship.routine.name : relationship.target.name;
}
