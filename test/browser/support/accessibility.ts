// The automatic accessibility check: what it finds serious or critical fails the test.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** @param within a CSS selector; the whole page by default */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  await page.evaluate(axe.source);
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}).then(({ violations }) => violations)`,
  );
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.html}\n${node.failureSummary}`) })),
  ).toEqual([]);
}
