// Random changes of an order and its related rows, for the oracle test.
import { deleteItem, deleteTag, type Draft, itemsOf, type Json, tagsOf, type TreeMaker } from './tree-model.ts';

/** Returns the key of a row. */
export type FindKey = (table: 'item' | 'tag', name: string) => number;

interface Target {
  readonly order: string;
  readonly keyOf: FindKey;
}

export function randomPatch(maker: TreeMaker, { order, keyOf }: Target, mayFail: number): Json {
  const { random, draft } = maker;
  const target = { order, keyOf };
  return {
    ...(random.chance(0.8) && {
      item: random.chance(0.3) ? setItems(maker, target) : changeItems(maker, target, mayFail),
    }),
    ...(random.chance(0.6) && {
      tag: random.chance(0.3) ? setTags(maker, target) : changeTags(maker, target, mayFail),
    }),
    ...(random.chance(0.2) && releaseCustomer(draft, order)),
  };
}

function releaseCustomer({ orders }: Draft, order: string): Json {
  orders.set(order, undefined);
  return { customer: null };
}

/** Takes related rows in random order, or sometimes rows of others, which is a fault unless they are connected. */
class Choice {
  readonly #maker: TreeMaker;
  readonly #own: string[];
  readonly #others: readonly string[];
  readonly #mayFail: number;

  constructor(
    maker: TreeMaker,
    own: readonly string[],
    { all, mayFail }: { readonly all: Iterable<string>; readonly mayFail: number },
  ) {
    this.#maker = maker;
    this.#own = [...own];
    this.#others = [...all].filter((name) => !own.includes(name));
    this.#mayFail = mayFail;
  }

  take(apply: (name: string) => void): readonly string[] {
    const { random, faults } = this.#maker;
    const names = this.#own.splice(0, random.roll(3));
    for (const name of names) apply(name);
    if (!random.chance(this.#mayFail) || this.#others.length === 0) return names;
    faults.push('SVC134');
    return [...names, random.pick(this.#others)];
  }

  takeOther(): readonly string[] {
    return this.#others.length > 0 && this.#maker.random.chance(0.5) ? [this.#maker.random.pick(this.#others)] : [];
  }
}

function changeItems(maker: TreeMaker, { order, keyOf }: Target, mayFail: number): Json {
  const { draft } = maker;
  const choice = new Choice(maker, itemsOf(draft, order), { all: draft.items.keys(), mayFail });
  const key = (name: string): Json => ({ id: keyOf('item', name) });
  const released = choice.take((name) => draft.items.set(name, undefined));
  const deleted = choice.take((name) => deleteItem(draft, name));
  const updated = choice.take(() => undefined);
  const used = new Set([...released, ...deleted, ...updated]);
  const connected = choice.takeOther().filter((name) => !used.has(name));
  for (const name of connected) draft.items.set(name, order);
  return {
    create: maker.items(order, mayFail) ?? [],
    connect: connected.map(key),
    update: updated.map((name) => ({ id: keyOf('item', name), quantity: 2 })),
    delete: deleted.filter((name) => !released.includes(name)).map(key),
    disconnect: released.map(key),
  };
}

function setItems(maker: TreeMaker, { order, keyOf }: Target): Json {
  const { draft, random } = maker;
  const kept = itemsOf(draft, order).filter(() => random.chance(0.5));
  for (const name of itemsOf(draft, order)) if (!kept.includes(name)) deleteItem(draft, name);
  const created = maker.items(order, 0) ?? [];
  return { set: [...kept.map((name) => ({ id: keyOf('item', name), quantity: 3 })), ...created] };
}

function changeTags(maker: TreeMaker, { order, keyOf }: Target, mayFail: number): Json {
  const { draft } = maker;
  const choice = new Choice(maker, tagsOf(draft, order), { all: draft.tags, mayFail });
  const key = (name: string): Json => ({ id: keyOf('tag', name) });
  const shared = (name: string): boolean => [...draft.links].filter((link) => link.endsWith(` ${name}`)).length > 1;
  const released = choice.take((name) => draft.links.delete(`${order} ${name}`));
  const deleted = choice.take((name) => {
    if (shared(name)) maker.faults.push('23503');
    deleteTag(draft, name);
  });
  const connected = choice.takeOther().filter((name) => ![...released, ...deleted].includes(name));
  for (const name of connected) draft.links.add(`${order} ${name}`);
  return {
    delete: deleted.filter((name) => !released.includes(name)).map(key),
    disconnect: released.map(key),
    connect: connected.map(key),
    create: maker.tags(order),
  };
}

function setTags(maker: TreeMaker, { order, keyOf }: Target): Json {
  const { draft, random } = maker;
  const kept = tagsOf(draft, order).filter(() => random.chance(0.5));
  for (const name of tagsOf(draft, order)) if (!kept.includes(name)) draft.links.delete(`${order} ${name}`);
  return { set: [...kept.map((name) => ({ id: keyOf('tag', name) })), ...maker.tags(order)] };
}
