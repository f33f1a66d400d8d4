// Names what a plan changes, for one line in the terminal (`project.md` §2 item 9).
import { describeObject, type ObjectId } from './object-id.ts';
import type { Plan } from './schema-delta.ts';
type Sign = '+' | '-' | '~';

const SHOWN = 8;

/** @returns `+ table items, ~ policy own_orders`; undefined if nothing changes */
export function describeChanges({ deltas }: Pick<Plan, 'deltas'>, schemas: readonly string[]): string | undefined {
  const plain = new Set(schemas);
  const signs = new Map<string, Sign>();
  const ends = deltas.flatMap((delta) => (delta.verb === 'add' || delta.verb === 'remove' ? [delta.fact.id] : []));
  const whole = new Set(ends.map((id) => JSON.stringify(id)));
  for (const delta of deltas) {
    const { id, sign } = readDelta(delta);
    if (sign === '~' && whole.has(JSON.stringify(id))) continue;
    const shown = findShown(id, whole);
    if (shown === undefined) continue;
    const name = describeObject(shown, plain);
    const isOwn = shown === id;
    const known = signs.get(name);
    signs.set(name, isOwn && (known === undefined || known === sign) ? sign : '~');
  }
  const names = [...signs].map(([name, sign]) => `${sign} ${name}`);
  if (names.length === 0) return undefined;
  const rest = names.length - SHOWN;
  return [...names.slice(0, SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function readDelta(delta: Plan['deltas'][number]): { readonly id: ObjectId; readonly sign: Sign } {
  switch (delta.verb) {
    case 'add':
      return { id: delta.fact.id, sign: '+' };
    case 'remove':
      return { id: delta.fact.id, sign: '-' };
    case 'set':
      return { id: delta.id, sign: '~' };
    case 'link':
    case 'unlink':
      return { id: delta.edge.from, sign: '~' };
  }
}

/**
 * Returns the object that is named instead of a part of it; undefined if a whole object contains it that appears or
 * disappears.
 */
function findShown(id: ObjectId, whole: ReadonlySet<string>): ObjectId | undefined {
  const container = containerOf(id);
  if (container === undefined) return id;
  if (isWithin(container, whole)) return undefined;
  return id.kind === 'default' ? container : id;
}

function isWithin(id: ObjectId, whole: ReadonlySet<string>): boolean {
  if (whole.has(JSON.stringify(id))) return true;
  const container = containerOf(id);
  return container !== undefined && isWithin(container, whole);
}

function containerOf(id: ObjectId): ObjectId | undefined {
  if ('target' in id) return id.target;
  if (id.kind === 'default') return { kind: 'column', schema: id.schema, table: id.table, name: id.name };
  if ('table' in id && id.kind !== 'publicationRel') return { kind: 'table', schema: id.schema, name: id.table };
  if (id.kind === 'typeAttribute') return { kind: 'type', schema: id.schema, name: id.type };
  return undefined;
}
