// Mounts the API under /api of a `node:http` server.
import { createServer } from 'node:http';
import { startService } from 'rowhouse';

const service = await startService({
  options: { dbUri: process.env.DATABASE_URL, dbSchemas: ['api'], dbAnonRole: 'demo_anon' },
});
const api = service.createNodeHandler({ basePath: '/api' });

createServer((request, response) => {
  if (request.url.startsWith('/api/')) api(request, response);
  else response.end('Lantern Row\n');
}).listen(process.env.PORT ?? 3000);
