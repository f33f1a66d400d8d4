// The status line of a response: status, rows, time, size, expandable headers, and page links.
import type { ComponentChildren, VNode } from 'preact';
import type { ReceivedResponse } from '../client/exchange.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Badge } from '../ui/text.tsx';
import { nameOfStatus, toneOfStatus } from './status-text.ts';
import { formatBytes, formatMilliseconds } from './units.ts';

export interface StatusLineProps {
  readonly response: ReceivedResponse;
  readonly areHeadersOpen: boolean;
  readonly onHeaders: () => void;
  /** Rows and pages. */
  readonly children?: ComponentChildren;
}

export function StatusLine({ response, areHeadersOpen, onHeaders, children }: StatusLineProps): VNode {
  const { status, bytes, milliseconds } = response;
  return (
    <div class="ui-row ui-wrap result-status" role="status">
      <Badge tone={toneOfStatus(status)}>
        {status} {nameOfStatus(status)}
      </Badge>
      {children}
      <span class="result-measure" title="Time from sending the request to the last byte of the response">
        {formatMilliseconds(milliseconds)}
      </span>
      <span class="result-measure result-size" title={`${bytes.toLocaleString('en')} bytes, uncompressed`}>
        {formatBytes(bytes)}
      </span>
      <Button size="small" variant="quiet" aria-expanded={areHeadersOpen} onClick={onHeaders}>
        Headers
        <Icon name={areHeadersOpen ? 'chevronUp' : 'chevronDown'} size={12} />
      </Button>
    </div>
  );
}

export function HeaderList({ response }: { readonly response: ReceivedResponse }): VNode {
  return (
    <dl class="result-headers">
      {response.headers.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
