// Entry point of the page at `/`: renders the shell.
import './ui/layout.css';
import { render } from 'preact';
import { send } from './client/send.ts';
import { keepRequests, keepWrites } from './history/kept-requests.ts';
import { Shell } from './shell/shell.tsx';
import { createStore } from './store/create-store.ts';
import { windowBrowser } from './store/window-browser.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { restoreTheme } from './ui/theme.ts';
import './ui/tokens.css';
import './ui/base.css';

const root = document.getElementById('app');
restoreTheme();
const store = createStore({ ...windowBrowser, send: keepWrites(send) });
keepRequests(store);
const page = (
  <ErrorBoundary place="">
    <Shell store={store} />
  </ErrorBoundary>
);
if (root !== null) render(page, root);
