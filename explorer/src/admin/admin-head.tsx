// The top of the admin page: which server this is, whether it is ready, and the theme.
import type { VNode } from 'preact';
import type { StatusDocument } from '../../../src/contract/status-document.ts';
import { IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/text.tsx';
import { setTheme, theme } from '../ui/theme.ts';
import { formatDuration } from './format.ts';

export interface AdminHeadProps {
  readonly status: StatusDocument | undefined;
  readonly isReached: boolean;
}

export function AdminHead({ status, isReached }: AdminHeadProps): VNode {
  return (
    <header class="admin-head">
      <h1>Rowhouse admin</h1>
      <span role="status">{describeState(status, isReached)}</span>
      {status === undefined ? null : <span class="admin-uptime">up {formatDuration(status.uptimeSeconds)}</span>}
      <ThemeButton />
    </header>
  );
}

function describeState(status: StatusDocument | undefined, isReached: boolean): VNode {
  if (!isReached) return <Badge tone="danger">Not reached</Badge>;
  if (status === undefined) return <Badge>Reading</Badge>;
  if (!status.isLive) return <Badge tone="danger">Not serving</Badge>;
  return status.isReady ? <Badge tone="success">Ready</Badge> : <Badge tone="warning">Not ready</Badge>;
}

function ThemeButton(): VNode {
  const isDark =
    theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <IconButton
      icon={isDark ? 'sun' : 'moon'}
      label={isDark ? 'Light colours' : 'Dark colours'}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    />
  );
}
