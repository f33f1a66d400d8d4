// A configured value before the option's type is applied (`operating.md` §1.3). The environment and the database have
// only text; the file also has bare numbers, booleans and lists.

export type ConfigValue =
  | { readonly kind: 'text'; readonly text: string }
  /** A bare number in its usual text form: `1e3` is `1000`. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly ConfigValue[] };

const INTEGER = /^\s*-?\d+\s*$/;

/** Returns the text form of a scalar, or undefined for a list. */
export function readText(value: ConfigValue): string | undefined {
  if (value.kind === 'list') return undefined;
  return value.kind === 'boolean' ? String(value.value) : value.text;
}

/** A blank value counts as unset: the default applies. */
export function isBlank(value: ConfigValue): boolean {
  return value.kind === 'text' && value.text.trim() === '';
}

export function readInteger(value: ConfigValue): number | undefined {
  if (value.kind !== 'text' && value.kind !== 'number') return undefined;
  if (!INTEGER.test(value.text)) return undefined;
  const number = Number(value.text);
  return Number.isSafeInteger(number) ? number : undefined;
}

const COST = /^\s*(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/iu;

/** Parses a number that is not negative; undefined if the text is anything else. */
export function parseCost(text: string): number | undefined {
  const cost = COST.test(text) ? Number(text) : NaN;
  return Number.isFinite(cost) ? cost : undefined;
}

/**
 * Compares only the letters of text (`"\"TRUE\""` is true), else takes the sign of an integer. Rejects bare numbers.
 */
export function readBoolean(value: ConfigValue): boolean | undefined {
  if (value.kind === 'boolean') return value.value;
  if (value.kind !== 'text') return undefined;
  const letters = value.text.replaceAll(/\P{L}/gu, '').toLowerCase();
  if (letters === 'true') return true;
  if (letters === 'false') return false;
  const number = readInteger(value);
  return number === undefined ? undefined : number > 0;
}

/** Returns the trimmed, non-empty elements of a list or of comma-separated text. */
export function readList(value: ConfigValue): readonly string[] {
  const parts = value.kind === 'list' ? value.items.map(readText) : readText(value)?.split(',');
  return (parts ?? []).map((part) => part?.trim() ?? '').filter((part) => part !== '');
}
