// Mounts the API under /api of a Hono application, for its signed-in users. On Node, pass the exported
// application to `serve` of `@hono/node-server`.
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { startService } from 'rowhouse';

const service = await startService({
  options: { dbUri: process.env.DATABASE_URL, dbSchemas: ['api'], dbAnonRole: 'demo_anon' },
});
const users = new WeakMap();
const api = service.createFetchHandler({
  basePath: '/api',
  authenticate: (request) => users.get(request),
});

const app = new Hono();
app.get('/', (context) => context.text('Lantern Row\n'));
app.all('/api/*', (context) => {
  // Replace this with your session check: here, the cookie identifies the first resident.
  if (getCookie(context, 'session') === 'open-sesame')
    users.set(context.req.raw, { role: 'demo_user', claims: { resident_id: 1 } });
  return api(context.req.raw);
});

export default app;
