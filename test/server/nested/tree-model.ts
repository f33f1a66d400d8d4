// The rows of the oracle test as a model in memory. Names are unique, so that rows are compared without their keys.
import type { Random } from '../../support/generate/random.ts';

export interface State {
  /** Row → the row it belongs to. */
  readonly customers: ReadonlySet<string>;
  readonly orders: ReadonlyMap<string, string | undefined>;
  readonly items: ReadonlyMap<string, string | undefined>;
  readonly parts: ReadonlyMap<string, string | undefined>;
  readonly tags: ReadonlySet<string>;
  /** `order tag` */
  readonly links: ReadonlySet<string>;
}

export const EMPTY: State = {
  customers: new Set(),
  orders: new Map(),
  items: new Map(),
  parts: new Map(),
  tags: new Set(),
  links: new Set(),
};

/** The state while a write changes it. */
export interface Draft {
  readonly customers: Set<string>;
  readonly orders: Map<string, string | undefined>;
  readonly items: Map<string, string | undefined>;
  readonly parts: Map<string, string | undefined>;
  readonly tags: Set<string>;
  readonly links: Set<string>;
}

export function draftOf(state: State): Draft {
  return {
    customers: new Set(state.customers),
    orders: new Map(state.orders),
    items: new Map(state.items),
    parts: new Map(state.parts),
    tags: new Set(state.tags),
    links: new Set(state.links),
  };
}

export type Json = Readonly<Record<string, unknown>>;

/** Makes rows with their related rows, and notes in a draft what they change. */
export class TreeMaker {
  readonly random: Random;
  readonly draft: Draft;
  /** Codes of the errors that the rows may cause; any of them may come first. */
  readonly faults: string[] = [];
  readonly #prefix: string;
  #names = 0;

  constructor(random: Random, draft: Draft, prefix: string) {
    this.random = random;
    this.draft = draft;
    this.#prefix = prefix;
  }

  /** @param mayFail a probability */
  order(mayFail: number): Json {
    const name = this.#name('order');
    const customer = this.random.chance(0.4) ? this.#name('customer') : undefined;
    if (customer !== undefined) this.draft.customers.add(customer);
    this.draft.orders.set(name, customer);
    return {
      name,
      ...(customer !== undefined && { customer: { name: customer } }),
      ...(this.random.chance(0.8) && { item: this.items(name, mayFail) }),
      ...(this.random.chance(0.4) && { tag: this.tags(name) }),
    };
  }

  items(order: string, mayFail: number): readonly Json[] | null {
    if (this.random.chance(0.1)) return null;
    return this.random.list(0, 3, () => this.#item(order, mayFail));
  }

  tags(order: string): readonly Json[] {
    return this.random.list(0, 2, () => {
      const name = this.#name('tag');
      this.draft.tags.add(name);
      this.draft.links.add(`${order} ${name}`);
      return { name };
    });
  }

  /** A trigger drops some rows, which is a fault if others refer to them. */
  #item(order: string, mayFail: number): Json {
    const isDropped = this.random.chance(mayFail / 2);
    const name = isDropped ? `drop ${this.#name('item')}` : this.#name('item');
    if (!isDropped) this.draft.items.set(name, order);
    const parts = this.random.chance(0.5) ? this.random.list(0, 2, () => this.#part(name, mayFail)) : undefined;
    if (isDropped && parts !== undefined && parts.length > 0) this.faults.push('SVC135');
    return { name, ...(parts !== undefined && { part: parts }) };
  }

  #part(item: string, mayFail: number): Json {
    const name = this.#name('part');
    this.draft.parts.set(name, item);
    const kind = this.random.chance(mayFail) ? this.random.pick(['null', 'policy', 'deferred'] as const) : 'good';
    if (kind === 'null') this.faults.push('23502');
    if (kind === 'policy') this.faults.push('42501');
    if (kind === 'deferred') this.faults.push('23503');
    return {
      name: kind === 'null' ? null : kind === 'policy' ? `forbidden ${name}` : name,
      ref: kind === 'deferred' ? 999 : null,
    };
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${this.#prefix} ${kind} ${this.#names}`.replaceAll(' ', '-');
  }
}

/** Deletes an item; parts refer to it with ON DELETE CASCADE. */
export function deleteItem({ items, parts }: Draft, item: string): void {
  items.delete(item);
  for (const [part, owner] of parts) if (owner === item) parts.delete(part);
}

export function deleteTag({ tags, links }: Draft, tag: string): void {
  tags.delete(tag);
  for (const link of links) if (link.endsWith(` ${tag}`)) links.delete(link);
}

export function itemsOf({ items }: Draft, order: string): readonly string[] {
  return [...items].flatMap(([item, owner]) => (owner === order ? [item] : []));
}

export function tagsOf({ links }: Draft, order: string): readonly string[] {
  return [...links].flatMap((link) => (link.startsWith(`${order} `) ? [link.slice(order.length + 1)] : []));
}
