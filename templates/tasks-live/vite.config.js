// Serves web/ for development, and passes /api to the server, as nginx does in production.
import react from '@vitejs/plugin-react';

const target = `http://localhost:${process.env.SVC_SERVER_PORT ?? 3000}`;

export default {
  root: 'web',
  plugins: [react()],
  test: { root: import.meta.dirname },
  build: { outDir: '../dist', emptyOutDir: true },
  server: { proxy: { '/api': { target, changeOrigin: true, rewrite: (path) => path.slice(4) || '/' } } },
};
