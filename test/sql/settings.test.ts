// The statement of the settings is kept for requests that repeat all of its values.
import { expect, test } from 'vitest';
import { type ActionSettings, renderSettings, type SenderSettings, type Setting } from '../../src/sql/text/settings.ts';
import { encodeMessages } from '../../src/postgres/wire/encoder.ts';

const EXTRA = ['public', 'Odd "Quay"'];
const APP: readonly Setting[] = [['tide', 'low']];
const ROLE: readonly Setting[] = [['statement_timeout', '5s']];
const OWN: readonly Setting[] = [['work_mem', '8MB']];

const ACTION: ActionSettings = { schema: 'api', timezone: undefined, ownSettings: [], access: 'read only' };
const SENDER: SenderSettings = {
  extraSearchPath: EXTRA,
  roleSettings: [],
  role: 'pilot',
  claims: '{"role":"pilot"}',
  method: 'GET',
  path: '/boats',
  headers: '{"host":"pier"}',
  cookies: '{}',
  appSettings: [],
};

const SENDERS: readonly Partial<SenderSettings>[] = [
  {},
  { extraSearchPath: [] },
  { roleSettings: ROLE },
  { role: 'clerk' },
  { claims: '{"role":"clerk"}' },
  { method: 'HEAD' },
  { path: '/ports' },
  { headers: '{"host":"quay"}' },
  { cookies: '{"a":"b"}' },
  { appSettings: APP },
  { traceparent: '' },
  { traceparent: '00-1-2-03' },
];
const ACTIONS: readonly Partial<ActionSettings>[] = [
  {},
  { schema: 'labs' },
  { timezone: 'UTC' },
  { ownSettings: OWN },
  { access: 'read write' },
];

test('each difference between two requests changes the statement, whatever was rendered before', () => {
  const seen = new Map<string, string>();
  for (let round = 0; round < 3; round += 1) {
    for (const sender of SENDERS) {
      for (const action of ACTIONS) {
        const name = JSON.stringify([sender, action]);
        const { text, parameters } = renderSettings({ ...ACTION, ...action }, { ...SENDER, ...sender });
        const rendered = JSON.stringify([text, parameters]);
        expect(seen.get(name) ?? rendered).toBe(rendered);
        seen.set(name, rendered);
      }
    }
  }
  expect(new Set(seen.values()).size).toBe(SENDERS.length * ACTIONS.length);
});

test('O112c the search path is quoted and followed by the settings', () => {
  const sender = { ...SENDER, roleSettings: ROLE, appSettings: APP };
  expect(renderSettings({ ...ACTION, timezone: 'UTC', ownSettings: OWN }, sender).parameters).toEqual([
    '"api", "public", "Odd ""Quay"""',
    'statement_timeout',
    '5s',
    'pilot',
    '{"role":"pilot"}',
    'GET',
    '/boats',
    '{"host":"pier"}',
    '{}',
    'UTC',
    'work_mem',
    '8MB',
    'app.settings.tide',
    'low',
  ]);
});

test('a repeated statement is sent as the same bytes, from the memory of the first time', () => {
  const sender = { ...SENDER, headers: '{"host":"wharf ä"}' };
  const send = (): Buffer => {
    const call = { name: 's1', text: undefined, resultFormat: 'text', isDescribed: false } as const;
    return Buffer.concat(encodeMessages([], [{ ...call, ...renderSettings(ACTION, { ...sender }), text: undefined }]));
  };
  const first = send();
  expect(renderSettings(ACTION, { ...sender }).memo).toBeDefined();
  expect(send()).toStrictEqual(first);
  expect(renderSettings(ACTION, sender).memo?.bytes).toBeDefined();
  expect(send()).toStrictEqual(first);
});

test('long headers and traces are not kept', () => {
  for (const changes of [{ headers: JSON.stringify({ x: 'y'.repeat(5000) }) }, { traceparent: '' }]) {
    renderSettings(ACTION, { ...SENDER, ...changes });
    expect(renderSettings(ACTION, { ...SENDER, ...changes }).memo).toBeUndefined();
  }
});
