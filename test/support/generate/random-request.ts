// Generates a random read request from the grammar (`reading.md` §3), mostly valid, sometimes broken.
import type { Random } from './random.ts';
import {
  nameRelated,
  randomAggregate,
  randomColumnComparison,
  randomDistinct,
  randomHaving,
  randomLevels,
  randomScore,
} from './random-extensions.ts';
import { quote, randomOperation } from './random-values.ts';
import type { ColumnModel, EmbedModel, RelationModel, SchemaModel } from './schema-model.ts';

export interface FuzzRequest {
  readonly method: 'GET' | 'HEAD';
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Functions whose rows can be read like those of a relation. */
const FUNCTIONS: readonly (readonly [path: string, relation: string])[] = [
  ['rpc/boats_since?y=1990', 'boats'],
  ['rpc/boats_since?', 'boats'],
  ['rpc/one_boat?n=1', 'boats'],
];
const CASTS = [
  'text',
  'int',
  'numeric',
  'double precision',
  'json',
  'jsonb',
  '_text',
  'date',
  'nosuch',
  'boolean',
  '$1',
];
const KEYS = ['n', 'log', 'hull', 'k', 'deep', 'list', 'z', 'lat', '0a', 'a.b', '0', "it's", '__proto__'];
const ALIASES = ['x', 'y', 'label', 'count', '_1', 'größe', 'a b', 'quo"te', '__proto__', 'constructor', 'c1'];
const ACCEPTS = [
  'application/vnd.svc.object+json',
  'application/vnd.svc.array+json;nulls=stripped',
  'application/vnd.svc.plan+json',
  'text/csv',
  'application/geo+json',
  'text/html, */*;q=0.1',
];
const DEEPEST = 3;

export function randomRequest(random: Random, schema: SchemaModel): FuzzRequest {
  const isCall = random.chance(0.05);
  const [path, name] = isCall ? random.pick(FUNCTIONS) : pickRelation(random, schema);
  const relation = schema.get(name);
  if (relation === undefined) throw new Error(`no relation ${name}`);
  const start = isCall ? path : `${encodeURIComponent(path)}?`;
  const valid = randomQuery(random, schema, relation);
  const query = random.chance(0.1) ? breakText(random, valid) : valid;
  return { method: random.chance(0.1) ? 'HEAD' : 'GET', url: `/${start}&${query}`, headers: randomHeaders(random) };
}

/** Returns select, filters, order and window for a relation as a query string. */
export function randomQuery(random: Random, schema: SchemaModel, relation: RelationModel): string {
  const parameters = new RequestWriter(random, schema).write(relation);
  return parameters.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
}

function pickRelation(random: Random, schema: SchemaModel): readonly [string, string] {
  const name = random.pick([...schema.keys()]);
  return [name, name];
}

function randomHeaders(random: Random): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (random.chance(0.15)) headers['Prefer'] = `count=${random.pick(['exact', 'planned', 'estimated'])}`;
  if (random.chance(0.06)) headers['Prefer'] = 'paging=cursor';
  if (random.chance(0.1)) headers['Accept'] = random.pick(ACCEPTS);
  if (random.chance(0.05)) headers['Range'] = random.pick(['0-1', '1-', '3-2', '5-9', 'x']);
  return headers;
}

type Parameter = readonly [name: string, value: string];

class RequestWriter {
  readonly #random: Random;
  readonly #schema: SchemaModel;
  readonly #parameters: Parameter[] = [];

  constructor(random: Random, schema: SchemaModel) {
    this.#random = random;
    this.#schema = schema;
  }

  write(relation: RelationModel): readonly Parameter[] {
    if (this.#random.chance(0.85)) this.#parameters.push(['select', this.#level(relation, '')]);
    else this.#addressed(relation, '', []);
    return this.#parameters;
  }

  /** Returns the select list of one level; also writes the parameters that address the level. */
  #level(relation: RelationModel, path: string): string {
    const random = this.#random;
    const depth = path.split('.').length - 1;
    const embedded: [string, EmbedModel][] = [];
    const items = random.list(depth > 0 ? 0 : 1, 4, () => {
      const canEmbed = depth < DEEPEST && relation.embeds.length > 0;
      if (!canEmbed || !random.chance(0.35)) return this.#columnItem(relation);
      const embed = random.pick(relation.embeds);
      const [text, key] = this.#embedItem(relation, embed, path);
      embedded.push([key, embed]);
      return text;
    });
    this.#addressed(relation, path, embedded);
    return items.join(random.chance(0.05) ? ' , ' : ',');
  }

  #embedItem(relation: RelationModel, embed: EmbedModel, path: string): readonly [text: string, key: string] {
    const random = this.#random;
    const isSpread = random.chance(0.25);
    const alias = !isSpread && random.chance(0.3) ? random.pick(ALIASES) : undefined;
    const key = alias ?? embed.target;
    const below = this.#schema.get(embed.relation);
    const list = below === undefined ? '*' : this.#level(below, `${path}${showName(key)}.`);
    const hint = embed.hint === undefined ? '' : `!${showName(embed.hint)}`;
    const join = random.chance(0.3) ? random.pick(['!inner', '!left']) : '';
    const start = isSpread ? '...' : alias === undefined ? '' : `${showName(alias)}:`;
    const levels = randomLevels(random, relation, embed);
    return [`${start}${showName(embed.target)}${hint}${join}${levels}(${list})`, key];
  }

  #columnItem(relation: RelationModel): string {
    const random = this.#random;
    if (random.chance(0.2)) return '*';
    if (random.chance(0.03)) return 'count()';
    const column = random.pick(relation.columns);
    const alias = random.chance(0.2) ? `${showName(random.pick(ALIASES))}:` : '';
    const cast = random.chance(0.1) ? `::${random.pick(CASTS)}` : '';
    const aggregate = random.chance(0.06) ? `.${randomAggregate(random)}${random.chance(0.2) ? '::text' : ''}` : '';
    return `${alias}${this.#field(column)}${cast}${aggregate}`;
  }

  #field(column: ColumnModel): string {
    const isDeep = /json|\[\]|place/u.test(column.type) ? 0.5 : 0.02;
    if (!this.#random.chance(isDeep)) return showName(column.name);
    const steps = this.#random.list(1, 3, () => {
      const operand = this.#random.chance(0.4)
        ? this.#random.pick(['0', '1', '-1', '7'])
        : showKey(this.#random.pick(KEYS));
      return `${this.#random.chance(0.85) ? '->' : '->>'}${operand}`;
    });
    return showName(column.name) + steps.join('');
  }

  /** Writes filters, trees, order and window of a level. */
  #addressed(relation: RelationModel, path: string, embeds: readonly (readonly [string, EmbedModel])[]): void {
    const random = this.#random;
    for (let count = random.roll(3); count > 0; count -= 1) this.#filter(relation, path);
    for (const [key] of embeds) {
      if (random.chance(0.2))
        this.#parameters.push([`${path}${showName(key)}`, random.pick(['is.null', 'not.is.null'])]);
    }
    if (random.chance(0.15))
      this.#parameters.push([`${path}${random.pick(['and', 'or', 'not.or'])}`, this.#tree(relation, embeds, 0)]);
    if (random.chance(0.35)) this.#parameters.push([`${path}order`, this.#order(relation, embeds)]);
    if (random.chance(0.04)) this.#parameters.push([`${path}distinct`, randomDistinct(random, relation.columns)]);
    if (random.chance(0.04)) this.#parameters.push([`${path}score`, randomScore(random, relation.columns)]);
    if (random.chance(0.2)) this.#parameters.push([`${path}limit`, random.pick(['0', '1', '2', '10', '-1', 'x', ''])]);
    if (random.chance(0.1))
      this.#parameters.push([`${path}offset`, random.pick(['0', '1', '100', '-1', '9007199254740993'])]);
  }

  #filter(relation: RelationModel, path: string): void {
    const column = this.#random.pick(relation.columns);
    const name = this.#random.chance(0.03) ? 'nosuch' : this.#field(column);
    const type = name.includes('->') ? 'jsonb' : column.type;
    if (this.#random.chance(0.04)) {
      const [aggregate, value] = randomHaving(this.#random, name);
      this.#parameters.push([`${path}${aggregate}`, value]);
    } else if (this.#random.chance(0.06)) {
      this.#parameters.push([`${path}${name}`, randomColumnComparison(this.#random, relation.columns)]);
    } else this.#parameters.push([`${path}${name}`, randomOperation(this.#random, type, false)]);
  }

  #tree(relation: RelationModel, embeds: readonly (readonly [string, EmbedModel])[], depth: number): string {
    const random = this.#random;
    const nodes = random.list(1, 3, () => {
      const [embed] = embeds.length > 0 ? random.pick(embeds) : [undefined];
      if (embed !== undefined && random.chance(0.3))
        return `${showName(embed)}.${random.pick(['is.null', 'not.is.null'])}`;
      if (depth < DEEPEST && random.chance(0.25))
        return `${random.pick(['', 'not.'])}${random.pick(['and', 'or'])}${this.#tree(relation, embeds, depth + 1)}`;
      if (depth < DEEPEST && relation.embeds.length > 0 && random.chance(0.15))
        return this.#related(random.pick(relation.embeds), depth + 1);
      const column = random.pick(relation.columns);
      const name = this.#field(column);
      if (random.chance(0.05)) return `${name}.${randomColumnComparison(random, relation.columns)}`;
      return `${name}.${randomOperation(random, name.includes('->') ? 'jsonb' : column.type, true)}`;
    });
    return `(${nodes.join(',')})`;
  }

  /** A member that a related row fulfils. */
  #related(embed: EmbedModel, depth: number): string {
    const random = this.#random;
    const target = this.#schema.get(embed.relation);
    const not = random.chance(0.2) ? 'not.' : '';
    if (target === undefined) return `${not}${nameRelated(embed)}.id.eq.1`;
    if (random.chance(0.4))
      return `${not}${nameRelated(embed)}.${random.pick(['and', 'or'])}${this.#tree(target, [], depth)}`;
    const column = random.pick(target.columns);
    return `${not}${nameRelated(embed)}.${showName(column.name)}.${randomOperation(random, column.type, true)}`;
  }

  #order(relation: RelationModel, embeds: readonly (readonly [string, EmbedModel])[]): string {
    const random = this.#random;
    const terms = random.list(1, 2, () => {
      const [key, embed] = embeds.length > 0 ? random.pick(embeds) : [undefined, undefined];
      const target = embed && this.#schema.get(embed.relation);
      const isRelated = key !== undefined && target !== undefined && (embed?.isToOne ?? false) && random.chance(0.5);
      const field = isRelated
        ? `${showName(key)}(${this.#field(random.pick(target.columns))})`
        : this.#field(random.pick(relation.columns));
      const aggregate = random.chance(0.03) ? `.${randomAggregate(random)}` : '';
      return `${field}${aggregate}${random.pick(['', '', '.asc', '.desc'])}${random.pick(['', '', '.nullsfirst', '.nullslast'])}`;
    });
    return terms.join(',');
  }
}

/** Leaves the name unquoted if the grammar allows it. */
function showName(name: string): string {
  return /^[\p{L}0-9_$]+$/u.test(name) ? name : quote(name);
}

function showKey(key: string): string {
  return /^[A-Za-z_]\w*$/u.test(key) || key === '0a' ? key : quote(key);
}

export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}

const PIECES = [
  ',',
  '(',
  ')',
  '.',
  ':',
  '::',
  '"',
  '\\',
  '->',
  '->>',
  '!',
  '*',
  '{',
  '}',
  '&',
  '=',
  '%',
  '%zz',
  '%00',
  '%ff',
  '+',
  '-',
  '..',
  '...',
  'not.',
  'count()',
  ';',
  '\u{1F600}',
];

/** Cuts out, doubles or replaces one to three places. */
export function breakText(random: Random, text: string): string {
  let broken = text;
  for (let times = 1 + random.roll(3); times > 0; times -= 1) {
    const at = random.roll(broken.length + 1);
    const end = at + random.roll(4);
    const replacement = random.pick([
      '',
      broken.slice(at, end).repeat(2),
      encodeURI(random.pick(PIECES)),
      random.pick(PIECES),
    ]);
    broken = broken.slice(0, at) + replacement + broken.slice(end);
  }
  return broken.replaceAll(/\p{Surrogate}/gu, '').replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
}
