// Renders the test that an embed has rows, for an embed that does not show them. It runs once per row of the level.
import type { EmbedPlan } from '../../plan/levels/read-plan.ts';
import { renderEmbedSource, renderUnjoinedSource, type Source } from './from.ts';
import type { Scope } from './scope.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** @param renderQuery renders the rows of the embed, of which only the number matters */
export function renderHasRows(
  embed: EmbedPlan,
  parent: Scope,
  renderQuery: (embed: EmbedPlan, source: Source) => string,
): string {
  const { builder } = parent;
  if (embed.isApart !== true)
    return `EXISTS (${renderQuery(embed, renderEmbedSource(embed.relationship, parent, builder))})`;
  const { source, pairs } = renderUnjoinedSource(embed.relationship, parent, builder);
  const lead = pairs.map(([own]) => own);
  const given = pairs.map(([, value]) => value).join(', ');
  return `coalesce((${given}) IN (${renderQuery(embed, { ...source, lead })}), FALSE)`;
}

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

/** @param renderTest renders whether the embed has rows; called only if the presence is tested */
export function renderPresence(
  { isRequired, testCount }: PresenceUse,
  builder: StatementBuilder,
  renderTest: () => string,
): RenderedPresence {
  if (testCount === 0 && !isRequired) return { join: '', condition: undefined, presence: () => 'TRUE' };
  const exists = renderTest();
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
