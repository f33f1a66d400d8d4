// What the doctor says about live rows.
import { expect, test } from 'vitest';
import { createPatient, type Reported, runDoctor } from './patient.ts';
import { use } from '../../support/use.ts';

const patient = await use(createPatient());

/** Without the finding about the level of the log, which all tests of the run share. */
async function diagnose(publication?: string): Promise<readonly Reported[]> {
  const options = publication === undefined ? {} : { 'live-publication': publication };
  const { stdout } = await runDoctor(patient, ['--json'], { options });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Reported[] };
  return findings.filter(({ code }) => code.startsWith('live-') && code !== 'live-wal-level');
}

const codes = (findings: readonly Reported[]): readonly (readonly string[])[] =>
  findings.map(({ severity, code, object }) => [severity, code, object]);

test('B77h reports what live rows lack, and its SQL mends it', async () => {
  expect(await diagnose()).toEqual([]);
  const first = await diagnose('live');
  expect(codes(first)).toEqual([
    ['error', 'live-publication-missing', 'live'],
    ['error', 'live-without-replication', patient.login],
  ]);
  for (const { mend } of first) await patient.sql(mend);
  expect(await diagnose('live')).toEqual([]);
  await patient.sql(`create table api.bare (id int); alter publication live add table api.note, api.bare;
    alter publication live set (publish_via_partition_root = true)`);
  const second = await diagnose('live');
  expect(codes(second)).toEqual([
    ['error', 'live-publication-root', 'live'],
    ['error', 'live-table-without-identity', 'api.bare'],
  ]);
  for (const { mend } of second) await patient.sql(mend);
  expect(await diagnose('live')).toEqual([]);
});
