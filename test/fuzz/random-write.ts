// Schema cache × dice → one write or call: every method, preference and kind of body, mostly sound, now and then broken.
import type { Relation, Routine, SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { Dice } from './dice.ts';
import type { Question } from './http-client.ts';
import { randomBody, type Field } from './random-body.ts';
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
const RARE_PREFERENCES = ['timezone=Mars/Phobos', 'params=single-object', 'blue', ''];
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
/** Wait, raise what they are told to, or give as many rows as they are told to. */
const LEFT_OUT = new Set(['slow', 'boom', 'boom_rows', 'numbers', 'upto']);

export class WriteMaker {
  readonly #schema: SchemaModel;
  readonly #relations: readonly Relation[];
  readonly #routines: readonly Routine[];

  constructor(cache: SchemaCache) {
    this.#schema = modelSchema(cache, 'api');
    this.#relations = [...(cache.relations.get('api')?.values() ?? [])];
    const routines = [...(cache.routines.get('api')?.values() ?? [])].flat();
    this.#routines = routines.filter(({ name }) => !LEFT_OUT.has(name.name));
  }

  make(dice: Dice): Question {
    const question = dice.chance(0.25) ? this.#call(dice) : this.#write(dice);
    const headers = { ...randomHeaders(dice), ...question.headers };
    return dice.chance(0.03) ? { ...question, headers, url: breakUrl(dice, question.url) } : { ...question, headers };
  }

  #write(dice: Dice): Question {
    const relation = dice.pick(this.#relations);
    const method = dice.pick(['POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PUT', 'PUT', 'DELETE']);
    const columns = [...relation.columns.values()]
      .filter(({ isGenerated }) => !isGenerated || dice.chance(0.05))
      .map(({ name, nominalType }) => ({ name, type: nominalType }));
    const key = method === 'PUT' ? randomKey(dice, relation) : [];
    const query = [
      ...(method === 'POST' ? this.#insertQuery(dice, relation) : []),
      ...(method === 'PATCH' || method === 'DELETE' ? this.#filters(dice, columns) : []),
      ...key.map(({ name, value }) => `${encode(name)}=${dice.chance(0.97) ? 'eq' : 'gt'}.${encode(asText(value))}`),
      ...(dice.chance(0.15) ? [`columns=${encode(pickNames(dice, columns).join())}`] : []),
      ...(dice.chance(0.35) ? [this.#shown(dice, relation)] : []),
    ];
    const url = `/${encodeURIComponent(relation.name.name)}?${query.filter(Boolean).join('&')}`;
    if (method === 'DELETE' && dice.chance(0.9)) return { method, url, headers: {} };
    const others = columns.filter(({ name }) => key.every((one) => one.name !== name));
    const fields = dice.chance(0.5) ? pickColumns(dice, others) : others;
    return { method, url, ...randomBody(dice, dice.chance(0.05) ? fields : [...key, ...fields]) };
  }

  #insertQuery(dice: Dice, { columns, primaryKey }: Relation): readonly string[] {
    if (!dice.chance(0.15)) return [];
    return [`on_conflict=${encode(dice.pick([primaryKey.join(), 'code', [...columns.keys()].join(), 'nosuch', '']))}`];
  }

  #filters(dice: Dice, columns: readonly Field[]): readonly string[] {
    return dice.list(0, 2, () => {
      const { name, type } = dice.pick(columns);
      return `${encode(name)}=${encode(randomOperation(dice, type, false))}`;
    });
  }

  #shown(dice: Dice, { name }: Relation): string {
    const model = this.#schema.get(name.name);
    return model === undefined ? 'select=*' : randomQuery(dice, this.#schema, model);
  }

  #call(dice: Dice): Question {
    const { name, parameters, result } = dice.pick(this.#routines);
    const given = parameters
      .filter(({ isRequired }) => isRequired || dice.chance(0.5))
      .filter(() => !dice.chance(0.04));
    const fields = given.map((parameter) => ({ name: parameter.name, type: parameter.type }));
    const extra = dice.chance(0.04) ? [{ name: 'nosuch', type: 'text' }] : [];
    const row = result.kind === 'composite' ? result.rowType : undefined;
    const model = row && this.#schema.get(row.name);
    const shown = model !== undefined && dice.chance(0.4) ? randomQuery(dice, this.#schema, model) : '';
    const path = `/rpc/${encodeURIComponent(name.name)}`;
    if (dice.chance(0.35)) {
      const pairs = [...fields, ...extra].map(
        (field) => `${encode(field.name)}=${encode(asText(randomValue(dice, field.type)))}`,
      );
      const method = dice.chance(0.15) ? 'HEAD' : 'GET';
      return { method, url: `${path}?${[...pairs, shown].filter(Boolean).join('&')}`, headers: {} };
    }
    return { method: 'POST', url: `${path}?${shown}`, ...randomBody(dice, [...fields, ...extra]) };
  }
}

/** The key of one row, mostly all of it. */
function randomKey(dice: Dice, { primaryKey, columns }: Relation): readonly Required<Field>[] {
  return primaryKey
    .filter(() => !dice.chance(0.02))
    .map((name) => {
      const type = columns.get(name)?.nominalType ?? 'text';
      return { name, type, value: randomValue(dice, type) };
    });
}

function pickColumns(dice: Dice, columns: readonly Field[]): readonly Field[] {
  const picked = columns.filter(() => dice.chance(0.6));
  return dice.chance(0.04) ? [...picked, { name: 'nosuch', type: 'text' }] : picked;
}

function pickNames(dice: Dice, columns: readonly Field[]): readonly string[] {
  return pickColumns(dice, columns).map(({ name }) => `"${name}"`);
}

function randomHeaders(dice: Dice): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const prefer = (): string => dice.pick(dice.chance(0.02) ? RARE_PREFERENCES : PREFERENCES);
  if (dice.chance(0.7)) headers['Prefer'] = dice.list(1, 4, prefer).join(', ');
  if (dice.chance(0.2)) headers['Accept'] = dice.pick(ACCEPTS);
  if (dice.chance(0.03)) headers['Content-Profile'] = dice.pick(['api', 'api', 'x']);
  if (dice.chance(0.03)) headers['Range'] = dice.pick(['0-1', '3-2', 'x']);
  return headers;
}

function breakUrl(dice: Dice, url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/su);
  return `${path}?${breakText(dice, query)}`;
}
