// The automatic accessibility check: what it finds serious or critical fails the test.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** @param within a CSS selector; the whole page by default */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  await page.evaluate(AXE);
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}).then(({ violations }) => violations)`,
  );
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    serious.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.html}\n${node.failureSummary}`) })),
  ).toEqual([]);
}
