// Whether an embed has rows, for a level that shows none of them: a test inside its WHERE, once however often it is asked.
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface PresenceUse {
  /** Rows of the level are dropped where the embed has none. */
  readonly isRequired: boolean;
  /** How many conditions of the level ask. */
  readonly asked: number;
}

export interface RenderedPresence {
  /** `''` when nothing is joined to the level's rows. */
  readonly join: string;
  /** What the level's rows must satisfy; undefined: nothing. */
  readonly condition: string | undefined;
  readonly presence: (isPresent: boolean) => string;
}

/** @param renderQuery renders the query of the embed's rows; called only where somebody asks */
export function renderPresence(
  { isRequired, asked }: PresenceUse,
  builder: StatementBuilder,
  renderQuery: () => string,
): RenderedPresence {
  if (asked === 0 && !isRequired) return { join: '', condition: undefined, presence: () => 'TRUE' };
  const exists = `EXISTS (${renderQuery()})`;
  const isShared = asked + (isRequired ? 1 : 0) > 1;
  const ref = isShared ? builder.alias() : '';
  const test = isShared ? `${ref}."v"` : exists;
  return {
    // OFFSET 0 keeps PostgreSQL from putting the test itself wherever its result is named.
    join: isShared ? `CROSS JOIN LATERAL (SELECT ${exists} AS "v" OFFSET 0) AS ${ref}` : '',
    condition: isRequired ? test : undefined,
    presence: (isPresent) => (isPresent ? test : `NOT ${test}`),
  };
}
