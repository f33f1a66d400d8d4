// Generates random reads of the example tables in the reading fixture, with all features: embeds of all shapes,
// filters, trees, null filters, orders, windows and aggregates.
import type { Random } from '../../support/generate/random.ts';
import {
  isShown,
  KEYS,
  LINKS,
  showsAnything,
  type Aggregate,
  type Child,
  type Condition,
  type Group,
  type Level,
  type OrderTerm,
  type Row,
  type Tables,
  type Value,
} from './read-model.ts';

export class ReadMaker {
  readonly #random: Random;
  readonly #tables: Tables;
  #keys = 0;

  constructor(random: Random, tables: Tables) {
    this.#random = random;
    this.#tables = tables;
  }

  make(): Level {
    const level = this.#level(this.#random.pick(Object.keys(LINKS)), {
      depth: 1 + this.#random.roll(3),
      kind: 'plain',
    });
    const [first = ''] = KEYS[level.relation] ?? [];
    return showsAnything(level) ? level : { ...level, columns: [{ key: this.#key(), column: first }] };
  }

  /** Returns a key that differs from every column. */
  #key(): string {
    this.#keys += 1;
    return `k${this.#keys}`;
  }

  /** @param place the level above: aggregates are not allowed below a spread, and a hidden level shows nothing */
  #level(relation: string, place: { depth: number; kind: 'plain' | 'spread' | 'hidden' }): Level {
    const random = this.#random;
    const shown = place.kind === 'hidden' ? [] : this.#columnsOf(relation).filter(() => random.chance(0.45));
    const columns = shown.map((column) => ({ key: this.#key(), column }));
    const children = place.depth === 0 ? [] : this.#children(relation, place);
    const isGrouped = place.kind === 'plain' && random.chance(0.15);
    const filters = random.list(0, 2, () => this.#condition(relation, children)).slice(random.roll(2));
    return {
      relation,
      columns,
      children,
      aggregates: isGrouped ? random.list(1, 2, () => this.#aggregate(relation)) : [],
      conditions: random.chance(0.25) ? [...filters, this.#group(relation, children, 2)] : filters,
      order: isGrouped ? [] : this.#order(relation, children),
      limit: !isGrouped && random.chance(0.3) ? random.roll(4) : undefined,
      offset: !isGrouped && random.chance(0.2) ? random.roll(3) : 0,
    };
  }

  #children(relation: string, place: { depth: number; kind: 'plain' | 'spread' | 'hidden' }): readonly Child[] {
    const children: Child[] = [];
    for (let count = this.#random.roll(4); count > 0; count -= 1) {
      const link = this.#random.pick(LINKS[relation] ?? []);
      const shape =
        place.kind === 'hidden' ? 'hidden' : this.#random.pick(['nested', 'nested', 'spread', 'hidden'] as const);
      const key = this.#key();
      const name = shape === 'spread' ? (link.target.split('!')[0] ?? '') : key;
      if (children.some((other) => other.name === name)) continue;
      const kind = shape === 'nested' ? place.kind : shape;
      const level = this.#level(link.relation, { depth: place.depth - 1, kind });
      children.push({ name, key, link, shape, isInner: this.#random.chance(0.25), level });
    }
    return children;
  }

  #aggregate(relation: string): Aggregate {
    const numbers = this.#columnsOf(relation).filter((column) => typeof this.#sample(relation, column) === 'number');
    const name = this.#random.pick(['count()', 'count', 'sum', 'min', 'max'] as const);
    return { key: this.#key(), function: name, column: this.#random.pick(numbers) };
  }

  #condition(relation: string, children: readonly Child[]): Condition {
    const random = this.#random;
    if (children.length > 0 && random.chance(0.45))
      return { kind: 'presence', child: random.pick(children), isPresent: random.chance(0.5) };
    const column = random.pick(this.#columnsOf(relation));
    const operator = random.pick(['eq', 'neq', 'gt', 'lte', 'isdistinct', 'in', 'is'] as const);
    // Applied to the name of an embed, `is.null` refers to the embed.
    if (operator === 'is' && children.some(({ name }) => name === column)) return this.#condition(relation, children);
    const values = random.list(operator === 'in' ? 2 : 1, operator === 'in' ? 2 : 1, () =>
      this.#sample(relation, column),
    );
    return {
      kind: 'column',
      column,
      operator,
      values: operator === 'is' ? [null] : values,
      isNegated: random.chance(0.2),
    };
  }

  #group(relation: string, children: readonly Child[], depth: number): Group {
    const random = this.#random;
    const members = random.list(1, 3, () =>
      depth > 0 && random.chance(0.3)
        ? this.#group(relation, children, depth - 1)
        : this.#condition(relation, children),
    );
    return { kind: 'group', operator: random.pick(['and', 'or'] as const), members, isNegated: random.chance(0.25) };
  }

  #order(relation: string, children: readonly Child[]): readonly OrderTerm[] {
    const random = this.#random;
    const related = children.filter((child) => child.link.isToOne && isShown(child) && child.level.columns.length > 0);
    const term = (column: string, child?: Child): OrderTerm => ({
      column,
      child,
      direction: random.pick([undefined, 'asc', 'desc'] as const),
      nulls: random.pick([undefined, undefined, 'nullsfirst', 'nullslast'] as const),
    });
    const first = random.list(0, 1, () => {
      const child = related.length > 0 && random.chance(0.5) ? random.pick(related) : undefined;
      return term(child ? random.pick(child.level.columns).key : random.pick(this.#columnsOf(relation)), child);
    });
    const key = (KEYS[relation] ?? []).map((column) => term(column));
    return [...first, ...key];
  }

  #columnsOf(relation: string): readonly string[] {
    return Object.keys(this.#rowsOf(relation)[0] ?? {});
  }

  #sample(relation: string, column: string): Value {
    const values = this.#rowsOf(relation).map((row) => row[column] ?? null);
    return this.#random.pick(values.filter((value) => value !== null));
  }

  #rowsOf(relation: string): readonly Row[] {
    return this.#tables[relation] ?? [];
  }
}
