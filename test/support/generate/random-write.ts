// Generates a random write or call: every method, preference and kind of body, mostly valid, sometimes broken.
import type { Relation, Routine, SchemaCache } from '../../../src/catalog/schema-cache.ts';
import type { Random } from './random.ts';
import type { Question } from '../http-client.ts';
import { randomBatch } from './random-batch.ts';
import { randomBody, type Field } from './random-body.ts';
import { randomChanges, randomConflict, randomMatch } from './random-changes.ts';
import { breakText, encode, randomQuery } from './random-request.ts';
import { randomOperation } from './random-values.ts';
import { modelSchema, type SchemaModel } from './schema-model.ts';
import { asText, randomValue } from './write-values.ts';

const PREFERENCES = [
  'return=representation',
  'return=representation',
  'return=minimal',
  'return=headers-only',
  'resolution=merge-duplicates',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'resolution=keep-duplicates',
  'inserted=true',
  'unmatched=fail',
  'missing=default',
  'missing=null',
  'count=exact',
  'count=planned',
  'count=estimated',
  'handling=strict',
  'handling=lenient',
  'max-affected=0',
  'max-affected=2',
  'max-affected=x',
  'tx=commit',
  'tx=rollback',
  'timezone=Europe/Oslo',
  'timezone=-03:00',
];
const RARE_PREFERENCES = ['isolation=serializable', 'timezone=Mars/Phobos', 'params=single-object', 'blue', ''];
const ACCEPTS = [
  'application/vnd.svc.object+json',
  'application/vnd.svc.object+json;nulls=stripped',
  'application/vnd.svc.array+json;nulls=stripped',
  'application/vnd.svc.plan+json;options=analyze|verbose',
  'text/csv',
  'application/x-lines',
  'image/png',
  'text/html, */*;q=0.1',
];
/** Few, so that requests meet each other's keys. */
const IDEMPOTENCY_KEYS = ['a', '"b c"', '"d"', 'e', 'f', 'ü', '', 'g'.repeat(300)];
/** Excludes functions that wait, raise requested errors, or return a requested number of rows. */
const EXCLUDED = new Set(['slow', 'boom', 'boom_rows', 'numbers', 'upto']);

export class WriteMaker {
  readonly #schema: SchemaModel;
  readonly #relations: readonly Relation[];
  readonly #routines: readonly Routine[];

  constructor(cache: SchemaCache) {
    this.#schema = modelSchema(cache, 'api');
    this.#relations = [...(cache.relations.get('api')?.values() ?? [])];
    const routines = [...(cache.routines.get('api')?.values() ?? [])].flat();
    this.#routines = routines.filter(({ name }) => !EXCLUDED.has(name.name));
  }

  make(random: Random): Question {
    const question = random.chance(0.1) ? randomBatch(random, (inner) => this.#makeOne(inner)) : this.#makeOne(random);
    const key = random.pick(IDEMPOTENCY_KEYS);
    return random.chance(0.05)
      ? { ...question, headers: { ...question.headers, 'Idempotency-Key': Buffer.from(key).toString('latin1') } }
      : question;
  }

  #makeOne(random: Random): Question {
    const question = random.chance(0.25) ? this.#call(random) : this.#write(random);
    const headers = { ...randomHeaders(random), ...question.headers };
    return random.chance(0.03)
      ? { ...question, headers, url: breakUrl(random, question.url) }
      : { ...question, headers };
  }

  #write(random: Random): Question {
    const relation = random.pick(this.#relations);
    const method = random.pick(['POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PUT', 'PUT', 'DELETE']);
    const columns = [...relation.columns.values()]
      .filter(({ isGenerated }) => !isGenerated || random.chance(0.05))
      .map(({ name, nominalType }) => ({ name, type: nominalType }));
    const key = method === 'PUT' ? randomKey(random, relation) : [];
    const hasChanges = method === 'PATCH' && random.chance(0.5);
    const match = hasChanges && random.chance(0.7) ? randomMatch(random, relation) : undefined;
    const query = [
      ...(match === undefined ? [] : [`match=${encode(match.join())}`]),
      ...(method === 'POST' ? randomConflict(random, relation) : []),
      ...(method === 'PATCH' || method === 'DELETE' ? this.#filters(random, columns) : []),
      ...key.map(({ name, value }) => `${encode(name)}=${random.chance(0.97) ? 'eq' : 'gt'}.${encode(asText(value))}`),
      ...(random.chance(0.15) ? [`columns=${encode(pickNames(random, columns).join())}`] : []),
      ...(random.chance(0.35) ? [this.#shown(random, relation)] : []),
    ];
    const url = `/${encodeURIComponent(relation.name.name)}?${query.filter(Boolean).join('&')}`;
    if (method === 'DELETE' && random.chance(0.9)) return { method, url, headers: {} };
    if (hasChanges) {
      const keys = (match ?? []).map((name) => ({ name, type: relation.columns.get(name)?.nominalType ?? 'int' }));
      return { method, url, ...randomChanges(random, columns, keys) };
    }
    const others = columns.filter(({ name }) => key.every((one) => one.name !== name));
    const fields = random.chance(0.5) ? pickColumns(random, others) : others;
    return { method, url, ...randomBody(random, random.chance(0.05) ? fields : [...key, ...fields]) };
  }

  #filters(random: Random, columns: readonly Field[]): readonly string[] {
    return random.list(0, 2, () => {
      const { name, type } = random.pick(columns);
      return `${encode(name)}=${encode(randomOperation(random, type, false))}`;
    });
  }

  #shown(random: Random, { name }: Relation): string {
    const model = this.#schema.get(name.name);
    return model === undefined ? 'select=*' : randomQuery(random, this.#schema, model);
  }

  #call(random: Random): Question {
    const { name, parameters, result } = random.pick(this.#routines);
    const given = parameters
      .filter(({ isRequired }) => isRequired || random.chance(0.5))
      .filter(() => !random.chance(0.04));
    const fields = given.map((parameter) => ({ name: parameter.name, type: parameter.type }));
    const extra = random.chance(0.04) ? [{ name: 'nosuch', type: 'text' }] : [];
    const row = result.kind === 'composite' ? result.rowType : undefined;
    const model = row && this.#schema.get(row.name);
    const shown = model !== undefined && random.chance(0.4) ? randomQuery(random, this.#schema, model) : '';
    const path = `/rpc/${encodeURIComponent(name.name)}`;
    if (random.chance(0.35)) {
      const pairs = [...fields, ...extra].map(
        (field) => `${encode(field.name)}=${encode(asText(randomValue(random, field.type)))}`,
      );
      const method = random.chance(0.15) ? 'HEAD' : 'GET';
      return { method, url: `${path}?${[...pairs, shown].filter(Boolean).join('&')}`, headers: {} };
    }
    return { method: 'POST', url: `${path}?${shown}`, ...randomBody(random, [...fields, ...extra]) };
  }
}

/** Returns the key of one row, usually complete. */
function randomKey(random: Random, { primaryKey, columns }: Relation): readonly Required<Field>[] {
  return primaryKey
    .filter(() => !random.chance(0.02))
    .map((name) => {
      const type = columns.get(name)?.nominalType ?? 'text';
      return { name, type, value: randomValue(random, type) };
    });
}

function pickColumns(random: Random, columns: readonly Field[]): readonly Field[] {
  const picked = columns.filter(() => random.chance(0.6));
  return random.chance(0.04) ? [...picked, { name: 'nosuch', type: 'text' }] : picked;
}

function pickNames(random: Random, columns: readonly Field[]): readonly string[] {
  return pickColumns(random, columns).map(({ name }) => `"${name}"`);
}

function randomHeaders(random: Random): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const prefer = (): string => random.pick(random.chance(0.02) ? RARE_PREFERENCES : PREFERENCES);
  if (random.chance(0.7)) headers['Prefer'] = random.list(1, 4, prefer).join(', ');
  if (random.chance(0.2)) headers['Accept'] = random.pick(ACCEPTS);
  if (random.chance(0.03)) headers['Content-Profile'] = random.pick(['api', 'api', 'x']);
  if (random.chance(0.03)) headers['Range'] = random.pick(['0-1', '3-2', 'x']);
  return headers;
}

function breakUrl(random: Random, url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/su);
  return `${path}?${breakText(random, query)}`;
}
