// Random forms of writing that only extensions know: upserts in full, operations on stored values, and bodies whose
// elements find their rows (`beyond.md` §2.3, §2.4, §2.6).
import type { Relation } from '../../../src/catalog/schema-cache.ts';
import type { Body, Field } from './random-body.ts';
import type { Random } from './random.ts';
import { breakText, encode } from './random-request.ts';
import { randomValue } from './write-values.ts';

const OPERATIONS = ['$add', '$add', '$append', '$remove', '$merge', '$set', '$nosuch', '$'];
const PATCH_TYPES = ['application/merge-patch+json', 'application/vnd.svc.patch+json'];
const DOCUMENTS = ['{"a":1}', '{"a":{"b":null,"c":[1]}}', '{"a":null}', '{}'];

/** Returns parameters of an insert: what decides conflicts, and what they change. */
export function randomConflict(random: Random, { columns, primaryKey, uniqueIndexes }: Relation): readonly string[] {
  const names = [...columns.keys()];
  const indexes = uniqueIndexes.map(({ name }) => `!"${name}"`);
  const targets = [primaryKey.join(), 'code', names.join(), 'nosuch', '', '*', '!nosuch', '!', ...indexes];
  return [
    ...(random.chance(0.2) ? [`on_conflict=${encode(random.pick(targets))}`] : []),
    ...(random.chance(0.1) ? [`merge=${encode(random.list(0, 2, () => random.pick([...names, 'eq.1'])).join())}`] : []),
  ];
}

/** Returns the list of columns by which elements find their rows, usually the primary key. */
export function randomMatch(random: Random, { columns, primaryKey }: Relation): readonly string[] {
  if (primaryKey.length > 0 && random.chance(0.8)) return primaryKey;
  return random.list(0, 2, () => (random.chance(0.05) ? 'nosuch' : random.pick([...columns.keys(), 'id'])));
}

/** Returns a body of changes. With `match`, it is usually an array whose elements have different keys. */
export function randomChanges(random: Random, fields: readonly Field[], match: readonly Field[]): Body {
  const type = random.pick([undefined, ...PATCH_TYPES]);
  const element = (): string => {
    const keys = match.filter(() => !random.chance(0.03));
    const changes = fields.filter(() => random.chance(0.5));
    const members = [
      ...keys.map(({ name, type: of }) => `${JSON.stringify(name)}:${randomValue(random, of)}`),
      ...changes.map((field) => `${JSON.stringify(field.name)}:${randomChange(random, field, type)}`),
    ];
    return `{${members.join(',')}}`;
  };
  const isList = random.chance(match.length > 0 ? 0.8 : 0.1);
  const text = isList ? `[${random.list(0, 4, element).join()}]` : element();
  return {
    headers: type === undefined ? {} : { 'Content-Type': type },
    body: random.chance(0.03) ? breakText(random, text) : text,
  };
}

function randomChange(random: Random, { type }: Field, patchType: string | undefined): string {
  if (patchType === undefined || random.chance(0.3)) return randomValue(random, type);
  if (patchType === PATCH_TYPES[0]) return random.pick(DOCUMENTS);
  const operation = random.pick(OPERATIONS);
  const operand = random.chance(0.2) ? random.pick(DOCUMENTS) : randomValue(random, type);
  return `{"${operation}":${operand}}`;
}
