// Collects unexpected problems of a page: console errors and warnings, exceptions, violations of the content security
// policy, and requests to other origins.
import type { ConsoleMessage, Page } from 'playwright-core';

export interface PageWatch {
  /** Expects responses with these statuses, which browsers report in the console. */
  expectStatus(status: number): void;
  /** Allows requests to fail from now on. */
  expectLost(): void;
  /** Allows the page to report exceptions with this text in the console. */
  expectError(text: string): void;
  problems(): readonly string[];
}

const LOST = /^Failed to load resource: net::ERR_(?:CONNECTION|INTERNET|NETWORK|EMPTY)/u;
const FAILED_ANSWER = /^Failed to load resource: the server responded with a status of (\d+)/u;

export async function watchPage(page: Page, origin: string): Promise<PageWatch> {
  const problems: string[] = [];
  const expected = new Set<number>();
  const errors: string[] = [];
  let mayBeLost = false;
  const isExpected = (message: ConsoleMessage): boolean =>
    expected.has(Number(FAILED_ANSWER.exec(message.text())?.[1] ?? Number.NaN)) ||
    (mayBeLost && LOST.test(message.text())) ||
    errors.some((text) => message.text().includes(text));
  page.on('console', (message) => {
    const isProblem = ['error', 'warning'].includes(message.type()) && !isExpected(message);
    if (isProblem) problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!/^(?:data|blob):/u.test(request.url()) && new URL(request.url()).origin !== origin)
      problems.push(`external request: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy violation: ${text}`));
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample));
  `);
  return {
    expectStatus: (status) => void expected.add(status),
    expectLost: () => void (mayBeLost = true),
    expectError: (text) => void errors.push(text),
    problems: () => [...problems],
  };
}
