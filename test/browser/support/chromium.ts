// Finds the browser for the tests: an installed one, or the one named by ROWHOUSE_CHROMIUM.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { skipped } from '../../support/skipped.ts';

/** The headless shell comes first: without windows of its own it takes a third less time. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

const EXECUTABLE = [process.env['ROWHOUSE_CHROMIUM'], ...PLACES].find((file) => file !== undefined && existsSync(file));

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Like `describe`, but skipped with the reason in its name if there is no browser. */
export function describeInBrowser(name: string, body: () => void): void {
  const reason = EXECUTABLE === undefined ? 'no Chromium: apt-get install chromium-headless-shell' : undefined;
  describe.skipIf(EXECUTABLE === undefined)(skipped(name, reason), () => {
    body();
  });
}

let launched: Promise<Browser> | undefined;

/** Returns the browser that the files of a worker share. It ends with the worker. */
export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: EXECUTABLE ?? '', headless: true, args: ARGUMENTS });
  return launched;
}

/** Call at the end of a file: what it has opened must not slow down the next one. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
