// The browser that drives the explorer: one that is installed on this machine, or the one that ROWHOUSE_CHROMIUM names.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

const PLACES = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);

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

/** Skipped, with the reason in its name, where there is no browser. */
export function describeInBrowser(name: string, body: () => void): void {
  const reason = EXECUTABLE === undefined ? ' (skipped: no Chromium here; ROWHOUSE_CHROMIUM names one)' : '';
  describe.skipIf(EXECUTABLE === undefined)(name + reason, () => {
    body();
  });
}

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: EXECUTABLE ?? '', headless: true, args: ARGUMENTS });
}
