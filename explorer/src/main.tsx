// Entry point of the page at `/`: renders the shell.
import { render } from 'preact';
import { Shell } from './shell/shell.tsx';
import { createStore } from './store/create-store.ts';
import { windowBrowser } from './store/window-browser.ts';
import { restoreTheme } from './ui/theme.ts';
import './ui/tokens.css';
import './ui/base.css';

const root = document.getElementById('app');
restoreTheme();
if (root !== null) render(<Shell store={createStore(windowBrowser)} />, root);
