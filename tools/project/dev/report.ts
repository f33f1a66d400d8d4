// Texts of `rowhouse dev DIR` about an update. Names in them may contain anything.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import type { ApplyFailure } from '../compare/apply-plan.ts';
import { describeChanges } from '../compare/describe-changes.ts';
import type { SourceFile } from '../folder/read-project.ts';
import { describeMissingValue, findColumnPlace } from '../run/missing-value.ts';
import type { PlannedUpdate, Question } from './loop-parts.ts';

/** `schema/orders.sql`, or `3 files`. */
export function nameFiles(files: readonly string[]): string {
  return files.length === 1 ? escapeLine(files[0] ?? '') : `${files.length} files`;
}

/** The file of `schema/` in which an object would be looked for. */
export function fileNameOf(id: object): string {
  const table: unknown = Reflect.get(id, 'table') ?? Reflect.get(id, 'name');
  return `schema/${typeof table === 'string' && /^[\w-]+$/u.test(table) ? table : 'other'}.sql`;
}

export function renderQuestion(question: Question): string {
  switch (question.kind) {
    case 'loss':
      return `This change loses data:\n${question.losses.map((loss) => `  ${loss}\n`).join('')}Apply it?`;
    case 'rename':
      return escapeLine(`Was the ${question.what} renamed to ${question.to}?`);
    case 'reseed':
      return `Empty ${question.tables} tables and fill them from seed/?`;
  }
}

/** Says what an update has changed. */
/** @param completed changes that the plan does not contain */
export function describeUpdate(
  { plan, renames }: PlannedUpdate,
  schemas: readonly string[],
  completed: readonly string[],
): string {
  const renamed = renames.map(
    ({ table, from, to }) => `~ ${table === undefined ? 'table ' : `column ${table}.`}${from} renamed to ${to}`,
  );
  const other = completed.map((text) => schemas.reduce((rest, schema) => rest.replaceAll(` ${schema}.`, ' '), text));
  const all = [...renamed, describeChanges(plan, schemas), ...other].filter((text) => text !== undefined);
  return all.length === 0 ? 'changed' : escapeLine(all.join(', '));
}

const BEGIN_AGAIN = 'To begin again with the rows in seed/, start with --fresh.';
const ADVICE = 'If this cannot be changed in place, --fresh recreates the database.';

/** @param reason why a change cannot be planned */
export function renderRefusal(reason: string): string {
  return `Not applied: ${reason}\n${ADVICE}`;
}

/** @param isOpen whether the question waits in the explorer; else it was answered with no */
export function renderHeld(losses: readonly string[], isOpen: boolean): string {
  const ways = isOpen
    ? 'Answer in the explorer, start with --allow-loss, or change the files.\nAfter a rename, state the old name in the file: -- renamed from NAME'
    : 'Save again to be asked again, start with --allow-loss, or change the files.';
  return [
    'Held back, because it would lose data:',
    ...losses.map((loss) => `  ${loss}`),
    `Nothing of this save was applied. ${ways}`,
    BEGIN_AGAIN,
  ].join('\n');
}

/** @param files of `schema/` */
export function renderFailure(
  { kind, message, detail, hint, kept, missing }: ApplyFailure,
  files: readonly SourceFile[],
): string {
  if (missing !== undefined && kept.length === 0)
    return `Not applied: ${escapeLine(describeMissingValue(missing, findColumnPlace(files, missing)))}\n${BEGIN_AGAIN}`;
  const head =
    kind === 'locked'
      ? `Not applied: another session holds a lock on what would change (${message}). Save again to retry.`
      : `Not applied: ${message}`;
  const stays = kept.length === 0 ? [] : ['These statements stay:', ...kept.map((sql) => `  ${sql}`)];
  const advice = kind === 'locked' ? [] : [ADVICE];
  return [
    head,
    ...(detail === undefined ? [] : [`  DETAIL: ${detail}`]),
    ...(hint === undefined ? [] : [`  HINT: ${hint}`]),
    ...stays,
    ...advice,
  ].join('\n');
}

/** Measures the parts of an update. */
export class Stopwatch {
  readonly #start = performance.now();
  readonly #debug: ((text: string) => void) | undefined;
  #last = this.#start;
  #left = 0;

  constructor(debug: ((text: string) => void) | undefined) {
    this.#debug = debug;
  }

  /** Without the time in which a person was asked. */
  get total(): number {
    return performance.now() - this.#start - this.#left;
  }

  /** Leaves the time out that a person takes. */
  async leaveOut<T>(wait: Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await wait;
    } finally {
      this.#left += performance.now() - begun;
    }
  }

  lap(name: string): void {
    const now = performance.now();
    this.#debug?.(`  ${name}: ${(now - this.#last).toFixed(0)} ms`);
    this.#last = now;
  }
}
