// Schema model × dice → one read request: from the grammar (`reading.md` §3), mostly sound, now and then broken.
import type { Dice } from './dice.ts';
import { quote, randomOperation } from './random-values.ts';
import type { ColumnModel, EmbedModel, RelationModel, SchemaModel } from './schema-model.ts';

export interface FuzzRequest {
  readonly method: 'GET' | 'HEAD';
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Functions whose rows read like a relation's. */
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
const AGGREGATES = ['sum', 'avg', 'max', 'min', 'count'];
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

export function randomRequest(dice: Dice, schema: SchemaModel): FuzzRequest {
  const isCall = dice.chance(0.05);
  const [path, name] = isCall ? dice.pick(FUNCTIONS) : pickRelation(dice, schema);
  const relation = schema.get(name);
  if (relation === undefined) throw new Error(`no relation ${name}`);
  const start = isCall ? path : `${encodeURIComponent(path)}?`;
  const sound = randomQuery(dice, schema, relation);
  const query = dice.chance(0.1) ? breakText(dice, sound) : sound;
  return { method: dice.chance(0.1) ? 'HEAD' : 'GET', url: `/${start}&${query}`, headers: randomHeaders(dice) };
}

/** Select, filters, order and window of a relation, as a query string. */
export function randomQuery(dice: Dice, schema: SchemaModel, relation: RelationModel): string {
  const parameters = new RequestWriter(dice, schema).write(relation);
  return parameters.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
}

function pickRelation(dice: Dice, schema: SchemaModel): readonly [string, string] {
  const name = dice.pick([...schema.keys()]);
  return [name, name];
}

function randomHeaders(dice: Dice): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (dice.chance(0.15)) headers['Prefer'] = `count=${dice.pick(['exact', 'planned', 'estimated'])}`;
  if (dice.chance(0.1)) headers['Accept'] = dice.pick(ACCEPTS);
  if (dice.chance(0.05)) headers['Range'] = dice.pick(['0-1', '1-', '3-2', '5-9', 'x']);
  return headers;
}

type Parameter = readonly [name: string, value: string];

class RequestWriter {
  readonly #dice: Dice;
  readonly #schema: SchemaModel;
  readonly #parameters: Parameter[] = [];

  constructor(dice: Dice, schema: SchemaModel) {
    this.#dice = dice;
    this.#schema = schema;
  }

  write(relation: RelationModel): readonly Parameter[] {
    if (this.#dice.chance(0.85)) this.#parameters.push(['select', this.#level(relation, '')]);
    else this.#addressed(relation, '', []);
    return this.#parameters;
  }

  /** Select list of one level; what is addressed to it is written on the way. */
  #level(relation: RelationModel, path: string): string {
    const dice = this.#dice;
    const depth = path.split('.').length - 1;
    const embedded: [string, EmbedModel][] = [];
    const items = dice.list(depth > 0 ? 0 : 1, 4, () => {
      const canEmbed = depth < DEEPEST && relation.embeds.length > 0;
      if (!canEmbed || !dice.chance(0.35)) return this.#columnItem(relation);
      const embed = dice.pick(relation.embeds);
      const [text, key] = this.#embedItem(embed, path);
      embedded.push([key, embed]);
      return text;
    });
    this.#addressed(relation, path, embedded);
    return items.join(dice.chance(0.05) ? ' , ' : ',');
  }

  #embedItem(embed: EmbedModel, path: string): readonly [text: string, key: string] {
    const dice = this.#dice;
    const isSpread = dice.chance(0.25);
    const alias = !isSpread && dice.chance(0.3) ? dice.pick(ALIASES) : undefined;
    const key = alias ?? embed.target;
    const below = this.#schema.get(embed.relation);
    const list = below === undefined ? '*' : this.#level(below, `${path}${showName(key)}.`);
    const hint = embed.hint === undefined ? '' : `!${showName(embed.hint)}`;
    const join = dice.chance(0.3) ? dice.pick(['!inner', '!left']) : '';
    const start = isSpread ? '...' : alias === undefined ? '' : `${showName(alias)}:`;
    return [`${start}${showName(embed.target)}${hint}${join}(${list})`, key];
  }

  #columnItem(relation: RelationModel): string {
    const dice = this.#dice;
    if (dice.chance(0.2)) return '*';
    if (dice.chance(0.03)) return 'count()';
    const column = dice.pick(relation.columns);
    const alias = dice.chance(0.2) ? `${showName(dice.pick(ALIASES))}:` : '';
    const cast = dice.chance(0.1) ? `::${dice.pick(CASTS)}` : '';
    const aggregate = dice.chance(0.06) ? `.${dice.pick(AGGREGATES)}()${dice.chance(0.2) ? '::text' : ''}` : '';
    return `${alias}${this.#field(column)}${cast}${aggregate}`;
  }

  #field(column: ColumnModel): string {
    const isDeep = /json|\[\]|place/u.test(column.type) ? 0.5 : 0.02;
    if (!this.#dice.chance(isDeep)) return showName(column.name);
    const steps = this.#dice.list(1, 3, () => {
      const operand = this.#dice.chance(0.4) ? this.#dice.pick(['0', '1', '-1', '7']) : showKey(this.#dice.pick(KEYS));
      return `${this.#dice.chance(0.85) ? '->' : '->>'}${operand}`;
    });
    return showName(column.name) + steps.join('');
  }

  /** Filters, trees, order and window of a level. */
  #addressed(relation: RelationModel, path: string, embeds: readonly (readonly [string, EmbedModel])[]): void {
    const dice = this.#dice;
    for (let count = dice.roll(3); count > 0; count -= 1) this.#filter(relation, path);
    for (const [key] of embeds) {
      if (dice.chance(0.2)) this.#parameters.push([`${path}${showName(key)}`, dice.pick(['is.null', 'not.is.null'])]);
    }
    if (dice.chance(0.15))
      this.#parameters.push([`${path}${dice.pick(['and', 'or', 'not.or'])}`, this.#tree(relation, embeds, 0)]);
    if (dice.chance(0.35)) this.#parameters.push([`${path}order`, this.#order(relation, embeds)]);
    if (dice.chance(0.2)) this.#parameters.push([`${path}limit`, dice.pick(['0', '1', '2', '10', '-1', 'x', ''])]);
    if (dice.chance(0.1))
      this.#parameters.push([`${path}offset`, dice.pick(['0', '1', '100', '-1', '9007199254740993'])]);
  }

  #filter(relation: RelationModel, path: string): void {
    const column = this.#dice.pick(relation.columns);
    const name = this.#dice.chance(0.03) ? 'nosuch' : this.#field(column);
    const type = name.includes('->') ? 'jsonb' : column.type;
    this.#parameters.push([`${path}${name}`, randomOperation(this.#dice, type, false)]);
  }

  #tree(relation: RelationModel, embeds: readonly (readonly [string, EmbedModel])[], depth: number): string {
    const dice = this.#dice;
    const nodes = dice.list(1, 3, () => {
      const [embed] = embeds.length > 0 ? dice.pick(embeds) : [undefined];
      if (embed !== undefined && dice.chance(0.3)) return `${showName(embed)}.${dice.pick(['is.null', 'not.is.null'])}`;
      if (depth < DEEPEST && dice.chance(0.25))
        return `${dice.pick(['', 'not.'])}${dice.pick(['and', 'or'])}${this.#tree(relation, embeds, depth + 1)}`;
      const column = dice.pick(relation.columns);
      const name = this.#field(column);
      return `${name}.${randomOperation(dice, name.includes('->') ? 'jsonb' : column.type, true)}`;
    });
    return `(${nodes.join(',')})`;
  }

  #order(relation: RelationModel, embeds: readonly (readonly [string, EmbedModel])[]): string {
    const dice = this.#dice;
    const terms = dice.list(1, 2, () => {
      const [key, embed] = embeds.length > 0 ? dice.pick(embeds) : [undefined, undefined];
      const target = embed && this.#schema.get(embed.relation);
      const isRelated = key !== undefined && target !== undefined && (embed?.isToOne ?? false) && dice.chance(0.5);
      const field = isRelated
        ? `${showName(key)}(${this.#field(dice.pick(target.columns))})`
        : this.#field(dice.pick(relation.columns));
      return `${field}${dice.pick(['', '', '.asc', '.desc'])}${dice.pick(['', '', '.nullsfirst', '.nullslast'])}`;
    });
    return terms.join(',');
  }
}

/** Bare where the grammar allows it. */
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

/** One to three places cut out, doubled or filled in. */
export function breakText(dice: Dice, text: string): string {
  let broken = text;
  for (let times = 1 + dice.roll(3); times > 0; times -= 1) {
    const at = dice.roll(broken.length + 1);
    const end = at + dice.roll(4);
    const replacement = dice.pick([
      '',
      broken.slice(at, end).repeat(2),
      encodeURI(dice.pick(PIECES)),
      dice.pick(PIECES),
    ]);
    broken = broken.slice(0, at) + replacement + broken.slice(end);
  }
  return broken.replaceAll(/\p{Surrogate}/gu, '').replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
}
