// Mounts the API under /api of a Fastify application.
import Fastify from 'fastify';
import { startService } from 'rowhouse';

const service = await startService({
  options: { dbUri: process.env.DATABASE_URL, dbSchemas: ['api'], dbAnonRole: 'demo_anon' },
});
const api = service.createNodeHandler({ basePath: '/api' });

const app = Fastify();
app.get('/', () => 'Lantern Row\n');
app.register(async (scope) => {
  // Leave bodies for the API to read.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.all('/api/*', (request, reply) => {
    reply.hijack();
    api(request.raw, reply.raw);
  });
});

await app.listen({ port: Number(process.env.PORT ?? 3000) });
