// Options of the demo and `rowhouse dev`, unless set elsewhere. They serve one person who tries things out: everything on
// that the explorer has a tool for, and loopback only, because whoever can connect may read and sees no token prompt.

export const TRIAL_OPTIONS: Readonly<Record<string, string>> = {
  'server-host': '127.0.0.1',
  'openapi-version': '3.1',
  'server-explorer': 'true',
  'db-plan-enabled': 'true',
  'db-aggregates-enabled': 'true',
  'db-tx-end': 'commit-allow-override',
};
