// Whether a write that satisfied a constraint before satisfies one that replaces it: a check with wider bounds, a foreign key
// that does more by itself when the referenced row changes. Proves what is common; what it cannot prove counts as stricter.
import { type Condition, readCondition, readConstant } from '../support/boolean-expression.ts';

/** @param before definition of a constraint, as PostgreSQL prints it. @param after the same */
export function impliesConstraint(before: string, after: string): boolean {
  const [old, current] = [readForeignKey(before), readForeignKey(after)];
  if (old !== undefined && current !== undefined) return isAsLoose(old, current);
  const [was, is] = [readCheck(before), readCheck(after)];
  return was !== undefined && is !== undefined && implies(readCondition(was), readCondition(is));
}

interface ForeignKey {
  /** Columns and the referenced table. */
  readonly base: string;
  /** Whether it refuses to delete, or to change the key of, a row that is referenced. */
  readonly refusals: readonly boolean[];
  /** 0: checked after each statement, 1: on demand at the commit, 2: at the commit. */
  readonly deferral: number;
}

const FOREIGN_KEY =
  /^(?<base>FOREIGN KEY .+? REFERENCES .+?\)(?: MATCH \w+)?)(?<rest>(?: ON (?:UPDATE|DELETE) .*| (?:NOT )?DEFERRABLE.*)?)$/su;

function readForeignKey(definition: string): ForeignKey | undefined {
  const { base, rest = '' } = FOREIGN_KEY.exec(withoutValidity(definition))?.groups ?? {};
  if (base === undefined) return undefined;
  const refusals = ['UPDATE', 'DELETE'].map((event) => !new RegExp(`ON ${event} (?:CASCADE|SET )`, 'u').test(rest));
  const isDeferrable = / DEFERRABLE/u.test(rest) && !/NOT DEFERRABLE/u.test(rest);
  return { base, refusals, deferral: isDeferrable ? (rest.includes('INITIALLY DEFERRED') ? 2 : 1) : 0 };
}

function isAsLoose(before: ForeignKey, after: ForeignKey): boolean {
  const isLoose = after.refusals.every((refuses, index) => !refuses || before.refusals[index] === true);
  return before.base === after.base && isLoose && after.deferral >= before.deferral;
}

function readCheck(definition: string): string | undefined {
  return /^CHECK (?<condition>\(.*\))(?: NO INHERIT)?$/su.exec(withoutValidity(definition))?.groups?.['condition'];
}

function withoutValidity(definition: string): string {
  return definition.replace(/ NOT VALID$/u, '');
}

/** Whether the second is not false where the first is not false: an unknown condition satisfies a check. */
function implies(before: Condition, after: Condition): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return true;
  if (before.kind === 'or') return before.parts.every((part) => implies(part, after));
  if (after.kind === 'and') return after.parts.every((part) => implies(before, part));
  if (before.kind === 'and') return before.parts.some((part) => implies(part, after));
  if (after.kind === 'or') return after.parts.some((part) => implies(before, part));
  return before.kind === 'comparison' && after.kind === 'comparison' && isWithin(before, after);
}

type Comparison = Extract<Condition, { readonly kind: 'comparison' }>;

/** Compares the values of one term: lists, and bounds that are numbers. */
function isWithin(before: Comparison, after: Comparison): boolean {
  if (before.left !== after.left) return false;
  const [values, permitted] = [readList(before), readList(after)];
  if (values !== undefined && permitted !== undefined) return values.every((value) => permitted.includes(value));
  const [from, to] = [readConstant(before.right), readConstant(after.right)];
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  const isExact = before.operator === '=';
  switch (after.operator) {
    case '>=':
      return (isExact || before.operator.startsWith('>')) && from >= to;
    case '>':
      return from > to ? isExact || before.operator.startsWith('>') : from === to && before.operator === '>';
    case '<=':
      return (isExact || before.operator.startsWith('<')) && before.operator !== '<>' && from <= to;
    case '<':
      return from < to
        ? isExact || before.operator === '<' || before.operator === '<='
        : from === to && before.operator === '<';
    default:
      return false;
  }
}

const LIST = /^ANY \((?:\()?ARRAY\[(?<items>.*)\](?:\))?(?:::[\w ]+\[\])?\)$/su;

/** @returns the values of `= ANY (ARRAY[…])`, or the only one of `=`; undefined unless all are constants */
function readList({ operator, right }: Comparison): readonly unknown[] | undefined {
  if (operator !== '=') return undefined;
  const items = LIST.exec(right)?.groups?.['items'];
  const values = (items === undefined ? [right] : splitItems(items)).map(readConstant);
  return values.includes(undefined) ? undefined : values;
}

function splitItems(items: string): readonly string[] {
  return [...items.matchAll(/(?:'(?:[^']|'')*'|[^',])+/gu)].map(([item]) => item.trim());
}
