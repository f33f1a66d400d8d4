// The admin page: current status of the server and its history of the last minutes.
import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/text.tsx';
import { AdminHead } from './admin-head.tsx';
import { Configuration } from './configuration.tsx';
import { Details } from './details.tsx';
import { ErrorTable, SlowestTable } from './event-tables.tsx';
import { Gauges } from './gauges.tsx';
import type { AdminState } from './poll-status.ts';
import './admin.css';

export function AdminPage({ state }: { readonly state: ReadonlySignal<AdminState> }): VNode {
  const { latest, samples, failure } = state.value;
  return (
    <div class="admin">
      <AdminHead status={latest?.status} isReached={failure === undefined} />
      <main class="ui-stack admin-main">
        {failure === undefined ? null : (
          <Notice
            tone="danger"
            title={failure}
            hint="The values below are the last ones received. The page keeps retrying."
          />
        )}
        {latest === undefined ? (
          failure === undefined ? (
            <Spinner label="Loading the status" />
          ) : null
        ) : (
          <>
            <Problems problems={latest.status.problems} />
            <Gauges status={latest.status} samples={samples} />
            <SlowestTable slowest={latest.status.slowest} />
            <ErrorTable errors={latest.status.errors} />
            <Details status={latest.status} />
            <Configuration options={latest.status.configuration} />
          </>
        )}
      </main>
    </div>
  );
}

function Problems({ problems }: { readonly problems: readonly string[] }): VNode {
  return (
    <>
      {problems.map((problem) => (
        <Notice key={problem} tone="warning" title="Not ready" hint="See the server log for details.">
          {problem}
        </Notice>
      ))}
    </>
  );
}
