// A value as a source states it, before any option's type is applied (`operating.md` §1.3). The environment and the
// database only know text; the file also has bare numbers, booleans and lists.

export type ConfigValue =
  | { readonly kind: 'text'; readonly text: string }
  /** A bare number in its usual text form: `1e3` is `1000`. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly ConfigValue[] };

const INTEGER = /^\s*-?\d+\s*$/;

/** The text form of a scalar; undefined for a list. */
export function readText(value: ConfigValue): string | undefined {
  if (value.kind === 'list') return undefined;
  return value.kind === 'boolean' ? String(value.value) : value.text;
}

/** Stated, but saying nothing: the default applies. */
export function isBlank(value: ConfigValue): boolean {
  return value.kind === 'text' && value.text.trim() === '';
}

export function readInteger(value: ConfigValue): number | undefined {
  if (value.kind !== 'text' && value.kind !== 'number') return undefined;
  if (!INTEGER.test(value.text)) return undefined;
  const number = Number(value.text);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Text counts by its letters alone (`"\"TRUE\""` is true), else by its sign as an integer; a bare number does not count. */
export function readBoolean(value: ConfigValue): boolean | undefined {
  if (value.kind === 'boolean') return value.value;
  if (value.kind !== 'text') return undefined;
  const letters = value.text.replaceAll(/\P{L}/gu, '').toLowerCase();
  if (letters === 'true') return true;
  if (letters === 'false') return false;
  const number = readInteger(value);
  return number === undefined ? undefined : number > 0;
}

/** Trimmed elements of a comma-separated text or of a list; empty elements name nothing and are left out. */
export function readList(value: ConfigValue): readonly string[] {
  const parts = value.kind === 'list' ? value.items.map(readText) : readText(value)?.split(',');
  return (parts ?? []).map((part) => part?.trim() ?? '').filter((part) => part !== '');
}
