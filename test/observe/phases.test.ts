// The durations of the phases of a request.
import { expect, test } from 'vitest';
import { PhaseClock } from '../../src/observe/phases.ts';

test('O209 all five phases are listed in order, and repeated phases are added up', () => {
  let now = 10;
  const phases = new PhaseClock(() => now);
  const spend = (milliseconds: number, phase: Parameters<PhaseClock['mark']>[0]): void => {
    now += milliseconds;
    phases.mark(phase);
  };
  spend(0.5, 'jwt');
  spend(1, 'parse');
  spend(2, 'parse');
  spend(4, 'transaction');
  expect(phases.render()).toBe('jwt;dur=0.5, parse;dur=3.0, plan;dur=0.0, transaction;dur=4.0, response;dur=0.0');
});
