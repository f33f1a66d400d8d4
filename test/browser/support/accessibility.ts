// The automatic accessibility check: any problem beyond minor ones fails the test.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** A rule that axe does not run by default. */
const OPTIONS = { rules: { 'label-content-name-mismatch': { enabled: true } } };

/** @param within a CSS selector. Defaults to the whole page */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  await page.evaluate(axe.source);
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  const heavy = found.filter(({ impact }) => impact !== 'minor');
  expect(
    heavy.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.html}\n${node.failureSummary}`) })),
  ).toEqual([]);
}
