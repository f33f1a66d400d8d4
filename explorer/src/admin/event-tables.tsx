// Tables of the slowest request shapes and of errors by code.
import type { ComponentChildren, VNode } from 'preact';
import type { ErrorStatus, SlowShape } from '../../../src/contract/status-document.ts';
import { Badge, Name } from '../ui/text.tsx';
import { formatAge, formatCount, formatMilliseconds } from './format.ts';

export function SlowestTable({ slowest }: { readonly slowest: readonly SlowShape[] }): VNode {
  return (
    <AdminTable
      title="Slowest requests"
      note="The slowest request of each route in the last ten minutes, with its parameter names."
      heads={['Request', 'Duration', 'When', 'Route mean', 'Requests']}
      empty="No requests in the last ten minutes."
    >
      {slowest.map(({ shape, milliseconds, at, meanMilliseconds, requests }) => (
        <tr key={shape}>
          <td>
            <Name text={shape} isMono />
          </td>
          <td>{formatMilliseconds(milliseconds)}</td>
          <td>{formatAge(at, Date.now())}</td>
          <td>{formatMilliseconds(meanMilliseconds)}</td>
          <td>{formatCount(requests)}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

export function ErrorTable({ errors }: { readonly errors: readonly ErrorStatus[] }): VNode {
  return (
    <AdminTable
      title="Errors by code"
      note="Since the start, most recent first, each with its last request."
      heads={['Code', 'Count', 'Status', 'When', 'Last request']}
      empty="No failed requests since the start."
    >
      {errors.map(({ code, count, status, at, method, route }) => (
        <tr key={code}>
          <td>
            <Name text={code} isMono />
          </td>
          <td>{formatCount(count)}</td>
          <td>
            <Badge tone={status >= 500 ? 'danger' : 'warning'}>{status}</Badge>
          </td>
          <td>{formatAge(at, Date.now())}</td>
          <td>
            <Name text={`${method} ${route}`} isMono />
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

interface AdminTableProps {
  readonly title: string;
  readonly note: string;
  readonly heads: readonly string[];
  /** Shown if the table has no rows. */
  readonly empty: string;
  readonly children: readonly VNode[];
}

function AdminTable({ title, note, heads, empty, children }: AdminTableProps): VNode {
  return (
    <section class="admin-section">
      <h2>{title}</h2>
      <p class="admin-note">{children.length === 0 ? empty : note}</p>
      {children.length === 0 ? null : <ScrollingTable {...{ title, heads }}>{children}</ScrollingTable>}
    </section>
  );
}

function ScrollingTable({
  title,
  heads,
  children,
}: {
  readonly title: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class="admin-scroll" tabIndex={0} role="group" aria-label={title}>
      <table class="admin-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
