// Reads whose shapes recur with other values, like those of applications: a few hundred shapes make up most requests,
// and thousands of others occur rarely. A shape is determined by its number.
import { Random } from '../../support/generate/random.ts';
import { ReadMaker } from '../oracle/random-read.ts';
import type { Child, Condition, Level, OrderTerm, Value } from '../oracle/read-model.ts';
import { Tenant } from './tenant.ts';

const HOT = 200;
const ALL = 50_000;
const HOT_SHARE = 0.93;
const MAX_KEPT = 2000;
/** Maximum number of levels of a frequent shape. */
const MAX_LEVELS = 4;
const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'lte']);
/** Not a tenant of the run: shapes hold its values until they are replaced with those of a tenant. */
const TEMPLATE_TENANT = 100;

export class Shapes {
  readonly #seed: number;
  readonly #template: Tenant;
  readonly #kept = new Map<number, Level>();

  constructor(seed: number) {
    this.#seed = seed;
    this.#template = new Tenant(TEMPLATE_TENANT, new Random(seed));
  }

  /** Returns a read of the tenant's rows. */
  pick(random: Random, tenant: Tenant): Level {
    const number = random.chance(HOT_SHARE) ? random.roll(HOT) : HOT + random.roll(ALL);
    return new Refill(random, tenant, this.#template).level(this.#shape(number));
  }

  #shape(number: number): Level {
    const known = this.#kept.get(number);
    if (known !== undefined) return known;
    const random = new Random(this.#seed + number);
    const level = number < HOT ? this.#makePlain(random) : this.#make(random);
    if (number < HOT || this.#kept.size < MAX_KEPT) this.#kept.set(number, level);
    return level;
  }

  #makePlain(random: Random): Level {
    for (;;) {
      const level = this.#make(random);
      if (isPlain(level)) return level;
    }
  }

  #make(random: Random): Level {
    return new ReadMaker(random, this.#template.tables).make();
  }
}

/** Recognizes typical reads: few embeds, and conditions whose values do not change the plan. */
function isPlain(level: Level): boolean {
  return countLevels(level) <= MAX_LEVELS && hasPlainConditions(level);
}

function countLevels({ children }: Level): number {
  return children.reduce((sum, { level }) => sum + countLevels(level), 1);
}

function hasPlainConditions({ conditions, children }: Level): boolean {
  const isPlainCondition = (condition: Condition): boolean =>
    condition.kind === 'presence' || (condition.kind === 'column' && COMPARISONS.has(condition.operator));
  return conditions.every(isPlainCondition) && children.every(({ level }) => hasPlainConditions(level));
}

/** Replaces the values of a shape with those of the tenant's own rows. */
class Refill {
  readonly #random: Random;
  readonly #tenant: Tenant;
  readonly #template: Tenant;

  constructor(random: Random, tenant: Tenant, template: Tenant) {
    this.#random = random;
    this.#tenant = tenant;
    this.#template = template;
  }

  level(level: Level): Level {
    const renewed = new Map(level.children.map((child) => [child, { ...child, level: this.level(child.level) }]));
    const childOf = (child: Child): Child => renewed.get(child) ?? child;
    return {
      ...level,
      children: [...renewed.values()],
      conditions: level.conditions.map((condition) => this.#condition(level.relation, condition, childOf)),
      order: level.order.map((term): OrderTerm => ({ ...term, child: term.child && childOf(term.child) })),
    };
  }

  #condition(relation: string, condition: Condition, childOf: (child: Child) => Child): Condition {
    switch (condition.kind) {
      case 'presence':
        return { ...condition, child: childOf(condition.child) };
      case 'group':
        return {
          ...condition,
          members: condition.members.map((member) => this.#condition(relation, member, childOf)),
        };
      case 'column':
        return {
          ...condition,
          values: condition.values.map((value) => this.#value(relation, condition.column, value)),
        };
    }
  }

  #value(relation: string, column: string, templateValue: Value): Value {
    const rows = this.#tenant.rows(relation);
    const own = rows.length === 0 || templateValue === null ? null : (this.#random.pick(rows)[column] ?? null);
    if (own !== null || templateValue === null) return own;
    return typeof templateValue === 'string'
      ? templateValue.replace(this.#template.canary, this.#tenant.canary)
      : templateValue;
  }
}
