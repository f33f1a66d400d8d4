import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no #app');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
