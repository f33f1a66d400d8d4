// The page at `/`: puts the shell into the document.
import { render } from 'preact';
import { Shell } from './shell/shell.tsx';

const root = document.getElementById('app');
if (root !== null) render(<Shell />, root);
