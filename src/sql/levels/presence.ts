// Renders the test that an embed has rows, for an embed that does not show them. It runs once per row of the level.
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface PresenceUse {
  /** Whether rows of the level are dropped if the embed has none. */
  readonly isRequired: boolean;
  /** How many conditions of the level test the presence. */
  readonly testCount: number;
}

export interface RenderedPresence {
  /** `''` if nothing is joined. */
  readonly join: string;
  /** Condition on the rows of the level; undefined: none. */
  readonly condition: string | undefined;
  readonly presence: (isPresent: boolean) => string;
}

/** @param renderQuery renders the query of the embed's rows; called only if the presence is tested */
export function renderPresence(
  { isRequired, testCount }: PresenceUse,
  builder: StatementBuilder,
  renderQuery: () => string,
): RenderedPresence {
  if (testCount === 0 && !isRequired) return { join: '', condition: undefined, presence: () => 'TRUE' };
  const exists = `EXISTS (${renderQuery()})`;
  const isShared = testCount + (isRequired ? 1 : 0) > 1;
  const ref = isShared ? builder.alias() : '';
  const test = isShared ? `${ref}."v"` : exists;
  return {
    // OFFSET 0 keeps PostgreSQL from inlining the test wherever its result is used.
    join: isShared ? `CROSS JOIN LATERAL (SELECT ${exists} AS "v" OFFSET 0) AS ${ref}` : '',
    condition: isRequired ? test : undefined,
    presence: (isPresent) => (isPresent ? test : `NOT ${test}`),
  };
}
