// Entry point of the page at `/` of the admin server.
import { render } from 'preact';
import { AdminPage } from './admin/admin-page.tsx';
import { pollStatus } from './admin/poll-status.ts';
import { restoreTheme } from './ui/theme.ts';
import './ui/tokens.css';
import './ui/base.css';

const root = document.getElementById('app');
restoreTheme();
if (root !== null) render(<AdminPage state={pollStatus()} />, root);
