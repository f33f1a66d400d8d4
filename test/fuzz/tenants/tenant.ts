// A tenant: the model of its rows, a canary in each of their texts, and the tokens of its users.
import type { Random } from '../../support/generate/random.ts';
import type { Row, Tables } from '../oracle/read-model.ts';
import { ROLES } from './tenant-schema.ts';
import { signToken } from '../../../tools/token/issue-token.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

/** Ids of one tenant's rows differ by less than this. */
const SPAN = 10_000_000;
const FAR_FUTURE = 4_000_000_000;

export interface Token {
  readonly text: string;
  readonly role: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export class Tenant {
  readonly name: string;
  /** Occurs in every text of its rows and claims, and nowhere else. */
  readonly canary: string;
  readonly members: readonly Token[];
  readonly readers: readonly Token[];
  /** The current contents of the tables. */
  tables: Tables;
  readonly #base: number;
  #lastId = 1000;

  constructor(number: number, random: Random) {
    this.name = `t${number}`;
    this.canary = canaryOf(number);
    this.#base = (number + 1) * SPAN;
    this.members = [1, 2, 3].map((user) => this.#makeToken(ROLES.member, user));
    this.readers = [4, 5].map((user) => this.#makeToken(ROLES.reader, user));
    this.tables = this.#makeTables(random);
  }

  /** Rows in the schema `labs`, which no request changes. */
  get labs(): { readonly crates: readonly Row[]; readonly vault: readonly Row[] } {
    const ids = [1, 2, 3].map((number) => this.#base + number);
    return {
      crates: ids.map((id) => ({ id, name: this.text('sample') })),
      vault: ids.map((id) => ({ id, open_note: this.text('open'), secret_note: this.text('secret') })),
    };
  }

  text(word: string): string {
    return `${word}-${this.canary}`;
  }

  newId(): number {
    this.#lastId += 1;
    return this.#base + this.#lastId;
  }

  rows(table: string): readonly Row[] {
    return this.tables[table] ?? [];
  }

  replace(table: string, rows: readonly Row[]): void {
    this.tables = { ...this.tables, [table]: rows };
  }

  #makeToken(role: string, user: number): Token {
    const expiry = user % 2 === 0 ? { exp: FAR_FUTURE } : {};
    const claims = { role, tenant: this.name, sub: this.text(`user ${user}`), ...expiry };
    return { text: signToken(claims, SECRET), role, claims };
  }

  #makeTables(random: Random): Tables {
    const id = (number: number): number => this.#base + number;
    const pick = (count: number): number | null => (random.chance(0.2) ? null : id(1 + random.roll(count)));
    const make = (count: number, row: (number: number) => Row): readonly Row[] =>
      Array.from({ length: count }, (_, index) => row(index + 1));
    const name = (words: readonly string[]): string => this.text(random.pick(words));
    return {
      harbours: make(4, (n) => ({ id: id(n), name: name(['Oslo', 'Cork', 'Cork', 'Åbo', 'Port (old)']) })),
      boats: make(6, (n) => ({
        id: id(n),
        label: name(['Alba', 'Brig, II', 'Ciara', 'Dory', 'Eos', 'Fay']),
        built: n > 1 && random.chance(0.2) ? null : 1990 + random.roll(8),
        harbour_id: n === 1 ? id(1) : pick(4),
      })),
      sailors: make(4, (n) => ({ id: id(n), name: name(['Ann', 'Bo', 'Cy']) })),
      postings: make(4, (n) => ({ boat_id: id(n), sailor_id: id(1 + random.roll(4)), duty: name(['cook', 'mate']) })),
      permits: make(3, (n) => ({ boat_id: id(n), code: name(['P-1', 'P-2']) })),
      voyages: make(5, (n) => ({ id: id(n), boat_id: pick(6) ?? id(1), from_id: id(1), to_id: pick(4) ?? id(2) })),
      crates: make(5, (n) => ({ id: id(n), name: name(['outer', 'mid']), parent_id: n === 1 ? id(1) : pick(n - 1) })),
    };
  }
}

export function canaryOf(number: number): string {
  return `CANARY${String(number).padStart(3, '0')}`;
}

/** Returns a canary of another tenant in the text, if any. */
export function findForeign(text: string, { canary }: Tenant): string | undefined {
  for (let at = text.indexOf('CANARY'); at !== -1; at = text.indexOf('CANARY', at + canary.length)) {
    if (!text.startsWith(canary, at)) return text.slice(Math.max(0, at - 80), at + 80);
  }
  return undefined;
}
