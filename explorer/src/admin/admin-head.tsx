// Header of the admin page: server name, readiness and theme menu.
import type { VNode } from 'preact';
import type { StatusDocument } from '../../../src/contract/status-document.ts';
import { Brand } from '../ui/brand.tsx';
import { Badge } from '../ui/text.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { formatDuration } from './format.ts';

export interface AdminHeadProps {
  readonly status: StatusDocument | undefined;
  readonly isReached: boolean;
}

export function AdminHead({ status, isReached }: AdminHeadProps): VNode {
  return (
    <header class="ui-row ui-wrap ui-gap-4 admin-head">
      <h1 class="ui-row ui-gap-3 admin-name">
        <Brand /> admin
      </h1>
      <span role="status">{describeState(status, isReached)}</span>
      {status === undefined ? null : <span class="admin-uptime">up {formatDuration(status.uptimeSeconds)}</span>}
      <ThemeMenu />
    </header>
  );
}

function describeState(status: StatusDocument | undefined, isReached: boolean): VNode {
  if (!isReached) return <Badge tone="danger">Unreachable</Badge>;
  if (status === undefined) return <Badge>Loading</Badge>;
  if (!status.isLive) return <Badge tone="danger">Not serving</Badge>;
  return status.isReady ? <Badge tone="success">Ready</Badge> : <Badge tone="warning">Not ready</Badge>;
}
