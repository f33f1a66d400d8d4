// What is sent with a statement to tables with shards.
import { expect, test } from 'vitest';
import type { MainStatement, ParameterValue } from '../../src/contract/transaction.ts';
import { completeSegment } from '../../src/extensions/shards/complete-segment.ts';
import type { SenderSettings } from '../../src/sql/text/settings.ts';
import type { Segment } from '../../src/sql/transaction-script.ts';

const SENDER: SenderSettings = {
  extraSearchPath: [],
  roleSettings: [],
  role: 'app_user',
  claims: '{"tenant_id":5}',
  method: 'POST',
  path: '/note',
  headers: '{}',
  cookies: '{}',
  appSettings: [],
};

function complete(parameters: readonly ParameterValue[], sender: Partial<SenderSettings> = {}): Segment {
  const general: MainStatement['general'] = { text: 'general', delivery: { kind: 'value', encoding: 'text' } };
  const segment: Segment = {
    settings: { text: '', parameters: [] },
    preRequest: undefined,
    main: { text: 'direct', parameters, delivery: { kind: 'affected' }, general },
    plannedCount: undefined,
    verify: undefined,
  };
  const settings = { schema: 'api', timezone: undefined, ownSettings: [], access: 'read write' } as const;
  const shards = { settings: new Set(['request.jwt.claims']), isIso: true };
  return completeSegment(segment, settings, { sender: { ...SENDER, ...sender }, shards, claim: 'tenant_id' });
}

test('a short body is written directly, a long one by the general form, which reads it once', () => {
  expect(complete([[new Uint8Array(65_536)]]).main.text).toBe('direct');
  expect(complete([[new Uint8Array(65_000), new Uint8Array(600)]]).main.text).toBe('general');
});

test('PostgreSQL writes the dates of a role with a style of its own', () => {
  expect(complete(['5'], { roleSettings: [['DateStyle', 'German, DMY']] }).main.text).toBe('general');
  expect(complete(['5'], { roleSettings: [['work_mem', '8MB']] }).main.text).toBe('direct');
});

test('no value can end the literal of a setting', () => {
  const claims = String.raw`{"tenant_id":5,"name":"it's \\ é"}`;
  expect(complete([], { claims }).passed?.map(({ text }) => text)).toEqual([
    "SET LOCAL citus.propagate_set_commands TO 'local'",
    String.raw`SET LOCAL "request.jwt.claims" TO E'{"tenant_id":5,"name":"it\u0027s \u005c\u005c \u00e9"}'`,
  ]);
});
