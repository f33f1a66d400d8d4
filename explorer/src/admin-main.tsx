// Entry point of the page at `/` of the admin server.
import './ui/layout.css';
import { render } from 'preact';
import { AdminPage } from './admin/admin-page.tsx';
import { pollStatus } from './admin/poll-status.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { restoreTheme } from './ui/theme.ts';
import './ui/tokens.css';
import './ui/base.css';

const root = document.getElementById('app');
restoreTheme();
const page = (
  <ErrorBoundary place="">
    <AdminPage state={pollStatus()} />
  </ErrorBoundary>
);
if (root !== null) render(page, root);
