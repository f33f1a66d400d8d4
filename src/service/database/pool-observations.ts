// Converts pool events to observations for the debug log (`operating.md` §10.5).
import type { Observation } from '../../observe/observation.ts';
import type { PoolEvent } from '../../postgres/pool/pool-event.ts';

/** Returns `undefined` for an event that is reported with the request. */
export function describePoolEvent(event: PoolEvent): Observation | undefined {
  switch (event.kind) {
    case 'acquiring':
      return { kind: 'poolActive', activity: 'borrowing' };
    case 'acquired':
      return { kind: 'poolActive', activity: 'borrowed' };
    case 'flushed':
      return { kind: 'poolActive', activity: 'flushed' };
    case 'timedOut':
      return undefined;
    case 'connecting':
      return connectionObservation(event.connection, 'is being established');
    case 'available':
      return connectionObservation(event.connection, `is available due to ${event.reason}`);
    case 'used':
      return connectionObservation(event.connection, 'is used');
    case 'terminated':
      return connectionObservation(event.connection, `is terminated due to ${event.reason}`);
  }
}

function connectionObservation(connection: number, activity: string): Observation {
  return { kind: 'connectionActive', connection, activity };
}
