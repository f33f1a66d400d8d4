// The automatic accessibility check: any problem beyond minor ones fails the test.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Nothing but violations is reported, and style sheets are not fetched again: that halves the time. */
const QUICK = { resultTypes: ['violations'], preload: false };

/** With a rule that axe does not run by default. */
const OPTIONS = { ...QUICK, rules: { 'label-content-name-mismatch': { enabled: true } } };

/** @param within a CSS selector. Defaults to the whole page */
export function expectAccessible(page: Page, within = 'html'): Promise<void> {
  return expectNoViolations(page, within, OPTIONS);
}

/** Checks what a colour scheme can change. */
export function expectContrast(page: Page): Promise<void> {
  return expectNoViolations(page, 'html', { ...QUICK, runOnly: ['color-contrast'] });
}

/** Ends transitions, in the middle of which colors have contrasts that no scheme has. */
const END_ANIMATIONS = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;

async function expectNoViolations(page: Page, within: string, options: object): Promise<void> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source);
  // Starts the transitions of a scheme that was just changed.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await page.evaluate(END_ANIMATIONS);
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const heavy = found.filter(({ impact }) => impact !== 'minor');
  expect(
    heavy.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.html}\n${node.failureSummary}`) })),
  ).toEqual([]);
}
