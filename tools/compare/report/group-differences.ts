// Groups the differences of all responses by cause, and those that a known departure explains by that departure.
import type { DialectName } from '../../../src/contract/dialect.ts';
import { compareReplies, type BodyChange, type Difference } from '../replies/compare-replies.ts';
import type { Reply } from '../replies/send-request.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { type Departure, DEPARTURES, isDescription } from './departures.ts';

export interface Exchange {
  readonly request: RecordedRequest;
  readonly old: Reply;
  readonly new: Reply;
}

export interface Example {
  readonly method: string;
  readonly target: string;
  /** What differs, if the group contains differences of several kinds. */
  readonly what: string | undefined;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

export interface Group {
  /** `Status 200 → 404`, `Header content-range`, `Value of [].price`, `API description: paths`. */
  readonly cause: string;
  /** The departure that explains the differences. */
  readonly departure: Departure | undefined;
  /** Differences, of which `examples` has the first. */
  readonly count: number;
  readonly examples: readonly Example[];
}

const MAX_EXAMPLES = 20;

/** The body itself, an array. */
const ROWS = '[]';

const CHANGES: Readonly<Record<BodyChange, (place: string) => string>> = {
  value: (place) => `Value of ${place}`,
  type: (place) => `Type of ${place}`,
  missingKey: (place) => `Missing key ${place}`,
  addedKey: (place) => `Additional key ${place}`,
  missingItems: (place) => (place === ROWS ? 'Missing rows' : `Missing items ${place}`),
  addedItems: (place) => (place === ROWS ? 'Additional rows' : `Additional items ${place}`),
  order: (place) => (place === ROWS ? 'Order of rows' : `Order of ${place}`),
  invalidJson: () => 'Invalid JSON',
  text: () => 'Text of the body',
};

export class DifferenceGroups {
  readonly #groups = new Map<string, Group>();
  readonly #departures: readonly Departure[];
  #compared = 0;
  #same = 0;

  /** @param dialect of the new server; undefined for another product */
  constructor(dialect: DialectName | undefined) {
    this.#departures =
      dialect === undefined ? [] : DEPARTURES.filter((each) => each.dialect === undefined || each.dialect === dialect);
  }

  get compared(): number {
    return this.#compared;
  }

  get same(): number {
    return this.#same;
  }

  /** Unexplained groups first, each kind with the most frequent first. */
  get sorted(): readonly Group[] {
    return [...this.#groups.values()].toSorted(
      (one, other) =>
        Number(one.departure !== undefined) - Number(other.departure !== undefined) || other.count - one.count,
    );
  }

  add(exchange: Exchange): void {
    const differences = compareReplies(exchange.old, exchange.new);
    this.#compared += 1;
    if (differences.length === 0) this.#same += 1;
    for (const difference of differences) this.#addDifference(difference, exchange);
  }

  #addDifference(difference: Difference, exchange: Exchange): void {
    const { request, old, new: other } = exchange;
    const departure =
      old.kind === 'response' && other.kind === 'response'
        ? this.#departures.find(({ explains }) => explains(difference, { request, old, new: other }))
        : undefined;
    const what = nameCause(difference);
    const cause = nameSection(difference, request) ?? what;
    const key = departure === undefined ? cause : `departure ${departure.id}`;
    const group = this.#groups.get(key) ?? { cause, departure, count: 0, examples: [] };
    const { method, target } = request;
    const isMixed = departure !== undefined || cause !== what;
    const example = { method, target, what: isMixed ? what : undefined, old: difference.old, new: difference.new };
    const examples = group.examples.length < MAX_EXAMPLES ? [...group.examples, example] : group.examples;
    this.#groups.set(key, { ...group, count: group.count + 1, examples });
  }
}

/** In an API description, every table and column is a separate place, so one cause shows in many of them. */
function nameSection(difference: Difference, { target }: RecordedRequest): string | undefined {
  if (difference.kind !== 'body' || difference.place === '' || !isDescription(target)) return undefined;
  return `API description: ${/^[^.[]+/u.exec(difference.place)?.[0] ?? difference.place}`;
}

function nameCause(difference: Difference): string {
  switch (difference.kind) {
    case 'noResponse':
      return 'No complete response';
    case 'status':
      return `Status ${difference.old} → ${difference.new}`;
    case 'errorCode':
      return `Error code ${difference.old ?? 'none'} → ${difference.new ?? 'none'}`;
    case 'header':
      return nameHeaderCause(difference);
    case 'body':
      return CHANGES[difference.change](difference.place === '' ? 'the body' : difference.place);
  }
}

function nameHeaderCause({ name, old, new: other }: Extract<Difference, { readonly kind: 'header' }>): string {
  if (other === undefined) return `Missing header ${name}`;
  return old === undefined ? `Additional header ${name}` : `Header ${name}`;
}
